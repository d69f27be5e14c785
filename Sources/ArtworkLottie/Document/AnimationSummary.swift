public import ArtworkModel

/// A summary of an animation, for people who want to change or render it. Field names are part of the JSON contract
/// of `artworkd lottie info`.
public struct AnimationSummary: Sendable, Equatable, Codable {
  public var form: AnimationFile.Form
  /// The animations of a dotLottie archive, of which this is one; empty for other forms.
  public var animations: [String]
  public var name: String?
  /// Version of the format, as the exporter wrote it.
  public var version: String?
  /// The exporter.
  public var generator: String?
  public var width: Int
  public var height: Int
  public var frameRate: Rational
  public var startFrame: Int
  public var frameCount: Int
  public var durationSeconds: Double
  public var markers: [Animation.Marker]
  public var layers: [Layer]
  public var properties: [Property]
  public var fonts: [String]
  /// Names of image files that are not in the document.
  public var externalImages: [String]
  public var unsupported: [Limitation]

  public struct Layer: Sendable, Equatable, Codable {
    public var keypath: String
    /// `shape`, `image`, `precomposition`, ...
    public var kind: String
    /// The first frame of the composition in which it may be visible.
    public var firstFrame: Int
    public var endFrame: Int
    public var isHidden: Bool
  }

  /// A property that can be set.
  public struct Property: Sendable, Equatable, Codable {
    public var keypath: String
    /// The value at the first frame, as it can be set; `nil` if the document has none.
    public var value: String?
    public var isAnimated: Bool
  }
}

extension AnimationFile {
  /// Describes the animation. Takes as long as reading it.
  public var summary: AnimationSummary { animation.summary(form, names) }
}

extension Animation {
  fileprivate func summary(_ form: AnimationFile.Form, _ names: [String]) -> AnimationSummary {
    let elements = elements
    var seen: Set<String> = []
    let properties = elements.flatMap { element in
      ElementProperty.all(of: element.kind).compactMap { property -> AnimationSummary.Property? in
        let keypath = AnimationKeypath(element.names + [property.title]).description
        guard seen.insert(keypath).inserted else { return nil }
        let node = element.node[property.field]
        let numbers = node.map {
          AnimatedProperty($0).numbers(at: element.clock.local(Double(startFrame)))
        }
        return AnimationSummary.Property(
          keypath: keypath,
          value: numbers.flatMap { AnimationValue($0, shape: property.shape) }?.description,
          isAnimated: node.map { AnimatedProperty($0).isAnimated } ?? false)
      }
    }
    func text(_ fields: String...) -> String? {
      let place = fields.map(PlaceStep.field)
      return document[place]?.text.flatMap { $0.isEmpty ? nil : $0 }
    }
    return AnimationSummary(
      form: form, animations: names, name: text("nm"), version: text("v"),
      generator: text("meta", "g"), width: size.width, height: size.height, frameRate: frameRate,
      startFrame: startFrame, frameCount: frameCount, durationSeconds: duration, markers: markers,
      layers: elements.compactMap(\.summary), properties: properties,
      fonts: (document["fonts"]?["list"]?.items ?? []).compactMap {
        $0["fName"]?.text ?? $0["fFamily"]?.text
      }, externalImages: externalImages, unsupported: limitations)
  }
}

extension Element {
  fileprivate var summary: AnimationSummary.Layer? {
    guard case .layer(let kind) = kind else { return nil }
    let frames = visibleFrames
    return AnimationSummary.Layer(
      keypath: keypath, kind: kind.title.lowercased(), firstFrame: frames.lowerBound,
      endFrame: frames.upperBound,
      isHidden: node["hd"]?.isSet ?? false)
  }
}
