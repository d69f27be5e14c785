/// A still that lies beside videos: a cover, or a preview that somebody supplies.
public struct StillPicture: Sendable, Equatable, Codable {
  /// `png` or `jpeg`: the name of a ``StillFormat``.
  public var format: String
  /// Pixels as shown, upright.
  public var width: Int
  public var height: Int
  public var signature: PictureSignature
  /// See ``MediaFacts/contentIdentifier``; of a JPEG, as its maker note states it.
  public var contentIdentifier: String?

  /// Width over height.
  public var aspect: Double { Double(width) / Double(max(1, height)) }
  public var size: String { "\(width)x\(height)" }

  package init(
    format: String, width: Int, height: Int, signature: PictureSignature,
    contentIdentifier: String? = nil
  ) {
    self.format = format
    self.width = width
    self.height = height
    self.signature = signature
    self.contentIdentifier = contentIdentifier
  }
}
