import ArtworkPipeline
import Synchronization

/// A terminal line with the progress of a batch: done of total, rate, failures, time left. Draws at most ten times
/// per second.
final class ProgressLine: Sendable {
  private struct State {
    var done = 0
    var problems = 0
    var lastDrawn: ContinuousClock.Instant?
    var isVisible = false
  }

  private let total: Int
  private let start = ContinuousClock.now
  private let state = Mutex(State())

  init(total: Int) { self.total = total }

  func advance(_ report: CandidateReport) {
    state.withLock { state in
      state.done += 1
      let hasNewError = report.error != nil && !report.errorIsKnown
      if report.verdict == .fail || hasNewError { state.problems += 1 }
      let now = ContinuousClock.now
      if let last = state.lastDrawn, now - last < .milliseconds(100) { return }
      draw(&state, now)
    }
  }

  /// Draws the line again below the printed output.
  func draw() {
    state.withLock { state in
      if state.lastDrawn != nil { draw(&state, .now) }
    }
  }

  private func draw(_ state: inout State, _ now: ContinuousClock.Instant) {
    state.lastDrawn = now
    state.isVisible = true
    Terminal.printError("\r\u{1b}[K" + text(state, elapsed: (now - start) / .seconds(1)))
  }

  /// Removes the line.
  func clear() {
    state.withLock { state in
      if state.isVisible { Terminal.printError("\r\u{1b}[K") }
      state.isVisible = false
    }
  }

  private func text(_ state: State, elapsed: Double) -> String {
    let rate = elapsed > 0 ? Double(state.done) / elapsed : 0
    var parts = ["\(state.done)/\(total) checked"]
    // The first few files do not give a rate.
    let isSettled = elapsed > 2 && state.done > 3
    if isSettled { parts.append(rate < 1 ? "less than 1 file/s" : "\(Int(rate)) files/s") }
    if state.problems > 0 { parts.append("\(state.problems) failed") }
    if isSettled, rate > 0, state.done < total {
      let left = Int((Double(total - state.done) / rate).rounded(.up))
      parts.append(left < 60 ? "\(left) s left" : "\(left / 60) min \(left % 60) s left")
    }
    return parts.joined(separator: ", ")
  }
}
