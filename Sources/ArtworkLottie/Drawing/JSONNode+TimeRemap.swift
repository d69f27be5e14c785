import ArtworkModel

extension JSONNode {
  /// A time remap that rlottie applies: it ignores one without keyframes, so a constant gets two equal ones. It uses
  /// the floor of the frame number, so half a frame is added to round to the nearest.
  func drawnTimeRemap(rate: Double) -> JSONNode {
    let property = drawnProperty.later(by: 0.5 / rate)
    let seconds = property["k"]?.number ?? property["k"]?[0]?.number
    guard let seconds else { return property }
    let ends = [-Self.longTime, Self.longTime].map { frame in
      JSONNode.object([
        Field(name: "t", value: .number(frame)),
        Field(name: "s", value: .list([.number(seconds)])), Field(name: "h", value: .number(1)),
      ])
    }
    return .object([Field(name: "a", value: .number(1)), Field(name: "k", value: .list(ends))])
  }

  /// Returns this value with `seconds` added to its number, or to those of its keyframes.
  private func later(by seconds: Double) -> JSONNode {
    switch self {
    case .number(let number): return .number(number + seconds)
    case .list(let items): return .list(items.map { $0.later(by: seconds) })
    case .object:
      var property = self
      for name in ["k", "s", "e"] { property[name] = property[name]?.later(by: seconds) }
      return property
    case .null, .bool, .text: return self
    }
  }

  /// Frames before and after anything that is drawn.
  private static let longTime = 1_000_000.0

  /// The frame after the last that a time remap of the document leads to. rlottie goes no further than the end of the whole
  /// animation, wherever a precomposition ends.
  func lastRemappedFrame(rate: Double) -> Int {
    let lists =
      [self["layers"]?.items ?? []]
      + (self["assets"]?.items ?? []).map { $0["layers"]?.items ?? [] }
    let seconds = lists.joined().compactMap { $0["tm"]?["k"]?.largestNumber }.max() ?? 0
    // A curve may lead beyond its ends.
    let frame = (seconds * rate * 1.5).rounded(.up) + 1
    return wholeNumber(min(frame, Self.longTime), as: Int.self) ?? 0
  }

  /// Largest number of a value, or of the values of keyframes.
  private var largestNumber: Double? {
    switch self {
    case .number(let number): number
    case .list(let items): items.compactMap(\.largestNumber).max()
    case .object:
      [self["s"]?.largestNumber, self["e"]?.largestNumber].compactMap(\.self).max()
    case .null, .bool, .text: nil
    }
  }
}
