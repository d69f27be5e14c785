/// The parameters of an animated picture: a file that browsers, chats and servers display in place of a still. WebM is
/// a video, for browsers, that keeps transparency as the pictures do.
public struct AnimatedPicture: Sendable, Equatable, Codable {
  public enum Format: String, Sendable, Codable, CaseIterable {
    case webp, png, gif, avif, webm
  }

  public var format: Format
  /// Size of the pictures; `nil` for that of the source.
  public var size: PixelSize?
  /// libwebp's scale for WebP, 0 to 100; the number of colours for GIF, 2 to 255; for AVIF and WebM 63 less the constant
  /// quality of libaom and libvpx. PNG has no loss.
  public var quality: Int
  /// Whether the file is a copy of the source, which is of this format, that repeats without end.
  package var isCopy = false
  /// Whether the source is transparent somewhere, which AVIF and WebM keep in a second picture for each frame.
  package var isTransparent = false

  public init(format: Format, size: PixelSize? = nil, quality: Int? = nil) {
    (self.format, self.size) = (format, size)
    self.quality = quality ?? format.qualities.first ?? 0
  }

  /// How far a colour of a GIF may be from the one that stands for it where that saves bytes, in levels: with 255 colours
  /// not at all. At equal bytes, more colours and more loss show more than fewer of both.
  package var colorLoss: Double { min(30, 0.21 * Double(255 - quality)) }
}

extension AnimatedPicture.Format {
  /// The qualities that are worth trying, best first.
  public var qualities: [Int] {
    switch self {
    case .webp: [82, 70, 56, 40]
    case .gif: [255, 192, 128, 64]
    case .png: [0]
    case .avif: [43, 36, 29, 20]
    case .webm: [39, 33, 27, 18]
    }
  }

  /// The divisor of its widths and heights: AVIF and WebM have one chroma sample for four pixels.
  package var unit: Int { self == .avif || self == .webm ? 2 : 1 }

  /// The name of its container in ``MediaFacts``.
  package var container: String { self == .png ? "apng" : rawValue }

  /// The usual name of the format.
  package var title: String {
    switch self {
    case .webp: "WebP"
    case .png: "PNG"
    case .gif: "GIF"
    case .avif: "AVIF"
    case .webm: "WebM"
    }
  }

  /// Whether bytes begin as a file of this format does.
  package func begins(_ bytes: some Sequence<UInt8>) -> Bool {
    switch self {
    case .webp:
      bytes.starts(with: Array("RIFF".utf8)) && Array(bytes.dropFirst(8)).starts(with: "WEBP".utf8)
    case .png: bytes.starts(with: [0x89, 0x50, 0x4E, 0x47])
    case .gif: bytes.starts(with: Array("GIF89a".utf8))
    case .avif: Array(bytes.dropFirst(4)).starts(with: "ftypavi".utf8)
    // The ID of an EBML header (RFC 8794, 11.2.1).
    case .webm: bytes.starts(with: [0x1A, 0x45, 0xDF, 0xA3])
    }
  }

  /// Ticks a second in which the format counts, to which the times of frames are rounded; `nil` for exact fractions.
  package var ticks: Int64? {
    switch self {
    case .webp, .webm: 1000
    case .gif: 100
    case .png, .avif: nil
    }
  }
}
