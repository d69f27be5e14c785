public import ArtworkModel

/// The changes to an animation before it is rendered, and the part to render.
public struct AnimationEdits: Sendable, Equatable, Codable {
  /// Which animation of a dotLottie archive; the first if `nil`.
  public var animation: String?
  public var values: [Setting] = []
  public var switches: [Switch] = []
  /// Only the frames of this marker.
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

extension Animation {
  /// Makes the changes in their order, values before switches.
  ///
  /// - Returns: the numbers of the frames to draw, 0 for the first of the animation; at least one.
  /// - Throws: `no-match` for names that do not exist, and for a part without a frame.
  public mutating func apply(_ edits: AnimationEdits) throws(InspectionError) -> Range<Int> {
    embed(base64: edits.images)
    for setting in edits.values {
      try setValue(text: setting.value, for: AnimationKeypath(keypath: setting.keypath))
    }
    for change in edits.switches {
      try setEnabled(change.isShown, for: AnimationKeypath(keypath: change.keypath))
    }
    var part = Double(startFrame)..<Double(endFrame)
    if let marker = edits.marker { part = try frames(ofMarker: marker) }
    if let start = edits.start {
      let first = try frame(at: start)
      part = first..<max(first, part.upperBound)
    }
    let first = wholeNumber(part.lowerBound.rounded(.up), as: Int.self) ?? endFrame
    let end = wholeNumber(part.upperBound.rounded(.up), as: Int.self) ?? endFrame
    let frames = max(first, startFrame)..<max(first, startFrame, min(end, endFrame))
    guard !frames.isEmpty else {
      throw InspectionError(
        .noMatch,
        "there is no frame \(first); the animation has frames \(startFrame) to \(endFrame - 1)")
    }
    return frames.lowerBound - startFrame..<frames.upperBound - startFrame
  }
}
