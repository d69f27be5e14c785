import ArtworkPipeline
import Synchronization
import SystemPackage

/// A terminal line with the progress of one or several encodes, and the time left.
final class EncodingLine: Sendable {
  private struct State {
    /// The file that is worked on, from 0, and how many there are.
    var (index, total) = (0, 1)
    var name = ""
    /// When the first file and this one began.
    var (beginning, start) = (ContinuousClock.now, ContinuousClock.now)
    var lastDrawn: ContinuousClock.Instant?
  }

  private let state = Mutex(State())

  /// Starts with another file.
  ///
  /// - Parameter total: files that are worked on, one after the other.
  func begin(_ index: Int, of total: Int, _ file: FilePath) {
    guard Terminal.canRedraw, total > 1 else { return }
    state.withLock { state in
      let now = ContinuousClock.now
      if index == 0 { state.beginning = now }
      (state.index, state.total, state.start) = (index, total, now)
      state.name = file.components.suffix(2).map(\.string.printable).joined(separator: "/")
      draw(&state, now, "")
    }
  }

  /// Draws at most ten times per second.
  ///
  /// - Parameter verb: the operation on the frames.
  func show(_ done: Int, of count: Int, _ verb: String) {
    guard Terminal.canRedraw else { return }
    state.withLock { state in
      let now = ContinuousClock.now
      if let last = state.lastDrawn, now - last < .milliseconds(100) { return }
      let elapsed = (now - state.start) / .seconds(1)
      var text = count > 0 ? "\(done)/\(count) frames \(verb)" : "\(done) frames \(verb)"
      // The first few frames do not give a rate, and with many files, the time for one means little.
      if state.total == 1, elapsed > 2, done > 0, done < count {
        text += ", " + Self.left(elapsed / Double(done) * Double(count - done))
      }
      draw(&state, now, text)
    }
  }

  /// Shows the number of encoded frames.
  func show(_ done: Int, of count: Int) { show(done, of: count, "encoded") }

  private func draw(_ state: inout State, _ now: ContinuousClock.Instant, _ text: String) {
    state.lastDrawn = now
    var parts = text.isEmpty ? [] : [text]
    if state.total > 1 {
      let elapsed = (now - state.beginning) / .seconds(1)
      let isSettled = elapsed > 2 && state.index > 2
      let rest = elapsed / Double(max(1, state.index)) * Double(state.total - state.index)
      parts.insert(
        "\(state.index)/\(state.total) files" + (isSettled ? ", " + Self.left(rest) : ""), at: 0)
      parts.insert(state.name.shortened(to: 40), at: 1)
    }
    Terminal.printError("\r\u{1b}[K" + parts.joined(separator: "; "))
  }

  private static func left(_ seconds: Double) -> String {
    let left = Int(min(seconds, 1e9).rounded(.up))
    return left < 60 ? "\(left) s left" : "\(left / 60) min \(left % 60) s left"
  }

  /// Removes the line.
  func clear() {
    state.withLock { state in
      if state.lastDrawn != nil { Terminal.printError("\r\u{1b}[K") }
      state.lastDrawn = nil
    }
  }
}
