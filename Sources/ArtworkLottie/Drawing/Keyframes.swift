import ArtworkModel

extension JSONNode {
  /// A property of one value.
  static func still(_ value: JSONNode) -> JSONNode {
    .object([Field(name: "a", value: .number(0)), Field(name: "k", value: value)])
  }

  /// A property as rlottie expects it; other nodes unchanged.
  ///
  /// rlottie loses a keyframe without easing and treats one with easing as the start of a change: after a last one
  /// with it, and if there is only one without, the property is 0. It expects lists of numbers, `1` for a value that
  /// holds, and one curve for all numbers, and confuses curves of properties with the same name.
  var drawnProperty: JSONNode {
    guard let frames = self["k"]?.items.filter({ $0["t"]?.number != nil }), !frames.isEmpty else {
      return self
    }
    let values = Self.values(of: frames)
    guard let first = values.compactMap(\.self).first else { return self }
    var property = self
    guard frames.count > 1 else {
      property["a"] = .number(0)
      property["k"] = first.items.count == 1 ? first.items[0] : first
      return property
    }
    if hasSeveralCurves(frames), let held = heldFrames {
      property["k"] = .list(held)
      return property
    }
    property["k"] = .list(
      frames.indices.map { index in
        frames[index].drawnKeyframe(values[index] ?? first, isLast: index == frames.count - 1)
      })
    return property
  }

  /// A property whose curves stay within `range`: rlottie lets a number beyond it wrap around to the other end.
  func drawnProperty(within range: ClosedRange<Double>) -> JSONNode {
    let frames = self["k"]?.items ?? []
    let overshoots = frames.contains { frame in
      ["i", "o"].contains { name in
        guard let height = frame[name]?["y"] else { return false }
        let numbers = height.number.map { [$0] } ?? height.items.compactMap(\.number)
        return numbers.contains { !(0...1).contains($0) }
      }
    }
    guard overshoots, var held = heldFrames else { return drawnProperty }
    for index in held.indices {
      held[index]["s"] = .list(
        (held[index]["s"]?.items ?? []).map { number in
          .number(min(max(number.number ?? 0, range.lowerBound), range.upperBound))
        })
    }
    var property = self
    property["k"] = .list(held)
    return property
  }

  /// The start value of each keyframe, as a list. Old documents write the end beside the start, and nothing into the
  /// last.
  private static func values(of frames: [JSONNode]) -> [JSONNode?] {
    func listed(_ value: JSONNode?) -> JSONNode? {
      guard let value else { return nil }
      if case .list = value { return value }
      return .list([value])
    }
    return frames.indices.map { index in
      listed(frames[index]["s"]) ?? (index > 0 ? listed(frames[index - 1]["e"]) : nil)
    }
  }

  private func drawnKeyframe(_ value: JSONNode, isLast: Bool) -> JSONNode {
    var fields = [Field(name: "t", value: self["t"] ?? .number(0)), Field(name: "s", value: value)]
    if self["h"]?.isSet ?? false {
      fields.append(Field(name: "h", value: .number(1)))
    } else if !isLast {
      // A straight line without handles.
      fields.append(Field(name: "i", value: self["i"]?.handle ?? Self.handle(0.833)))
      fields.append(Field(name: "o", value: self["o"]?.handle ?? Self.handle(0.167)))
      for name in ["e", "to", "ti"] {
        guard let value = self[name] else { continue }
        if name == "e", case .number = value {
          fields.append(Field(name: name, value: .list([value])))
        } else {
          fields.append(Field(name: name, value: value))
        }
      }
    }
    return .object(fields)
  }

  private static func handle(_ number: Double) -> JSONNode {
    .object([Field(name: "x", value: .number(number)), Field(name: "y", value: .number(number))])
  }

  /// The handle of a curve; `nil` for anything else.
  private var handle: JSONNode? {
    func first(_ name: String) -> Double? { self[name]?.number ?? self[name]?[0]?.number }
    guard let x = first("x"), let y = first("y") else { return nil }
    return .object([Field(name: "x", value: .number(x)), Field(name: "y", value: .number(y))])
  }

  // MARK: - A curve for each number

  /// Whether animated numbers have separate curves.
  private func hasSeveralCurves(_ frames: [JSONNode]) -> Bool {
    let values = Self.values(of: frames).map { $0?.items.map(\.number) ?? [] }
    return frames.indices.dropLast().contains { index in
      let frame = frames[index]
      guard !(frame["h"]?.isSet ?? false) else { return false }
      let changing = values[index].indices.filter {
        values[index + 1].indices.contains($0) && values[index][$0] != values[index + 1][$0]
      }
      return ["i", "o"].contains { name in
        ["x", "y"].contains { axis in
          let numbers = frame[name]?[axis]?.items ?? []
          return Set(
            changing.compactMap { numbers.indices.contains($0) ? numbers[$0].number : nil }
          )
          .count > 1
        }
      }
    }
  }

  /// The maximum number of frames that become one keyframe each.
  private static let mostHeld = 2000.0

  /// A value for each frame, which is all that rlottie uses: it counts in whole frames.
  var heldFrames: [JSONNode]? {
    let property = AnimatedProperty(self)
    let times = Self.heldTimes(of: [self])
    let values = times.map(property.numbers)
    guard times.count > 1, values.joined().allSatisfy(\.isFinite) else { return nil }
    return zip(values, times).map { Self.held(.list($0.map(JSONNode.number)), at: $1) }
  }

  /// Every frame from the first keyframe of these properties to the last; none if they are too many.
  static func heldTimes(of properties: [JSONNode?]) -> [Double] {
    let times = properties.flatMap { $0?["k"]?.items.compactMap { $0["t"]?.number } ?? [] }
    guard let first = times.min()?.rounded(.down), let last = times.max()?.rounded(.up),
      last - first < mostHeld
    else { return [] }
    return Array(stride(from: first, through: last, by: 1))
  }

  /// A property with these keyframes.
  static func animated(_ frames: [JSONNode]) -> JSONNode {
    .object([Field(name: "a", value: .number(1)), Field(name: "k", value: .list(frames))])
  }

  /// A keyframe whose value holds until the next.
  static func held(_ value: JSONNode, at time: Double) -> JSONNode {
    .object([
      Field(name: "t", value: .number(time)), Field(name: "s", value: value),
      Field(name: "h", value: .number(1)),
    ])
  }
}

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
