/// The changes to an animation before it is rendered, and the part to render.
public struct AnimationEdits: Sendable, Equatable, Codable {
  /// Which animation of a dotLottie archive; the first if `nil`.
  public var animation: String?
  public var values: [Setting] = []
  public var switches: [Switch] = []
  /// The marker whose frames alone are rendered; all frames if `nil`.
  public var marker: String?
  /// The first frame; the start of the animation or the marker if `nil`.
  public var start: AnimationTime?

  /// Image files that the document names, in base64, by their names without folders.
  public var images: [String: String] = [:]

  public init() {}

  /// Whether there are any changes.
  public var changesAnimation: Bool { self != AnimationEdits() }

  /// A keypath to a property, and its value in text form: `12`, `10,20` or `#ff3300`.
  public struct Setting: Sendable, Equatable, Codable {
    public var keypath: String
    public var value: String

    public init(keypath: String, value: String) {
      self.keypath = keypath
      self.value = value
    }
  }

  /// A keypath to layers or shapes, and whether they are shown or hidden.
  public struct Switch: Sendable, Equatable, Codable {
    public var keypath: String
    public var isShown: Bool

    public init(keypath: String, isShown: Bool) {
      self.keypath = keypath
      self.isShown = isShown
    }
  }
}
