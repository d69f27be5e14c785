import ArtworkModel

/// Visits every element of a document from the outermost layer inwards. A layer that uses a precomposition leads into
/// its layers, at each use.
struct DocumentWalk {
  /// The maximum number of layers and shapes, with each precomposition counted at each use, each shape for each copy that
  /// repeaters make of it, a quarter of a corner of a star, and each dash. The largest public animations have a few
  /// thousand; ten levels of ten layers would have ten billion.
  static let mostElements = 100_000
  /// Groups inside groups, and layers inside layers, each.
  static let deepest = 64
  /// Pixels of a side or a radius: rlottie draws what is outside of the picture, too.
  private static let longestSide = 1e6

  private let document: JSONNode
  /// The index of each precomposition, by its name.
  private let assets: [String: Int]
  private var visited = 0
  /// Parts of shapes so far, with all copies.
  private var drawn = 0.0

  init(_ document: JSONNode) {
    self.document = document
    assets = Dictionary(
      (document["assets"]?.items ?? []).enumerated().compactMap { index, asset in
        asset["layers"] == nil ? nil : asset["id"]?.identifier.map { ($0, index) }
      }, uniquingKeysWith: { _, last in last })
  }

  /// - Throws: `too-large` beyond the limits, `decode-failed` for a document that contains itself, or a layer that is its
  ///   own parent.
  func check() throws(InspectionError) {
    var walk = self
    try walk.run { _ in }
  }

  /// All elements of a document that ``check()`` has passed.
  func elements() -> [Element] {
    var walk = self
    var elements: [Element] = []
    // A changed animation has the structure that was checked.
    try? walk.run { elements.append($0) }
    return elements
  }

  private mutating func run(_ visit: (Element) -> Void) throws(InspectionError) {
    let end = document["op"]?.number ?? 0
    let start = min(document["ip"]?.number ?? 0, end)
    try layers(
      [.field("layers")], names: [], LayerClock(), visible: start..<end, isRemapped: false,
      inside: [], scale: 1, visit)
  }

  /// - Parameter isRemapped: whether a time remap decides when each layer is visible, so that any time is possible.
  private mutating func layers(
    _ place: Place, names: [String], _ clock: LayerClock, visible: Range<Double>, isRemapped: Bool,
    inside: [String], scale: Double, _ visit: (Element) -> Void
  ) throws(InspectionError) {
    let layers = document[place]?.items ?? []
    try Self.checkParents(layers)
    for (index, layer) in layers.enumerated() {
      let kind = layer["ty"]?.number.flatMap { wholeNumber($0) }.flatMap(LayerKind.init)
      let names = names + [layer["nm"]?.text ?? kind?.title ?? "Layer"]
      let first = clock.global(layer["ip"]?.number ?? visible.lowerBound)
      let last = max(first, clock.global(layer["op"]?.number ?? visible.upperBound))
      guard first.isFinite, last.isFinite else {
        throw InspectionError(
          .decodeFailed, "the times of layer \(names.last ?? "") are too large",
          operation: "read the animation")
      }
      var element = Element(
        kind: .layer(kind ?? .data), names: names, place: place + [.item(index)], node: layer,
        clock: clock, visible: isRemapped ? visible : (first..<last).clamped(to: visible),
        layerDepth: names.count)
      try take(element, visit)
      let depth = names.count
      let scale = scale * (layer["ks"]?["s"]?.largest ?? 100) / 100
      try takeTransform("ks", of: element, visit)
      if let name = layer["refId"]?.identifier, let asset = assets[name] {
        guard !inside.contains(name) else {
          throw InspectionError(
            .decodeFailed, "the precomposition \(name) contains itself",
            operation: "read the animation")
        }
        guard depth < Self.deepest else { throw Self.tooDeep }
        try self.layers(
          [.field("assets"), .item(asset), .field("layers")], names: names, clock.inside(layer),
          visible: element.visible, isRemapped: isRemapped || layer["tm"] != nil,
          inside: inside + [name], scale: scale, visit)
      }
      element.place.append(.field("shapes"))
      try shapes(
        layer["shapes"]?.items ?? [], in: element, depth: 0, copies: 1, scale: scale, visit)
    }
  }

  private mutating func shapes(
    _ shapes: [JSONNode], in parent: Element, depth: Int, copies: Double,
    scale: Double, _ visit: (Element) -> Void
  ) throws(InspectionError) {
    guard depth < Self.deepest else { throw Self.tooDeep }
    let repeats = shapes.filter { $0["ty"] == .text("rp") }.map { max(1, $0["c"]?.largest ?? 1) }
    let copies = repeats.reduce(copies, *)
    let scale = shapes.filter { $0["ty"] == .text("tr") }.map { ($0["s"]?.largest ?? 100) / 100 }
      .reduce(scale, *)
    for shape in shapes {
      let own = shape.drawnParts + (shape.dashes(along: shapes) ?? 0)
      guard shape.longestSide * scale <= Self.longestSide else {
        throw InspectionError(
          .tooLarge, "a shape has more than \(Int(Self.longestSide)) pixels",
          operation: "read the animation")
      }
      drawn += copies * own
      guard drawn <= Double(Self.mostElements) else { throw Self.tooMany }
    }
    for (index, shape) in shapes.enumerated() {
      var element = parent
      element.place.append(.item(index))
      element.node = shape
      let type = shape["ty"]?.text
      if type == "tr" {
        element.kind = .transform
        element.names.append(Self.transformName)
        try take(element, visit)
      } else if let kind = type.flatMap(ShapeKind.init) {
        element.kind = .shape(kind)
        element.names.append(shape["nm"]?.text ?? kind.title)
        try take(element, visit)
        if kind == .repeater { try takeTransform("tr", of: element, visit) }
        element.place.append(.field("it"))
        try self.shapes(
          shape["it"]?.items ?? [], in: element, depth: depth + 1, copies: copies, scale: scale,
          visit)
      }
    }
  }

