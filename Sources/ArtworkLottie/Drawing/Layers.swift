import ArtworkModel

extension JSONNode {
  /// A layer as rlottie expects it. rlottie treats a layer without `ddd` as three-dimensional. In others it refuses
  /// rotation in depth, fractions where it expects integers, and `1` for `true`. It does not invert masks, draws
  /// nothing of a layer with a mask without a mode or under a matte that has one shape, draws solids without a
  /// colour white instead of black, and rounds the frames where a layer begins and ends.
  ///
  /// - Parameters:
  ///   - rate: frames per second of the animation.
  ///   - startFraction: of the frame that the animation begins with, for the layers that begin with it.
  func drawnLayer(rate: Double, startFraction: Double) -> JSONNode {
    var layer = self
    // These are not drawn.
    for name in ["ef", "sy", "t"] { layer[name] = nil }
    for name in ["w", "h", "sw", "sh", "ind", "parent"] { layer[name] = layer[name]?.rounded }
    for name in ["ip", "op"] {
      layer[name] = layer[name]?.number.map { .number(($0 - startFraction).rounded(.up)) }
    }
    if let isHidden = layer["hd"] { layer["hd"] = .bool(isHidden.isSet) }
    if layer["ddd"] == nil { layer["ddd"] = .number(0) }
    layer["tm"] = layer["tm"]?.drawnTimeRemap(rate: rate)
    layer.replaceMasks()
    if let shapes = layer["shapes"] {
      layer["shapes"] = .list(Self.drawnShapes(shapes.items))
    }
    if let transform = layer["ks"] {
      layer["ks"] = transform.drawnTransform(isFlat: !(layer["ddd"]?.isSet ?? false))
    }
    if layer.layerType == 4, layer.isMatted, let empty = Self.emptyShape {
      layer["shapes"] = .list((layer["shapes"]?.items ?? []) + [empty])
    }
    if layer.layerType == 1, layer["sc"] == .text("") { layer["sc"] = .text("#000000") }
    return layer.beginning(with: ["ty", "ddd"])
  }

  var layerType: Int? { self["ty"]?.number.flatMap { Int(exactly: $0) } }

  /// Whether another layer determines where it is visible.
  var isMatted: Bool { self["tt"]?.number ?? 0 != 0 }

  var isMattedByBrightness: Bool { (self["tt"]?.number ?? 0) >= 3 }

  /// Whether it is visible where its matte is not.
  var isMattedInversely: Bool { [2, 4].contains(self["tt"]?.number) }

  /// Whether its time holds that of another layer.
  func isThere(throughout other: JSONNode) -> Bool {
    (self["ip"]?.number ?? 0) <= (other["ip"]?.number ?? 0)
      && (self["op"]?.number ?? 0) >= (other["op"]?.number ?? 0)
  }

  /// A mask of mode `n` exists only for reference by others, and hides nothing.
  var effectiveMasks: [JSONNode] {
    (self["masksProperties"]?.items ?? []).filter { $0["mode"] != .text("n") }
  }

  private mutating func replaceMasks() {
    let masks = effectiveMasks
    self["hasMask"] = masks.isEmpty ? nil : .bool(true)
    self["masksProperties"] =
      masks.isEmpty
      ? nil : .list(masks.indices.map { masks[$0].drawnMask(isFirst: $0 == 0) })
  }

  /// The complement of an inverted mask equals another mode without inversion. A mask that is added to others is not
  /// changed.
  private func drawnMask(isFirst: Bool) -> JSONNode {
    var mask = self
    for name in ["pt", "o"] { mask[name] = mask[name]?.drawnProperty }
    let isInverted = mask["inv"]?.isSet ?? false
    mask["inv"] = .bool(isInverted)
    guard isInverted else { return mask }
    switch self["mode"]?.text {
    case "a" where isFirst, "i": mask["mode"] = .text("s")
    case "s": mask["mode"] = .text("i")
    default: return mask
    }
    mask["inv"] = .bool(false)
    return mask
  }

  /// A rectangle without an extent.
  private static let emptyShape = try? JSONReader.read(
    Array(
      #"{"ty":"gr","it":[{"ty":"rc","p":{"a":0,"k":[0,0]},"s":{"a":0,"k":[0,0]},"r":{"a":0,"k":0}},{"ty":"fl","c":{"a":0,"k":[0,0,0,1]},"o":{"a":0,"k":100}},{"ty":"tr"}]}"#
        .utf8))

  /// The transform of a layer or a group.
  ///
  /// - Parameter isFlat: whether the layer is not rotated in depth. Its rotation may be named `rz`, and others are
  ///   left out.
  func drawnTransform(isFlat: Bool = true) -> JSONNode {
    guard case .object = self else { return self }
    var transform = self
    if isFlat {
      if let turn = transform["rz"] { transform["r"] = transform["r"] ?? turn }
      for name in ["rx", "ry", "rz", "or"] { transform[name] = nil }
    }
    if let opacity = opacityWhereFlat { transform["o"] = opacity }
    for name in ["a", "s", "r", "rx", "ry", "rz", "sk", "sa"] {
      transform[name] = transform[name]?.drawnProperty
    }
    for name in ["o", "so", "eo"] {
      transform[name] = transform[name]?.drawnProperty(within: 0...100)
    }
    transform["p"] = transform["p"]?.drawnPosition
    return transform
  }

  /// A position, which may be a property for each direction.
  var drawnPosition: JSONNode {
    guard self["x"]?["k"] != nil else { return drawnProperty }
    var position = self
    for name in ["x", "y", "z"] { position[name] = position[name]?.drawnProperty }
    position["s"] = .bool(true)
    // That it is two properties must come before them.
    return position.beginning(with: ["s"])
  }
}

extension JSONNode {
  /// The opacity of a transform that hides its contents while its scale is zero in one direction: rlottie draws lines
  /// there with their whole width. `nil` if the scale never is.
  var opacityWhereFlat: JSONNode? {
    guard let scale = self["s"] else { return nil }
    let size = AnimatedProperty(scale)
    let opacity = AnimatedProperty(self["o"] ?? .still(.number(100)))
    func shown(at frame: Double) -> Double {
      size.numbers(at: frame).prefix(2).contains(0) ? 0 : opacity.numbers(at: frame).first ?? 100
    }
    guard size.isAnimated else {
      return size.numbers(at: 0).prefix(2).contains(0) ? .still(.number(0)) : nil
    }
    let times = Self.heldTimes(of: [scale, self["o"]])
    guard times.count > 1, times.contains(where: { size.numbers(at: $0).prefix(2).contains(0) })
    else { return nil }
    return Self.animated(times.map { Self.held(.list([.number(shown(at: $0))]), at: $0) })
  }
}
