import ArtworkModel

extension Animation {
  /// The document for rlottie: one that opens no file, and that rlottie reads as it is meant.
  ///
  /// rlottie takes a document as Bodymovin writes it. It loses fields that come before the type, takes a layer that does not
  /// say `ddd` for a three-dimensional one, shows hidden groups, does not invert masks, turns polystars twice as far, draws
  /// solids without a colour white, and draws nothing of a layer under a matte that has one shape. Tests draw each of these.
  var drawn: JSONNode {
    var drawn = document
    for (index, _) in externalAssets {
      let place: Place = [.field("assets"), .item(index)]
      drawn[place + [.field("e")]] = .number(1)
      drawn[place + [.field("p")]] = .text("")
    }
    if drawn["v"]?.text ?? "" == "" { drawn["v"] = .text("5.5.0") }
    drawn["w"] = .number(Double(size.width))
    drawn["h"] = .number(Double(size.height))
    drawn["ip"] = .number(Double(startFrame))
    drawn["op"] = .number(Double(endFrame))
    // Nothing of these is drawn.
    drawn["fonts"] = nil
    drawn["chars"] = nil
    drawn["layers"] = .list((document["layers"]?.items ?? []).map(\.drawnLayer))
    for (index, asset) in (document["assets"]?.items ?? []).enumerated() {
      guard let layers = asset["layers"] else { continue }
      drawn[[PlaceStep.field("assets"), .item(index), .field("layers")]] = .list(
        layers.items.map(\.drawnLayer))
    }
    return drawn
  }
}

extension JSONNode {
  fileprivate var drawnLayer: JSONNode {
    var layer = self
    // Nothing of these is drawn.
    for name in ["ef", "sy", "t"] { layer[name] = nil }
    if layer["ddd"] == nil { layer["ddd"] = .number(0) }
    let masks = layer["masksProperties"]?.items ?? []
    if !masks.isEmpty {
      layer["hasMask"] = .bool(true)
      layer["masksProperties"] = .list(masks.indices.map { masks[$0].drawnMask(isFirst: $0 == 0) })
    }
    if let shapes = layer["shapes"] {
      layer["shapes"] = .list(shapes.items.compactMap(\.drawnShape))
    }
    if let transform = layer["ks"] { layer["ks"] = transform.drawnTransform }
    if layer["ty"] == .number(4), layer["tt"]?.number ?? 0 != 0, let empty = Self.emptyShape {
      layer["shapes"] = .list((layer["shapes"]?.items ?? []) + [empty])
    }
    // A solid without a colour.
    if layer["ty"] == .number(1), layer["sc"] == .text("") { layer["hd"] = .bool(true) }
    return layer.beginning(with: ["ty", "ddd"])
  }

  /// A rectangle without an extent.
  private static let emptyShape = try? JSONReader.read(
    Array(
      #"{"ty":"gr","it":[{"ty":"rc","p":{"a":0,"k":[0,0]},"s":{"a":0,"k":[0,0]},"r":{"a":0,"k":0}},{"ty":"fl","c":{"a":0,"k":[0,0,0,1]},"o":{"a":0,"k":100}},{"ty":"tr"}]}"#
        .utf8))

  /// `nil` for one that is hidden.
  fileprivate var drawnShape: JSONNode? {
    if self["hd"]?.isSet ?? false { return nil }
    var shape = self
    if let items = shape["it"] { shape["it"] = .list(items.items.compactMap(\.drawnShape)) }
    if shape["ty"] == .text("tr") { shape = shape.drawnTransform }
    if shape["ty"] == .text("sr") { shape["r"] = shape["r"]?.halved }
    return shape.beginning(with: ["ty"])
  }

  /// A property of half the value, at all times.
  private var halved: JSONNode {
    switch self {
    case .number(let number): return .number(number / 2)
    case .list(let items): return .list(items.map(\.halved))
    case .object:
      var property = self
      for name in ["k", "s", "e"] { property[name] = property[name]?.halved }
      return property
    case .null, .bool, .text: return self
    }
  }

  /// What an inverted mask leaves is what another mode leaves without. One that is added to others stays as it is.
  private func drawnMask(isFirst: Bool) -> JSONNode {
    guard self["inv"]?.isSet ?? false else { return self }
    var mask = self
    switch self["mode"]?.text {
    case "a" where isFirst, "i": mask["mode"] = .text("s")
    case "s": mask["mode"] = .text("i")
    default: return self
    }
    mask["inv"] = .bool(false)
    return mask
  }

  fileprivate var drawnTransform: JSONNode {
    guard let position = self["p"], position["x"] != nil else { return self }
    var transform = self
    // That it is two properties must come before them.
    transform["p"] = position.beginning(with: ["s"])
    return transform
  }

  /// With these fields first, in this order, where it has them.
  private func beginning(with names: [String]) -> JSONNode {
    guard case .object(let fields) = self else { return self }
    let first = names.compactMap { name in fields.last { $0.name == name } }
    return .object(first + fields.filter { !names.contains($0.name) })
  }
}
