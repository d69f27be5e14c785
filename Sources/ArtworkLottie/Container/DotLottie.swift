import ArtworkModel

/// An archive of animations (dotLottie 1.0 and 2.0, dotlottie.io).
struct DotLottie {
  private let archive: ZIPArchive
  private let manifest: JSONNode
  /// Names of the animations, in the order of the manifest.
  let names: [String]
  private let folders: (animations: String, images: String, themes: String)

  init(_ archive: ZIPArchive) throws(InspectionError) {
    self.archive = archive
    guard let manifest = try archive.file("manifest.json") else {
      throw InspectionError(.notAMovie, "this ZIP archive is no dotLottie: it has no manifest.json")
    }
    self.manifest = try JSONReader.read(manifest)
    names = (self.manifest["animations"]?.items ?? []).compactMap { $0["id"]?.text }
    let isSecond = archive.names.contains { $0.hasPrefix("a/") }
    folders = isSecond ? ("a/", "i/", "t/") : ("animations/", "images/", "themes/")
  }

  /// - Parameter name: the one that players begin with if `nil`.
  func animation(named name: String?) throws(InspectionError) -> Animation {
    let initial =
      manifest["initial"]?["animation"]?.text ?? manifest["activeAnimationId"]?.text
    guard let first = initial.flatMap({ names.contains($0) ? $0 : nil }) ?? names.first else {
      throw InspectionError(.noVideo, "the archive lists no animation")
    }
    if let name, !names.contains(name) {
      throw InspectionError(
        .noMatch,
        "the archive has no animation '\(name)'"
          + NearestWord.suggestion(for: name, among: names))
    }
    let chosen = name ?? first
    let file = "\(folders.animations)\(chosen).json"
    guard let json = try archive.file(file) else {
      throw InspectionError(.decodeFailed, "the archive lacks its file \(file)")
    }
    var animation = try AnimationFile.animation(json)
    func limit(_ feature: Limitation.Feature, _ detail: String) {
      animation.archiveLimitations.append(
        Limitation(feature: feature, layer: chosen, detail: detail, frame: animation.startFrame))
    }
    if let theme = theme(of: chosen) {
      for rule in try rules(of: theme, for: chosen) where !animation.document.apply(rule) {
        limit(.theme, "\(theme): \(rule["id"]?.text ?? "a rule without a name")")
      }
    }
    if let machine = manifest["initial"]?["stateMachine"]?.text { limit(.stateMachine, machine) }
    var images: [String: [UInt8]] = [:]
    for path in animation.externalImages {
      // Documents name their own folder, such as /images/.
      let name = path.lastName
      images[name] = try archive.file(folders.images + name)
    }
    animation.embed(images)
    return animation
  }

  /// The theme that players begin with.
  private func theme(of animation: String) -> String? {
    let entry = manifest["animations"]?.items.first { $0["id"]?.text == animation }
    return (entry?["initialTheme"] ?? entry?["defaultTheme"])?.text
  }

  private func rules(
    of theme: String, for animation: String
  ) throws(InspectionError) -> [JSONNode] {
    guard let file = try archive.file(folders.themes + theme + ".json") else {
      throw InspectionError(.decodeFailed, "the archive lacks its theme \(theme)")
    }
    return (try JSONReader.read(file)["rules"]?.items ?? []).filter { rule in
      guard let only = rule["animations"]?.items, !only.isEmpty else { return true }
      return only.contains { $0.text == animation }
    }
  }
}

extension JSONNode {
  /// Sets the properties with the slot that a rule of a theme names (dotLottie 2.0, "Themes").
  ///
  /// - Returns: `false` for a rule of a kind that is not read.
  fileprivate mutating func apply(_ rule: JSONNode) -> Bool {
    guard let slot = rule["id"]?.text,
      ["Color", "Scalar", "Position", "Vector"].contains(rule["type"]?.text),
      rule["expression"] == nil
    else { return false }
    let frames = rule["keyframes"]?.items ?? []
    guard frames.isEmpty else {
      let drawn = frames.enumerated().map { number, frame in
        var fields = [
          Field(name: "t", value: frame["frame"] ?? .number(0)),
          Field(name: "s", value: frame["value"]?.listed ?? .list([])),
        ]
        if number < frames.count - 1 {
          fields.append(Field(name: "i", value: frame["inTangent"] ?? .null))
          fields.append(Field(name: "o", value: frame["outTangent"] ?? .null))
        }
        if frame["hold"] == .bool(true) { fields.append(Field(name: "h", value: .number(1))) }
        return JSONNode.object(fields).withoutNulls
      }
      setSlots(slot, isAnimated: true, .list(drawn))
      return true
    }
    guard let value = rule["value"] else { return false }
    setSlots(slot, isAnimated: false, value)
    return true
  }

  /// A number as a list of one.
  private var listed: JSONNode { number == nil ? self : .list([self]) }

  private mutating func setSlots(_ slot: String, isAnimated: Bool, _ value: JSONNode) {
    switch self {
    case .object(var fields):
      for index in fields.indices {
        fields[index].value.setSlots(slot, isAnimated: isAnimated, value)
      }
      self = .object(fields)
      guard self["sid"]?.text == slot else { return }
      self["a"] = .number(isAnimated ? 1 : 0)
      self["k"] = value
    case .list(var items):
      for index in items.indices { items[index].setSlots(slot, isAnimated: isAnimated, value) }
      self = .list(items)
    case .null, .bool, .number, .text: break
    }
  }
}
