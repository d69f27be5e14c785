import ArtworkModel

extension JSONNode {
  /// A shape as rlottie expects it, `nil` for a hidden one. rlottie shows hidden groups, and treats the last number of
  /// every dashed line as its offset.
  var drawnShape: JSONNode? {
    if self["hd"]?.isSet ?? false { return nil }
    guard case .object(let fields) = self else { return self }
    if self["ty"] == .text("tr") { return drawnTransform().beginning(with: ["ty"]) }
    if let path = drawnPolystar { return path }
    if let plain = plainGradient { return plain.drawnShape }
    let shape = JSONNode.object(
      fields.map { field in
        switch field.name {
        case "it": Field(name: "it", value: .list(Self.drawnShapes(field.value.items)))
        case "tr": Field(name: "tr", value: field.value.drawnTransform())
        case "d" where field.value.items.first?["n"] != nil:
          Field(name: "d", value: .list(Self.drawnDashes(field.value.items)))
        case "c" where ["fl", "st"].contains(self["ty"]?.text):
          Field(name: "c", value: field.value.drawnProperty(within: 0...1))
        case "o" where ["fl", "st", "gf", "gs"].contains(self["ty"]?.text):
          Field(name: "o", value: field.value.drawnProperty(within: 0...100))
        case "g": Field(name: "g", value: field.value.drawnGradient)
        default: Field(name: field.name, value: field.value.drawnProperty)
        }
      })
    return shape.beginning(with: ["ty"])
  }

  /// Whether a trim applies to the result of another trim inside it. rlottie keeps the whole of such a line if the
  /// outer one leaves it whole, so a frame depends on the frames drawn before it.
  var hasNestedTrims: Bool {
    func trims(_ shapes: [JSONNode], isTrimmed: Bool) -> Bool {
      let isTrimmed = isTrimmed || shapes.contains { $0["ty"] == .text("tm") }
      return shapes.contains { shape in
        let items = shape["it"]?.items ?? []
        return isTrimmed && items.contains { $0["ty"] == .text("tm") }
          || trims(items, isTrimmed: isTrimmed)
      }
    }
    return trims(self["shapes"]?.items ?? [], isTrimmed: false)
  }

  // MARK: - Dashed lines

  /// Half a pixel: rlottie counts in 64ths of a pixel, and in small pictures loses dashes of a tenth.
  static let shortestDash = 0.5

  /// Dashes and gaps by turns, then the offset. A dash without a gap is its own gap. A dash of no length, which round
  /// ends make a dot of, is not drawn; a short one is, and its gap is as much shorter.
  private static func drawnDashes(_ parts: [JSONNode]) -> [JSONNode] {
    var lengths = parts.filter { $0["n"] != .text("o") }
    let offset = parts.first { $0["n"] == .text("o") }
    if lengths.count == 1 { lengths += lengths }
    // An odd pattern continues with dash and gap exchanged.
    if !lengths.count.isMultiple(of: 2) { lengths += lengths }
    // Without a dash, the line is whole.
    guard !lengths.isEmpty else { return [] }
    var added = 0.0
    let drawn = lengths.enumerated().map { index, part in
      var part = part
      let length = part["v"]?.drawnProperty
      if index.isMultiple(of: 2) {
        added = max(0, shortestDash - (length?["k"]?.number ?? shortestDash))
        part["v"] = length?.changed { max($0, shortestDash) }
      } else {
        let shortened = added
        part["v"] = length?.changed { max(0, $0 - shortened) }
      }
      return part
    }
    let period = drawn.reduce(Optional(0.0)) { sum, part in
      sum.flatMap { sum in part["v"]?["k"]?.number.map { sum + $0 } }
    }
    var shift = offset?["v"]?.drawnProperty ?? .still(.number(0))
    if let period, period > 0 { shift = shift.within(period) }
    return drawn + [.object([Field(name: "v", value: shift)])]
  }

  /// An offset that lies in the first pattern: rlottie draws nothing before it.
  private func within(_ period: Double) -> JSONNode {
    func part(_ offset: Double) -> JSONNode {
      .number(offset - (offset / period).rounded(.down) * period)
    }
    if let offset = self["k"]?.number { return .still(part(offset)) }
    guard let frames = heldFrames else { return self }
    var property = self
    property["k"] = .list(
      frames.map { frame in
        var frame = frame
        frame["s"] = frame["s"]?[0]?.number.map { .list([part($0)]) }
        return frame
      })
    return property
  }

