import Synchronization

/// A line on the terminal that shows how far the encoding of a video is, and the time left.
final class EncodingLine: Sendable {
  private let start = ContinuousClock.now
  private let lastDrawn = Mutex<ContinuousClock.Instant?>(nil)

  /// Draws at most ten times a second.
  func show(_ done: Int, of count: Int) {
    guard Terminal.canRedraw else { return }
    lastDrawn.withLock { last in
      let now = ContinuousClock.now
      if let last, now - last < .milliseconds(100) { return }
      last = now
      let elapsed = (now - start) / .seconds(1)
      var text = "\(done)/\(count) frames encoded"
      // The first few frames do not give a rate.
      if elapsed > 2, done > 0, done < count {
        let left = Int((elapsed / Double(done) * Double(count - done)).rounded(.up))
        text += left < 60 ? ", \(left) s left" : ", \(left / 60) min \(left % 60) s left"
      }
      Terminal.say("\r\u{1b}[K" + text)
    }
  }

  /// Removes the line.
  func clear() {
    lastDrawn.withLock { last in
      if last != nil { Terminal.say("\r\u{1b}[K") }
      last = nil
    }
  }
}
