/// An 8-bit image in memory: rows top to bottom without padding, pixels as R, G, B or R, G, B, A with
/// straight alpha, sRGB-encoded.
public struct PixelImage: Sendable, Equatable {
  public enum Channels: Int, Sendable {
    case rgb = 3
    case rgba = 4
  }

  public let size: PixelSize
  public let channels: Channels
  /// `size.width * size.height * channels.rawValue` bytes.
  public let bytes: [UInt8]

  public init(size: PixelSize, channels: Channels, bytes: [UInt8]) {
    precondition(
      bytes.count == size.width * size.height * channels.rawValue,
      "an image holds exactly its pixels")
    self.size = size
    self.channels = channels
    self.bytes = bytes
  }

  public var bytesPerRow: Int { size.width * channels.rawValue }
}
