public import ArtworkModel
import FoundationEssentials

/// A Lottie animation: its document, the timing of its frames, and the properties that can be changed before
/// rendering.
///
/// A value: changing a copy does not affect the original. ``AnimationRenderer`` renders it.
public struct Animation: Sendable, Equatable {
  /// Pixels of the composition, at most 16384 a side.
  public let size: PixelSize
  /// Frames per second. Rates such as 29.97 are the exact fraction that they stand for.
  public let frameRate: Rational
  /// The first frame of the composition's timeline; usually 0.
  public let startFrame: Int
  /// The number of frames, at least 1.
  public let frameCount: Int
  /// The markers, in the order of the document.
  public let markers: [Marker]

  /// The document, with all changes applied.
  var document: JSONNode
  /// What the archive of the document asks for, and is not drawn.
  var archiveLimitations: [Limitation] = []

  /// Reads a document.
  ///
  /// - Parameter json: UTF-8. Time and memory grow with its length: a megabyte takes about 50 MB.
  /// - Throws: `not-a-movie` for anything but an animation, `too-large` for one beyond ``JSONReader``'s limits or
  ///   with more than ``DocumentWalk/mostElements`` elements, `decode-failed` for one that contains itself.
  public init(json: [UInt8]) throws(InspectionError) {
    let document = try JSONReader.read(json)
    guard case .list = document["layers"], let width = document["w"]?.number,
      let height = document["h"]?.number, let rate = document["fr"]?.number,
      let start = document["ip"]?.number, let end = document["op"]?.number
    else {
      throw InspectionError(
        .notAMovie, "this JSON is not a Lottie animation: it needs layers, w, h, fr, ip and op")
    }
    guard let size = Self.size(width, height) else {
      throw InspectionError(
        .decodeFailed,
        "the composition has \(width)x\(height) pixels; each side needs 1 to \(Self.longestSide)")
    }
    guard let frameRate = Self.exactRate(rate) else {
      throw InspectionError(.decodeFailed, "the frame rate \(rate) is not between 0.01 and 1000")
    }
    // Exporters write 60.0000024438501 for 60.
    guard let startFrame = wholeNumber((start + 0.01).rounded(.down), as: Int32.self),
      let endFrame = wholeNumber((end + 0.01).rounded(.down), as: Int32.self)
    else {
      throw InspectionError(.decodeFailed, "its frames \(start) to \(end) are no numbers of frames")
    }
    guard endFrame > startFrame else {
      throw InspectionError(.noFrames, "it ends at frame \(end), where it starts")
    }
    self.size = size
    self.frameRate = frameRate
    self.startFrame = Int(startFrame)
    frameCount = Int(endFrame) - Int(startFrame)
    markers = Marker.all(of: document)
    self.document = document
    try DocumentWalk(document).check()
  }

  private static let longestSide = 16384

  private static func size(_ width: Double, _ height: Double) -> PixelSize? {
    let sides = [width, height].compactMap { wholeNumber($0.rounded(), as: Int.self) }
    guard sides.count == 2, sides.allSatisfy({ (1...longestSide).contains($0) }) else { return nil }
    return PixelSize(width: sides[0], height: sides[1])
  }

  /// The exact rate for a rounded number: a whole number or 1000/1001 of one if that is within a 20,000th, as
  /// 29.9700012207031 is 30000/1001; else thousandths.
  private static func exactRate(_ rate: Double) -> Rational? {
    guard (0.01...1000).contains(rate), let nearest = wholeNumber(rate.rounded(.up), as: Int64.self)
    else { return nil }
    let whole = [Rational(nearest), Rational(nearest - 1), Rational(nearest * 1000, 1001)]
    let exact = whole.compactMap(\.self).first { abs($0.value - rate) < rate / 20_000 }
    return exact
      ?? wholeNumber((rate * 1000).rounded(), as: Int64.self).flatMap { Rational($0, 1000) }
  }

