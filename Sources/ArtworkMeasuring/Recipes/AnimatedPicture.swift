/// The parameters of an animated picture: a file that browsers, chats and servers display in place of a still.
public struct AnimatedPicture: Sendable, Equatable, Codable {
  /// One of ``FileFormat/animations``.
  public var format: FileFormat
  /// Size of the pictures; `nil` for that of the source.
  public var size: PixelSize?
  /// libwebp's scale for WebP, 0 to 100; the number of colours for GIF, 2 to 255; for AVIF and WebM 63 less the constant
  /// quality of libaom and libvpx. PNG has no loss.
  public var quality: Int
  /// Whether the file is a copy of the source, which is of this format, that repeats without end.
  package var isCopy = false
  /// Whether the source is transparent somewhere, which AVIF and WebM keep in a second picture for each frame.
  package var isTransparent = false

  public init(format: FileFormat, size: PixelSize? = nil, quality: Int? = nil) {
    precondition(FileFormat.animations.contains(format), "a format of moving pictures")
    (self.format, self.size) = (format, size)
    self.quality = quality ?? format.qualities.first ?? 0
  }

  /// How far a colour of a GIF may be from the one that stands for it where that saves bytes, in levels: with 255 colours
  /// not at all. At equal bytes, more colours and more loss show more than fewer of both.
  package var colorLoss: Double { min(30, 0.21 * Double(255 - quality)) }
}