  /// The name of every transform in keypaths.
  static let transformName = "Transform"

  private mutating func take(_ element: Element, _ visit: (Element) -> Void) throws(InspectionError) {
    visited += 1
    guard visited <= Self.mostElements else { throw Self.tooMany }
    visit(element)
  }

  private mutating func takeTransform(
    _ field: String, of element: Element, _ visit: (Element) -> Void
  ) throws(InspectionError) {
    guard let transform = element.node[field] else { return }
    var own = element
    own.kind = .transform
    own.names.append(Self.transformName)
    own.place.append(.field(field))
    own.node = transform
    try take(own, visit)
  }

  private static let tooMany = InspectionError(
    .tooLarge,
    "the animation has more than \(mostElements) layers and shapes, with copies, corners and dashes",
    operation: "read the animation")

  /// rlottie follows parents without end.
  private static func checkParents(_ layers: [JSONNode]) throws(InspectionError) {
    var parents: [Double: Double] = [:]
    for layer in layers {
      if let own = layer["ind"]?.number, let parent = layer["parent"]?.number {
        parents[own] = parent
      }
    }
    // Layers from which the way up ends.
    var sound: Set<Double> = []
    for start in parents.keys.sorted() {
      var way: Set<Double> = []
      var layer = start
      while let parent = parents[layer], !sound.contains(layer) {
        guard way.insert(layer).inserted else {
          throw InspectionError(
            .decodeFailed, "layer \(wholeNumber(start, as: Int.self) ?? 0) is its own parent",
            operation: "read the animation")
        }
        layer = parent
      }
      sound.formUnion(way)
    }
  }

  private static let tooDeep = InspectionError(
    .tooLarge, "its groups or precompositions are more than \(deepest) levels deep",
    operation: "read the animation")
}

extension JSONNode {
  /// The name of an asset, which some exporters write as a number.
  fileprivate var identifier: String? {
    text ?? number.flatMap { wholeNumber($0, as: Int64.self) }.map { "\($0)" }
  }
}

extension JSONNode {
  /// The largest number of a property at any time, without its sign.
  fileprivate var largest: Double {
    if let number { return abs(number) }
    if case .list(let items) = self { return items.reduce(0) { max($0, $1.largest) } }
    return ["k", "s", "e"].reduce(0) { max($0, self[$1]?.largest ?? 0) }
  }

  /// The longest side or radius of a shape, of a path a quarter of its length; 0 for what is no outline.
  fileprivate var longestSide: Double {
    switch self["ty"]?.text {
    case "rc", "el": self["s"]?.largest ?? 0
    case "sr": max(self["or"]?.largest ?? 0, self["ir"]?.largest ?? 0)
    case "sh": (self["ks"]?.pathLength ?? 0) / 4
    default: 0
    }
  }

  /// What drawing a shape costs, in ordinary shapes.
  fileprivate var drawnParts: Double {
    self["ty"] == .text("sr") ? max(1, 4 * (self["pt"]?.largest ?? 0)) : 1
  }

  /// The dashes of a line along these shapes; `nil` for what is no dashed line.
  fileprivate func dashes(along shapes: [JSONNode]) -> Double? {
    let parts = (self["d"]?.items ?? []).filter { $0["n"] != .text("o") }
    guard ["st", "gs"].contains(self["ty"]?.text), !parts.isEmpty else { return nil }
    let period = parts.reduce(0) { $0 + abs($1["v"]?["k"]?.number ?? 0) }
    return shapes.reduce(0) { $0 + $1.outline } / max(Self.shortestDash, period)
  }

  /// About the length of the lines of a shape.
  private var outline: Double {
    switch self["ty"]?.text {
    case "gr": (self["it"]?.items ?? []).reduce(0) { $0 + $1.outline }
    case "sr": 2 * (self["pt"]?.largest ?? 0) * longestSide
    default: 4 * longestSide
    }
  }

  /// The length of the longest path of a property.
  private var pathLength: Double {
    guard let corners = self["v"]?.items else {
      return (items + ["k", "s", "e"].compactMap { self[$0] }).reduce(0) { max($0, $1.pathLength) }
    }
    func length(_ points: some Sequence<(JSONNode, JSONNode?)>) -> Double {
      points.reduce(0) { sum, pair in
        zip(pair.0.items, pair.1?.items ?? [.number(0), .number(0)]).reduce(sum) {
          $0 + abs(($1.0.number ?? 0) - ($1.1.number ?? 0))
        }
      }
    }
    let handles = ((self["i"]?.items ?? []) + (self["o"]?.items ?? [])).map {
      ($0, nil as JSONNode?)
    }
    return length(zip(corners, corners.dropFirst() + corners.prefix(1)).map { ($0, $1) })
      + length(handles)
  }
}
