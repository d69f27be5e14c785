/// Restores the order of the candidates for results that finish in any order, one release at a time.
///
/// A release waits for those before it, but one slow file does not hold back the rest: if more than ``mostWaiting``
/// complete releases wait behind it, they go first.
package struct ReleaseQueue: Sendable {
  /// Complete releases that may wait for a slower one.
  package let mostWaiting: Int

  private let releaseOf: [FilePath: Int]
  /// Number of unfinished files of each release.
  private var missing: [Int] = []
  private var reports: [Int: [CandidateReport]] = [:]
  private var complete: Set<Int> = []
  /// The first release that has not left the queue.
  private var next = 0
  /// Releases after ``next`` that have left.
  private var gone: Set<Int> = []

  /// - Parameter jobs: candidates that are checked in parallel.
  package init(_ catalogue: Catalogue, jobs: Int) {
    mostWaiting = max(16, 4 * jobs)
    var releaseOf: [FilePath: Int] = [:]
    var places: [Int: Int] = [:]
    for (index, candidate) in catalogue.candidates.enumerated() {
      let release = catalogue.releaseOf[index]
      let place = release.flatMap { places[$0] } ?? missing.count
      if place == missing.count { missing.append(0) }
      if let release { places[release] = place }
      missing[place] += 1
      releaseOf[candidate.path] = place
    }
    self.releaseOf = releaseOf
  }

  /// Adds a result, and returns those that can be output now.
  package mutating func add(_ report: CandidateReport) -> [CandidateReport] {
    guard let release = releaseOf[report.path] else { return [report] }
    reports[release, default: []].append(report)
    missing[release] -= 1
    if missing[release] == 0 { complete.insert(release) }
    var ready: [CandidateReport] = []
    while true {
      if complete.contains(next) {
        ready += take(next)
      } else if gone.remove(next) == nil {
        break
      }
      next += 1
    }
    if complete.count > mostWaiting { ready += takeComplete() }
    return ready
  }

  /// Empties the queue for a run that ends early: returns complete releases.
  package mutating func drain() -> [CandidateReport] { takeComplete() }

  private mutating func takeComplete() -> [CandidateReport] {
    let releases = complete.sorted()
    gone.formUnion(releases)
    return releases.flatMap { take($0) }
  }

  private mutating func take(_ release: Int) -> [CandidateReport] {
    complete.remove(release)
    return reports.removeValue(forKey: release) ?? []
  }
}
