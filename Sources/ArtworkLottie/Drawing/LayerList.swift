import ArtworkModel

/// Lists of layers as rlottie expects them, with the precompositions that this requires.
///
/// For rlottie, the layer above one with a matte is that matte, and is not drawn itself; it reads neither which layer
/// is meant nor whether it is a matte. It loses mattes of mattes, draws nothing while an inverted matte is not there, treats the brightness of half-transparent parts as
/// that of opaque ones, and draws nothing of a solid or an image under a matte.
struct LayerList {
  /// Frames per second.
  let rate: Double
  /// See ``JSONNode/drawnLayer(rate:startFraction:)``.
  let startFraction: Double
  /// The new precompositions.
  private(set) var assets: [JSONNode] = []

  init(rate: Double, startFraction: Double) {
    self.rate = rate
    self.startFraction = startFraction
  }

  /// The layers, each matte above each layer that it belongs to and nowhere else.
  mutating func drawn(_ layers: [JSONNode]) -> [JSONNode] {
    var drawn: [JSONNode] = []
    for (index, layer) in layers.enumerated() {
      guard layer.isMatted else {
        let isMatte = layer["td"]?.isSet ?? false || layers.isMatteByPlace(index)
        if !isMatte { drawn.append(layer.drawnLayer(rate: rate, startFraction: startFraction)) }
        continue
      }
      if layer["td"]?.isSet ?? false || layers.isMatteByPlace(index) { continue }
      drawn += matted(index, layers, [])
    }
    return drawn
  }

  /// A layer and its matte above it. `inside` are the layers that it is a matte of, so that two do not wait for each other.
  private mutating func matted(
    _ index: Int, _ layers: [JSONNode], _ inside: [Int]
  ) -> [JSONNode] {
    var layer = layers[index]
    guard let matte = layers.matte(of: index), !(inside + [index]).contains(matte),
      inside.count < Self.deepest
    else {
      layer["tt"] = nil
      return [layer.drawnLayer(rate: rate, startFraction: startFraction)]
    }
    var source = layers[matte]
    // The designer hides it, because it is not part of the picture.
    source["hd"] = nil
    var above = source.drawnLayer(rate: rate, startFraction: startFraction)
    if source.isMatted {
      above = wrapped(matted(matte, layers, inside + [index]), source, layers)
    }
    if layer.isMattedByBrightness {
      // Half-transparent white is half as bright; rlottie treats it as white.
      source["tt"] = nil
      above = wrapped([above, Self.black], source, layers)
    }
    if layer.isMattedInversely, !source.isThere(throughout: layer) {
      above = wrapped([above], source, layers)
      for field in ["ip", "op"] { above[field] = layer[field] }
    }
    guard layer.layerType == 1 || layer.layerType == 2 else {
      return [above, layer.drawnLayer(rate: rate, startFraction: startFraction)]
    }
    var inner = layer
    inner["tt"] = nil
    var outer = wrapped([inner.drawnLayer(rate: rate, startFraction: startFraction)], layer, layers)
    outer["tt"] = layer["tt"]
    return [above, outer.beginning(with: ["ty", "ddd"])]
  }

  /// A layer that contains these and is visible when `layer` is.
  private mutating func wrapped(
    _ inner: [JSONNode], _ layer: JSONNode, _ layers: [JSONNode]
  ) -> JSONNode {
    let name = "matted \(assets.count)"
    // The layers that move it have no picture here.
    let parents = layers.ancestors(of: layer).map { parent in
      var parent = parent
      parent["ty"] = .number(3)
      return parent.drawnLayer(rate: rate, startFraction: startFraction)
    }
    assets.append(
      .object([
        JSONNode.Field(name: "id", value: .text(name)),
        JSONNode.Field(name: "layers", value: .list(inner + parents)),
      ]))
    var outer = JSONNode.object([
      JSONNode.Field(name: "ty", value: .number(0)), JSONNode.Field(name: "ddd", value: .number(0)),
      JSONNode.Field(name: "refId", value: .text(name)),
      JSONNode.Field(name: "w", value: .number(Self.side)),
      JSONNode.Field(name: "h", value: .number(Self.side)),
      JSONNode.Field(name: "st", value: .number(0)),
      JSONNode.Field(name: "ks", value: JSONNode.object([])),
    ])
    for field in ["ip", "op"] { outer[field] = layer[field] }
    return outer
  }

  /// A black solid as wide as any composition, there at any time.
  private static let black = JSONNode.object([
    JSONNode.Field(name: "ty", value: .number(1)), JSONNode.Field(name: "ddd", value: .number(0)),
    JSONNode.Field(name: "sw", value: .number(side)),
    JSONNode.Field(name: "sh", value: .number(side)),
    JSONNode.Field(name: "sc", value: .text("#000000")),
    JSONNode.Field(name: "ks", value: JSONNode.object([])),
    JSONNode.Field(name: "ip", value: .number(-1_000_000)),
    JSONNode.Field(name: "op", value: .number(1_000_000)),
    JSONNode.Field(name: "st", value: .number(0)),
  ])

  /// The deepest nesting of mattes in mattes.
  private static let deepest = 8

  /// Side of a layer that covers any composition.
  private static let side = 16384.0
}

extension [JSONNode] {
  /// Whether the layer below is matted without naming its matte.
  fileprivate func isMatteByPlace(_ index: Int) -> Bool {
    guard indices.contains(index + 1) else { return false }
    return self[index + 1].isMatted && self[index + 1]["tp"]?.number == nil
  }

  /// The layer that mattes this one: by its number, or the one above.
  fileprivate func matte(of index: Int) -> Int? {
    guard let number = self[index]["tp"]?.number else { return index > 0 ? index - 1 : nil }
    return firstIndex { $0["ind"]?.number == number }
  }

  /// The layers that a layer is attached to, from the parent outwards; none of them is its own.
  fileprivate func ancestors(of layer: JSONNode) -> [JSONNode] {
    var found: [JSONNode] = []
    var layer = layer
    while let number = layer["parent"]?.number,
      let parent = first(where: { $0["ind"]?.number == number }), found.count < DocumentWalk.deepest
    {
      found.append(parent)
      layer = parent
    }
    return found
  }
}
