/// A position on an animation's timeline, in the forms that people use.
public enum AnimationTime: Sendable, Equatable, Codable {
  /// A frame of the composition's timeline.
  case frame(Double)
  /// 0 at the start, 1 at the end.
  case progress(Double)
  /// Seconds from the start.
  case seconds(Double)
  case marker(String)

  /// Reads `24` as a frame, `50%` as progress, `1.5s` as seconds, and everything else as the name of a marker.
  public init(_ text: String) {
    func number(_ ending: String) -> Double? {
      guard text.hasSuffix(ending) else { return nil }
      return Double(text.dropLast(ending.count)).flatMap { $0.isFinite ? $0 : nil }
    }
    if let frame = number("") {
      self = .frame(frame)
    } else if let percent = number("%") {
      self = .progress(percent / 100)
    } else if let seconds = number("s") {
      self = .seconds(seconds)
    } else {
      self = .marker(text)
    }
  }
}
