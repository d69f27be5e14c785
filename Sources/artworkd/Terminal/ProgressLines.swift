import ArtworkPipeline
import Synchronization
import SystemPackage

/// A line of standard error that is drawn over, at most ten times per second.
private struct RedrawnLine {
  private(set) var isVisible = false
  private(set) var lastDrawn: ContinuousClock.Instant?

  /// - Parameter isUrgent: whether it is drawn also if it was drawn a moment ago.
  mutating func draw(isUrgent: Bool = false, _ text: (ContinuousClock.Instant) -> String) {
    let now = ContinuousClock.now
    if let lastDrawn, now - lastDrawn < .milliseconds(100), !isUrgent { return }
    (lastDrawn, isVisible) = (now, true)
    Terminal.printError("\r\u{1b}[K" + text(now))
  }

  mutating func clear() {
    if isVisible { Terminal.printError("\r\u{1b}[K") }
    isVisible = false
  }

  static func left(_ seconds: Double) -> String {
    let left = Int(min(seconds, 1e9).rounded(.up))
    return left < 60 ? "\(left) s left" : "\(left / 60) min \(left % 60) s left"
  }
}

/// The number of files that are read for comparison, before the first is checked.
final class ComparisonLine: ContentDigester {
  private let digester: any ContentDigester
  private let state = Mutex((count: 0, line: RedrawnLine()))

  init(_ digester: any ContentDigester) { self.digester = digester }

  func digest(of candidate: Candidate) -> [UInt8]? {
    state.withLock { state in
      state.count += 1
      let count = state.count
      state.line.draw { _ in "comparing files of the same size: \(count)" }
    }
    return digester.digest(of: candidate)
  }

  func sample(of candidate: Candidate) -> [UInt8]? { digester.sample(of: candidate) }

  /// Removes the line.
  func clear() { state.withLock { $0.line.clear() } }
}

/// The progress of a batch: done of total, rate, failures, time left.
final class ProgressLine: Sendable {
  private struct State {
    var done = 0
    var problems = 0
    var line = RedrawnLine()
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
      draw(&state)
    }
  }

  /// Draws the line again below the printed output.
  func draw() {
    state.withLock { state in
      if state.line.lastDrawn != nil { draw(&state, isUrgent: true) }
    }
  }

  private func draw(_ state: inout State, isUrgent: Bool = false) {
    let (done, problems) = (state.done, state.problems)
    state.line.draw(isUrgent: isUrgent) { now in
      text(done, problems, elapsed: (now - start) / .seconds(1))
    }
  }

  /// Removes the line.
  func clear() { state.withLock { $0.line.clear() } }

  private func text(_ done: Int, _ problems: Int, elapsed: Double) -> String {
    let rate = elapsed > 0 ? Double(done) / elapsed : 0
    var parts = ["\(done)/\(total) checked"]
    // The first few files do not give a rate.
    let isSettled = elapsed > 2 && done > 3
    if isSettled { parts.append(rate < 1 ? "less than 1 file/s" : "\(Int(rate)) files/s") }
    if problems > 0 { parts.append("\(problems) failed") }
    if isSettled, rate > 0, done < total {
      parts.append(RedrawnLine.left(Double(total - done) / rate))
    }
    return parts.joined(separator: ", ")
  }
}

/// The progress of one or several encodes, and the time left.
final class EncodingLine: Sendable {
  private struct State {
    /// The file that is worked on, from 0, and how many there are.
    var (index, total) = (0, 1)
    var name = ""
    /// When the first file and this one began.
    var (beginning, start) = (ContinuousClock.now, ContinuousClock.now)
    var line = RedrawnLine()

    mutating func draw(isUrgent: Bool = false, _ text: (ContinuousClock.Instant) -> String) {
      let state = self
      line.draw(isUrgent: isUrgent) { now in
        let text = text(now)
        var parts = text.isEmpty ? [] : [text]
        if state.total > 1 {
          let elapsed = (now - state.beginning) / .seconds(1)
          let isSettled = elapsed > 2 && state.index > 2
          let rest = elapsed / Double(max(1, state.index)) * Double(state.total - state.index)
          parts.insert(
            "\(state.index)/\(state.total) files"
              + (isSettled ? ", " + RedrawnLine.left(rest) : ""),
            at: 0)
          parts.insert(state.name.shortened(to: 40), at: 1)
        }
        return parts.joined(separator: "; ")
      }
    }
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
      state.draw(isUrgent: true) { _ in "" }
    }
  }

  /// - Parameter verb: the operation on the frames.
  func show(_ done: Int, of count: Int, _ verb: String) {
    guard Terminal.canRedraw else { return }
    state.withLock { state in
      let (start, total) = (state.start, state.total)
      state.draw { now in
        let elapsed = (now - start) / .seconds(1)
        let text = count > 0 ? "\(done)/\(count) frames \(verb)" : "\(done) frames \(verb)"
        // The first few frames do not give a rate, and with many files, the time for one means little.
        guard total == 1, elapsed > 2, done > 0, done < count else { return text }
        return text + ", " + RedrawnLine.left(elapsed / Double(done) * Double(count - done))
      }
    }
  }

  /// Shows the number of encoded frames.
  func show(_ done: Int, of count: Int) { show(done, of: count, "encoded") }

  /// Removes the line.
  func clear() { state.withLock { $0.line.clear() } }
}
