public import ArtworkModel

extension Animation {
  /// The features of this animation that are not rendered as players do, from the outermost layer inwards. Elements
  /// that are never visible, because they are hidden or outside the timeline, do not count.
  public var limitations: [Limitation] {
    var found = archiveLimitations
    var seen: Set<Limitation> = []
    // Layers without a picture move others, but are outside the timeline or always under a hidden element. The
    // contents of an element follow it, and have longer paths.
    var hiddenDepth = Int.max
    let missing = missingImages
    for element in elements where element.names.count <= hiddenDepth {
      guard !element.visibleFrames.isEmpty, !(element.node["hd"]?.isSet ?? false) else {
        hiddenDepth = element.names.count
        continue
      }
      hiddenDepth = .max
      var features = element.limitations(missing: missing)
      if isStretchedStroke(element) {
        features.append((.stretchedStroke, element.node["nm"]?.text))
      }
      for (feature, detail) in features {
        let limitation = Limitation(
          feature: feature, layer: element.layerKeypath, detail: detail,
          frame: element.visibleFrames.lowerBound)
        if seen.insert(limitation).inserted { found.append(limitation) }
      }
    }
    return found
  }

  /// How much wider a stroke is in one direction, as a share of the picture's shorter side, before anybody sees it.
  private static let leastStretch = 0.03

  /// Whether a group or the layer that the stroke belongs to stretches it at all times, so that it is visibly wider in one
  /// direction.
  private func isStretchedStroke(_ element: Element) -> Bool {
    guard case .shape(let shape) = element.kind, [.stroke, .gradientStroke].contains(shape),
      let width = element.node["w"]?["k"]?.number
    else { return false }
    var scale = [width, width]
    for end in element.place.indices {
      let parent: JSONNode? =
        switch element.place[end] {
        case .field("shapes"): document[element.place[..<end]]?["ks"]
        case .field("it"):
          document[element.place[..<end]]?["it"]?.items.first { $0["ty"] == .text("tr") }
        default: nil
        }
      let percent = parent?["s"]?["k"]?.items.compactMap(\.number) ?? []
      if percent.count > 1 { scale = zip(scale, percent).map { $0 * abs($1) / 100 } }
    }
    return abs(scale[0] - scale[1]) > Self.leastStretch * Double(min(size.width, size.height))
  }
}

extension Element {
  fileprivate func limitations(
    missing: Set<String>
  ) -> [(Limitation.Feature, detail: String?)] {
    var found: [(Limitation.Feature, detail: String?)] = []
    if let expression = node.ownExpression(of: kind) { found.append((.expression, expression)) }
    switch kind {
    case .layer(let layer): found += limitations(of: layer, missing)
    case .shape(let shape):
      switch shape {
      case .mergePaths: found.append((.mergePaths, nil))
      case .roundedCorners, .offsetPath, .puckerAndBloat, .twist, .zigZag:
        found.append((.modifier, shape.title))
      default: break
      }
      if node.hasBlendMode { found.append((.blendMode, node["nm"]?.text)) }
    case .transform:
      if node["sk"].map(\.isNotZero) ?? false { found.append((.skew, nil)) }
      if node["or"].map(\.isNotZero) ?? false { found.append((.depth, "orientation")) }
    }
    return found
  }

  private func limitations(
    of layer: LayerKind, _ missing: Set<String>
  ) -> [(Limitation.Feature, detail: String?)] {
    var found: [(Limitation.Feature, detail: String?)] = []
    switch layer {
    case .text: found.append((.text, node["t"]?["d"]?["k"]?[0]?["s"]?["t"]?.text))
    case .audio, .videoPlaceholder, .imageSequence, .video, .imagePlaceholder, .adjustment, .camera,
      .light:
      found.append((.layer, layer.title.lowercased()))
    case .image:
      if let name = node["refId"]?.text, missing.contains(name) { found.append((.image, name)) }
    case .precomposition, .solid, .null, .shape, .guide, .data: break
    }
    for effect in node["ef"]?.items ?? [] where effect.isVisibleEffect {
      found.append((.effect, effect["nm"]?.text))
    }
    for style in node["sy"]?.items ?? [] { found.append((.layerStyle, style["nm"]?.text)) }
    if node.hasBlendMode { found.append((.blendMode, nil)) }
    if !(node["ddd"]?.isSet ?? false), ["rx", "ry"].contains(where: isTurned) {
      found.append((.depth, "rotation"))
    }
    for (index, mask) in node.effectiveMasks.enumerated()
    where mask.isMaskBeyondRenderer(isFirst: index == 0) {
      found.append((.mask, mask["nm"]?.text))
    }
    return found
  }

  private func isTurned(about axis: String) -> Bool { node["ks"]?[axis]?.isNotZero ?? false }
}

extension JSONNode {
  fileprivate var hasBlendMode: Bool { (self["bm"]?.number ?? 0) != 0 }

  /// Controls, whose values only expressions read, have numbers up to 5 and 7 (Lottie specification 1.0, effects).
  fileprivate var isVisibleEffect: Bool {
    guard let type = self["ty"]?.number, self["en"]?.isSet ?? true else { return false }
    return type > 7 || type == 6
  }

  fileprivate func isMaskBeyondRenderer(isFirst: Bool) -> Bool {
    let mode = self["mode"]?.text
    return ["l", "d"].contains(mode) || self["x"].map(\.isNotZero) ?? false
      || self["f"].map(\.isNotZero) ?? false
      || (self["inv"]?.isSet ?? false) && (mode == "f" || mode == "a" && !isFirst)
  }

  /// Whether a property has a number other than 0 at any time.
  fileprivate var isNotZero: Bool {
    switch self {
    case .number(let number): number != 0
    case .list(let items): items.contains(where: \.isNotZero)
    case .object: self["k"]?.isNotZero ?? self["s"]?.isNotZero ?? false
    case .null, .bool, .text: false
    }
  }

  /// The name of the first property with an expression that belongs to this element and not to those inside.
  fileprivate func ownExpression(of kind: ElementKind) -> String? {
    guard case .object(let fields) = self else { return nil }
    // These are separate elements, or do not matter.
    let others: Set<String> =
      if case .layer = kind { ["ks", "shapes", "ef", "layers"] } else { ["it", "tr"] }
    return fields.first { !others.contains($0.name) && $0.value.hasExpression(depth: 0) }?.name
  }

  private func hasExpression(depth: Int) -> Bool {
    // A text document keeps its properties six levels down.
    guard depth < 8 else { return false }
    switch self {
    case .object(let fields):
      return self["x"]?.text != nil && self["k"] != nil
        || fields.contains { $0.value.hasExpression(depth: depth + 1) }
    case .list(let items):
      // Keyframes and numbers have none.
      return items.contains { $0["t"] == nil && $0.hasExpression(depth: depth + 1) }
    default: return false
    }
  }
}