  /// A point or a part of the timeline that the designer named.
  public struct Marker: Sendable, Equatable, Codable {
    public var name: String
    /// The frame that it names, on the composition's timeline.
    public var frame: Double
    /// Frames that it lasts; 0 for a point.
    public var duration: Double

    fileprivate static func all(of document: JSONNode) -> [Marker] {
      (document["markers"]?.items ?? []).compactMap { marker in
        guard let frame = marker["tm"]?.number else { return nil }
        return Marker(
          name: marker["cm"]?.text ?? "", frame: frame, duration: max(0, marker["dr"]?.number ?? 0))
      }
    }
  }
}

// MARK: - Time

extension Animation {
  /// Seconds that the animation lasts: all frames, the last one included.
  public var duration: Double { Double(frameCount) / frameRate.value }

  /// The frame after the last.
  public var endFrame: Int { startFrame + frameCount }

  /// Seconds from the start to a frame of the timeline.
  public func time(atFrame frame: Double) -> Double {
    (frame - Double(startFrame)) / frameRate.value
  }

  /// The frame of the timeline at a time in seconds.
  public func frame(atTime time: Double) -> Double { Double(startFrame) + time * frameRate.value }

  /// How much of the animation has passed at a frame: 0 at the start, 1 at the end.
  public func progress(atFrame frame: Double) -> Double {
    (frame - Double(startFrame)) / Double(frameCount)
  }

  /// The frame at a share of the animation.
  public func frame(atProgress progress: Double) -> Double {
    Double(startFrame) + progress * Double(frameCount)
  }

  /// The first marker of this name.
  public func marker(named name: String) -> Marker? { markers.first { $0.name == name } }

  /// The frame that a marker names; `nil` without such a marker.
  public func frame(forMarker name: String) -> Double? { marker(named: name)?.frame }

  /// How much of the animation has passed at a marker; `nil` without such a marker.
  public func progress(forMarker name: String) -> Double? {
    frame(forMarker: name).map(progress(atFrame:))
  }
}

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

extension Animation {
  /// The files that the document names and does not hold, as it names them: a folder and a file name, relative to the
  /// document.
  public var externalImages: [String] { externalAssets.map(\.path) }

  /// Embeds PNG and JPEG files in place of the names in the document.
  ///
  /// - Parameter images: the bytes of files, by the last part of the names in ``externalImages``; others are ignored.
  public mutating func embed(_ images: [String: [UInt8]]) {
    embed(base64: images.mapValues { Data($0).base64EncodedString() })
  }

  /// Embeds files in base64, by the last part of the names in ``externalImages``.
  mutating func embed(base64 images: [String: String]) {
    for (index, path) in externalAssets {
      guard let image = images[path.lastName] else { continue }
      let place: Place = [.field("assets"), .item(index)]
      document[place + [.field("e")]] = .number(1)
      document[place + [.field("u")]] = .text("")
      // The renderer recognises formats by their bytes.
      document[place + [.field("p")]] = .text("data:image/png;base64," + image)
    }
  }

  /// The names of assets whose picture is not in the document, or in WebP, which rlottie does not read.
  var missingImages: Set<String> {
    let assets = document["assets"]?.items ?? []
    let outside = externalAssets.compactMap { assets[$0.index]["id"]?.text }
    let unread = assets.filter { ($0["p"]?.text ?? "").hasPrefix("data:image/webp") }
    return Set(outside + unread.compactMap { $0["id"]?.text })
  }

  var externalAssets: [(index: Int, path: String)] {
    (document["assets"]?.items ?? []).enumerated().compactMap { index, asset in
      guard let name = asset["p"]?.text, asset["layers"] == nil,
        !(asset["e"]?.isSet ?? false && name.hasPrefix("data:"))
      else { return nil }
      return (index, (asset["u"]?.text ?? "") + name)
    }
  }
}

extension String {
  /// The name of a file without its folders.
  var lastName: String { split(separator: "/").last.map(String.init) ?? self }
}
