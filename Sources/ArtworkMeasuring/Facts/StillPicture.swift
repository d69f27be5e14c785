/// A still beside videos: a cover, or a supplied preview.
package struct StillPicture: Sendable, Equatable, Codable {
  /// `png` or `jpeg`: the name of a ``FileFormat``.
  package var format: String
  /// Displayed width in pixels, upright.
  package var width: Int
  package var height: Int
  package var signature: PictureSignature

  /// Width over height.
  package var aspect: Double { Double(width) / Double(max(1, height)) }
  package var size: String { "\(width)x\(height)" }

  package init(
    format: String, width: Int, height: Int, signature: PictureSignature
  ) {
    self.format = format
    self.width = width
    self.height = height
    self.signature = signature
  }
}
