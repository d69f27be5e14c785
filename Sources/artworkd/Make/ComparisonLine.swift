import ArtworkPipeline
import Synchronization

/// A terminal line with the number of files that are read for comparison, before the first is checked.
final class ComparisonLine: ContentDigester {
  private let digester: any ContentDigester
  private let state = Mutex((count: 0, lastDrawn: ContinuousClock.Instant?.none))

  init(_ digester: any ContentDigester) { self.digester = digester }

  /// Draws at most ten times per second.
  func digest(of candidate: Candidate) -> [UInt8]? {
    state.withLock { state in
      state.count += 1
      let now = ContinuousClock.now
      if let last = state.lastDrawn, now - last < .milliseconds(100) { return }
      state.lastDrawn = now
      Terminal.printError("\r\u{1b}[Kcomparing files of the same size: \(state.count)")
    }
    return digester.digest(of: candidate)
  }

  func sample(of candidate: Candidate) -> [UInt8]? { digester.sample(of: candidate) }

  /// Removes the line.
  func clear() {
    state.withLock { state in
      if state.lastDrawn != nil { Terminal.printError("\r\u{1b}[K") }
      state.lastDrawn = nil
    }
  }
}
