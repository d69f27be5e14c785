import ArtworkModel

extension Animation {
  /// The document for rlottie: one that names no files, and that rlottie interprets as intended.
  ///
  /// rlottie expects documents as written by Bodymovin 5. Other forms that the format allows are rewritten, each kind
  /// in a file beside this one, and tests draw each: fields and their types (here), layers (`JSONNode+Layers`),
  /// mattes (`LayerList`), shapes (`JSONNode+Shapes`), properties over time (`JSONNode+Keyframes`), time remaps
  /// (`JSONNode+TimeRemap`).
  var drawn: JSONNode {
    var drawn = document.withoutNulls
    for (index, _) in externalAssets {
      let place: Place = [.field("assets"), .item(index)]
      drawn[place + [.field("e")]] = .number(1)
      drawn[place + [.field("p")]] = .text("")
    }
    if drawn["v"]?.text ?? "" == "" { drawn["v"] = .text("5.5.0") }
    drawn["w"] = .number(Double(size.width))
    drawn["h"] = .number(Double(size.height))
    drawn["ip"] = .number(Double(startFrame))
    drawn["op"] = .number(Double(max(endFrame, drawn.lastRemappedFrame(rate: frameRate.value))))
    // These are not drawn.
    drawn["fonts"] = nil
    drawn["chars"] = nil
    drawn["markers"] = nil
    var assets: [JSONNode] = []
    var lists = LayerList(
      rate: frameRate.value,
      startFraction: (document["ip"]?.number ?? 0) - Double(startFrame))
    drawn["layers"] = .list(lists.drawn(drawn["layers"]?.items ?? []))
    for var asset in drawn["assets"]?.items ?? [] {
      if let layers = asset["layers"] { asset["layers"] = .list(lists.drawn(layers.items)) }
      for name in ["w", "h"] { asset[name] = asset[name]?.rounded }
      assets.append(asset)
    }
    drawn["assets"] = .list(assets + lists.assets)
    return drawn
  }
}

extension Animation {
  /// Whether it contains raster images.
  var hasPictures: Bool {
    document["assets"]?.items.contains { $0["p"]?.text?.isEmpty == false } ?? false
  }

  /// Whether rlottie draws a frame otherwise when others were drawn before it.
  var remembersFrames: Bool {
    let lists =
      [document["layers"]?.items ?? []]
      + (document["assets"]?.items ?? []).map { $0["layers"]?.items ?? [] }
    return lists.joined().contains(where: \.hasNestedTrims)
  }
}

extension JSONNode {
  /// Without fields that are null. Lists keep their length.
  var withoutNulls: JSONNode {
    switch self {
    case .object(let fields):
      .object(
        fields.compactMap { field in
          field.value == .null ? nil : Field(name: field.name, value: field.value.withoutNulls)
        })
    case .list(let items): .list(items.map(\.withoutNulls))
    case .null, .bool, .number, .text: self
    }
  }

  /// A number as rlottie reads one that has to be whole; other nodes unchanged.
  var rounded: JSONNode { number.map { .number($0.rounded()) } ?? self }

  /// Returns the object with these fields first, in this order: rlottie loses fields that come before the type.
  func beginning(with names: [String]) -> JSONNode {
    guard case .object(let fields) = self else { return self }
    let first = names.compactMap { name in fields.last { $0.name == name } }
    return .object(first + fields.filter { !names.contains($0.name) })
  }
}