  /// A property with other values at all times.
  private func changed(_ change: (Double) -> Double) -> JSONNode {
    switch self {
    case .number(let number): return .number(change(number))
    case .list(let items): return .list(items.map { $0.changed(change) })
    case .object:
      var property = self
      for name in ["k", "s", "e"] { property[name] = property[name]?.changed(change) }
      return property
    case .null, .bool, .text: return self
    }
  }

  // MARK: - Gradients

  /// A gradient that starts where it ends, in one colour: its last, as browsers draw it. rlottie takes the first, or draws
  /// nothing. `nil` for other shapes, and for colours that change or are transparent.
  private var plainGradient: JSONNode? {
    let names = ["gf": "fl", "gs": "st"]
    guard let name = self["ty"]?.text.flatMap({ names[$0] }),
      let count = self["g"]?["p"]?.number, count > 0,
      let stops = self["g"]?["k"]?["k"]?.items.map(\.number),
      Double(stops.count) == count * 4, let start = self["s"]?["k"]?.items.map(\.number),
      !start.isEmpty, !start.contains(nil), self["e"]?["k"]?.items.map(\.number) == start,
      case let color = stops.suffix(3).compactMap(\.self), color.count == 3,
      case .object(let fields) = self
    else { return nil }
    var plain = JSONNode.object(
      fields.filter { !["ty", "g", "s", "e", "t", "h", "a"].contains($0.name) })
    plain["ty"] = .text(name)
    plain["c"] = .still(.list((color + [1]).map(JSONNode.number)))
    return plain
  }

  /// The colours of a gradient with an opacity at each of them. rlottie mixes up stops of colours and of opacities that
  /// lie at other places.
  private var drawnGradient: JSONNode {
    guard let count = self["p"]?.number.flatMap({ Int(exactly: $0) }), count > 0,
      let stops = self["k"]?.drawnProperty(within: 0...1), let colours = stops["k"]
    else { return self }
    var gradient = self
    gradient["k"] = stops
    let frames = colours.items
    if frames.first?["t"] == nil {
      guard let joined = Self.joinedStops(colours, count) else { return gradient }
      gradient["k"] = .still(joined)
      gradient["p"] = .number(Double(joined.items.count / 6))
      return gradient
    }
    var isJoined = false
    let joined = frames.map { frame in
      var frame = frame
      for name in ["s", "e"] {
        guard let stops = frame[name].flatMap({ Self.joinedStops($0, count) }) else { continue }
        frame[name] = stops
        gradient["p"] = .number(Double(stops.items.count / 6))
        isJoined = true
      }
      return frame
    }
    if isJoined { gradient["k"]?["k"] = .list(joined) }
    return gradient
  }

  /// Parts of the way from one stop to the next that get a stop of their own: rlottie mixes colours by their opacities,
  /// and players do not.
  private static let parts = 6

  /// Returns as many colour stops as opacity stops, at the same offsets: one for each original stop, and some between
  /// them. `nil` without opacities.
  private static func joinedStops(_ node: JSONNode, _ count: Int) -> JSONNode? {
    let numbers = node.items.compactMap(\.number)
    // The count is the file's; its product may be beyond every number.
    guard count <= numbers.count / 4, numbers.count > count * 4,
      (numbers.count - count * 4).isMultiple(of: 2)
    else { return nil }
    let colours = (0..<count).map { Array(numbers[$0 * 4..<$0 * 4 + 4]) }
    let opacities = stride(from: count * 4, to: numbers.count, by: 2).map {
      [numbers[$0], numbers[$0 + 1]]
    }
    var places = (colours + opacities).map { $0[0] }.sorted()
    // Two at one place have no slope between them.
    for index in places.indices.dropFirst() {
      places[index] = max(places[index], places[index - 1] + 0.0001)
    }
    places =
      zip(places, places.dropFirst()).flatMap { from, to in
        (0..<parts).map { from + (to - from) * Double($0) / Double(parts) }
      } + places.suffix(1)
    let all = places.flatMap { [$0] + values(of: colours, at: $0) }
    return .list(
      (all + places.flatMap { [$0] + values(of: opacities, at: $0) }).map(JSONNode.number))
  }

  /// The values between two stops, each a position and values; beyond the first or last, those of that stop.
  private static func values(of stops: [[Double]], at place: Double) -> [Double] {
    guard let next = stops.firstIndex(where: { $0[0] >= place }), next > 0 else {
      return Array((place <= stops[0][0] ? stops[0] : stops[stops.count - 1]).dropFirst())
    }
    let (from, to) = (stops[next - 1], stops[next])
    let part = (place - from[0]) / max(to[0] - from[0], .ulpOfOne)
    return zip(from, to).dropFirst().map { $0 + ($1 - $0) * part }
  }
}
