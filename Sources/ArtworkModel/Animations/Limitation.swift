/// Something in an animation that ``AnimationRenderer`` leaves out or draws in another way than players do.
public struct Limitation: Sendable, Hashable, Codable {
  /// Unsupported features. Tests draw a document with each of them and one without, and find no difference
  /// (``Limitation``Tests).
  public enum Feature: String, Sendable, Codable, CaseIterable {
    case text
    /// Layers of sound, video, a camera or a light, and placeholders.
    case layer = "layer-type"
    /// Pictures that are not in the document and were not supplied, and those in WebP.
    case image = "missing-image"
    /// Blur, drop shadow, fill and the like; not the controls of expressions.
    case effect
    /// The values of keyframes are drawn, or the value without them.
    case expression
    case mergePaths = "merge-paths"
    /// Rounded corners, offset paths, pucker and bloat, twist, zig zag.
    case modifier = "shape-modifier"
    case layerStyle = "layer-style"
    case blendMode = "blend-mode"
    case skew
    /// Masks that lighten or darken, that are feathered, expanded or contracted, and inverted ones that are added to
    /// others.
    case mask
    /// Perspective: depth and orientation of three-dimensional layers, and turns in depth of others.
    case depth = "three-dimensional"
    /// Gradients, images and texts of a theme in a dotLottie archive.
    case theme
    /// What changes the animation while it plays.
    case stateMachine = "state-machine"
    /// Strokes that are stretched in one direction, so that they are wider there.
    case stretchedStroke = "stretched-stroke"

    /// A few words, in the plural.
    public var title: String {
      switch self {
      case .text: "texts"
      case .layer: "layers of sound, video or light"
      case .image: "images outside the file or in WebP"
      case .effect: "effects"
      case .expression: "expressions"
      case .mergePaths: "merged paths"
      case .modifier: "shape modifiers"
      case .layerStyle: "layer styles"
      case .blendMode: "blend modes"
      case .skew: "skewed shapes"
      case .mask: "masks of some kinds"
      case .depth: "turns in depth"
      case .theme: "parts of themes"
      case .stateMachine: "state machines"
      case .stretchedStroke: "the uneven widths of stretched strokes"
      }
    }
  }

  public var feature: Feature
  /// The layer, as a keypath.
  public var layer: String
  /// The detail, in the document's own words if it has some: the name of an effect, the type of a modifier.
  public var detail: String?
  /// The first frame of the composition that may show it.
  public var frame: Int

  public init(feature: Feature, layer: String, detail: String? = nil, frame: Int) {
    self.feature = feature
    self.layer = layer
    self.detail = detail
    self.frame = frame
  }
}
