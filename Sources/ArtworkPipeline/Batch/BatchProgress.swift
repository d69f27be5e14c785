import Synchronization

/// The shared state of a batch's jobs: the next candidate, the finished ones, and the complete releases.
final class BatchProgress: Sendable {
  /// A release whose files are all done, and their reports by candidate.
  struct Finished {
    var release: Release
    var reports: [Int: CandidateReport]
  }

  /// The effect of a finished file.
  enum Outcome {
    /// It belongs to no release.
    case alone
    /// Others of its release are missing.
    case waiting
    case complete(Finished)
  }

  private struct State {
    var next = 0
    var reports: [CandidateReport?]
    /// Number of unfinished files of each release.
    var missing: [Int]
    /// Reports that were not delivered yet.
    var undelivered: [CandidateReport] = []
    /// Whether a thread is delivering.
    var isDelivering = false
  }

  private let catalogue: Catalogue
  private let state: Mutex<State>

  init(_ catalogue: Catalogue) {
    self.catalogue = catalogue
    state = Mutex(
      State(
        reports: Array(repeating: nil, count: catalogue.candidates.count),
        missing: catalogue.releases.map(\.videos.count)))
  }

  func next() -> Int? {
    state.withLock { state in
      guard state.next < state.reports.count else { return nil }
      defer { state.next += 1 }
      return state.next
    }
  }

  /// Keeps the report of a file that belongs to a release.
  func finish(_ index: Int, _ report: CandidateReport) -> Outcome {
    guard let place = catalogue.releaseOf[index] else { return .alone }
    let release = catalogue.releases[place]
    return state.withLock { state in
      state.reports[index] = report
      state.missing[place] -= 1
      guard state.missing[place] == 0 else { return .waiting }
      var reports: [Int: CandidateReport] = [:]
      for video in release.videos {
        reports[video.candidate] = state.reports[video.candidate]
      }
      return .complete(Finished(release: release, reports: reports))
    }
  }

  /// Queues reports and delivers them one at a time, those of one call together and in the order of the candidates.
  /// While one thread delivers, others only queue their reports and continue, so a slow reader stops no worker.
  /// Everything has been delivered when the last call returns.
  ///
  /// - Parameter onReport: takes each report; every call must pass the same closure. Called without holding the lock.
  func publish(
    _ reports: [Int: CandidateReport], _ onReport: @Sendable (CandidateReport) -> Void
  ) {
    let isDelivered = state.withLock { state in
      for (index, report) in reports.sorted(by: { $0.key < $1.key }) {
        state.reports[index] = report
        state.undelivered.append(report)
      }
      defer { state.isDelivering = true }
      return state.isDelivering
    }
    if isDelivered { return }
    while let reports = takeUndelivered() {
      for report in reports { onReport(report) }
    }
  }

  /// `nil` if nothing is left, which ends the delivery.
  private func takeUndelivered() -> [CandidateReport]? {
    state.withLock { state in
      state.isDelivering = !state.undelivered.isEmpty
      if state.undelivered.isEmpty { return nil }
      defer { state.undelivered = [] }
      return state.undelivered
    }
  }

  var all: [CandidateReport] { state.withLock { $0.reports.compactMap(\.self) } }
}
