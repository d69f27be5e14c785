import Synchronization

/// The shared state of a batch's jobs: the next candidate, the finished ones, and the complete releases.
final class BatchProgress: Sendable {
  private struct State {
    var next = 0
    var reports: [CandidateReport?]
    /// Number of unfinished files of each group.
    var missing: [Int]
    /// Reports that were not delivered yet.
    var undelivered: [[CandidateReport]] = []
    /// Whether a thread is delivering.
    var isDelivering = false
  }

  private let groups: [Catalogue.Group]
  /// The place of each candidate's group.
  private let groupOf: [Int: Int]
  private let state: Mutex<State>

  init(_ catalogue: Catalogue) {
    groups = catalogue.groups
    groupOf = Dictionary(
      uniqueKeysWithValues: groups.enumerated().flatMap { place, group in
        group.candidates.map { ($0, place) }
      })
    state = Mutex(
      State(
        reports: Array(repeating: nil, count: catalogue.candidates.count),
        missing: groups.map(\.candidates.count)))
  }

  func next() -> Int? {
    state.withLock { state in
      guard state.next < state.reports.count else { return nil }
      defer { state.next += 1 }
      return state.next
    }
  }

  /// Records the report of a file.
  ///
  /// - Returns: the files that are judged together, and their reports, if this is the last of them.
  func finish(
    _ index: Int, _ report: CandidateReport
  ) -> (group: Catalogue.Group, reports: [CandidateReport])? {
    guard let place = groupOf[index] else { return nil }
    let group = groups[place]
    return state.withLock { state in
      state.reports[index] = report
      state.missing[place] -= 1
      guard state.missing[place] == 0 else { return nil }
      return (group, group.candidates.compactMap { state.reports[$0] })
    }
  }

  /// Queues the reports of a group and delivers them, one group at a time. While one thread delivers, others only queue
  /// their reports and continue, so a slow reader stops no worker. Everything has been delivered when the last call
  /// returns.
  ///
  /// - Parameter onReports: takes the reports of each group; every call must pass the same closure. Called without
  ///   holding the lock.
  func publish(
    _ reports: [CandidateReport], of group: Catalogue.Group,
    _ onReports: @Sendable ([CandidateReport]) -> Void
  ) {
    let isDelivered = state.withLock { state in
      for (index, report) in zip(group.candidates, reports) { state.reports[index] = report }
      state.undelivered.append(reports)
      defer { state.isDelivering = true }
      return state.isDelivering
    }
    if isDelivered { return }
    while let groups = takeUndelivered() {
      for reports in groups { onReports(reports) }
    }
  }

  /// `nil` if nothing is left, which ends the delivery.
  private func takeUndelivered() -> [[CandidateReport]]? {
    state.withLock { state in
      state.isDelivering = !state.undelivered.isEmpty
      if state.undelivered.isEmpty { return nil }
      defer { state.undelivered = [] }
      return state.undelivered
    }
  }

  var all: [CandidateReport] { state.withLock { $0.reports.compactMap(\.self) } }
}
