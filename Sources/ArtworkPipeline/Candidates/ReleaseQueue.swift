/// Restores the order of the candidates for releases that are complete in any order.
///
/// A release waits for those before it, but one slow file does not hold back the rest: if more than ``mostWaiting``
/// releases wait behind it, they go first.
package struct ReleaseQueue: Sendable {
  /// Releases that may wait for a slower one.
  package let mostWaiting: Int

  /// The order of releases, by the path of their first file.
  private let placeOf: [FilePath: Int]
  private var waiting: [Int: [CandidateReport]] = [:]
  /// The first release that has not left the queue.
  private var next = 0
  /// Releases after ``next`` that have left.
  private var gone: Set<Int> = []

  /// - Parameter jobs: candidates that are checked in parallel.
  package init(_ catalogue: Catalogue, jobs: Int) {
    mostWaiting = max(16, 4 * jobs)
    placeOf = Dictionary(
      catalogue.groups.enumerated().map { place, group in
        (catalogue.candidates[group.candidates[0]].path, place)
      }, uniquingKeysWith: { first, _ in first })
  }

  /// Adds the results of a release, or of a file without one, and returns those that can be output now.
  package mutating func add(_ reports: [CandidateReport]) -> [CandidateReport] {
    guard let place = reports.first.flatMap({ placeOf[$0.path] }) else { return reports }
    waiting[place] = reports
    var ready: [CandidateReport] = []
    while true {
      if let reports = waiting.removeValue(forKey: next) {
        ready += reports
      } else if gone.remove(next) == nil {
        break
      }
      next += 1
    }
    return waiting.count > mostWaiting ? ready + drain() : ready
  }

  /// Returns everything that waits: also for a run that ends early.
  package mutating func drain() -> [CandidateReport] {
    defer { waiting = [:] }
    gone.formUnion(waiting.keys)
    return waiting.sorted { $0.key < $1.key }.flatMap(\.value)
  }
}
