import ArtworkModel

/// Visits every element of a document from the outermost layer inwards. A layer that uses a precomposition leads into
/// its layers, at each use.
struct DocumentWalk {
  /// The maximum number of layers and shapes, with each precomposition counted at each use. The largest public
  /// animations have a few thousand; ten levels of ten layers would have ten billion.
  static let mostElements = 100_000
  /// Groups inside groups, and layers inside layers, each.
  static let deepest = 64

  private let document: JSONNode
  /// The index of each precomposition, by its name.
  private let assets: [String: Int]
  private var visited = 0

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
      inside: [], visit)
  }

  /// - Parameter isRemapped: whether a time remap decides when each layer is visible, so that any time is possible.
  private mutating func layers(
    _ place: Place, names: [String], _ clock: LayerClock, visible: Range<Double>, isRemapped: Bool,
    inside: [String], _ visit: (Element) -> Void
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
      if let transform = layer["ks"] {
        var own = element
        own.kind = .transform
        own.names.append(Self.transformName)
        own.place.append(.field("ks"))
        own.node = transform
        try take(own, visit)
      }
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
          inside: inside + [name], visit)
      }
      element.place.append(.field("shapes"))
      try shapes(layer["shapes"]?.items ?? [], in: element, depth: 0, visit)
    }
  }

  private mutating func shapes(
    _ shapes: [JSONNode], in parent: Element, depth: Int, _ visit: (Element) -> Void
  ) throws(InspectionError) {
    guard depth < Self.deepest else { throw Self.tooDeep }
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
        if kind == .repeater, let transform = shape["tr"] {
          var own = element
          own.kind = .transform
          own.names.append(Self.transformName)
          own.place.append(.field("tr"))
          own.node = transform
          try take(own, visit)
        }
        element.place.append(.field("it"))
        try self.shapes(shape["it"]?.items ?? [], in: element, depth: depth + 1, visit)
      }
    }
  }

  /// The name of every transform in keypaths.
  static let transformName = "Transform"

  private mutating func take(_ element: Element, _ visit: (Element) -> Void) throws(InspectionError)
  {
    visited += 1
    guard visited <= Self.mostElements else {
      throw InspectionError(
        .tooLarge, "the animation has more than \(Self.mostElements) layers and shapes",
        operation: "read the animation")
    }
    visit(element)
  }

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
