/// An 8-bit image in memory: rows top to bottom without padding, pixels as R, G, B or R, G, B, A with
/// straight alpha, sRGB-encoded.
package struct PixelImage: Sendable, Equatable {
  package enum Channels: Int, Sendable {
    case rgb = 3
    case rgba = 4
  }

  package let size: PixelSize
  package let channels: Channels
  /// `size.width * size.height * channels.rawValue` bytes.
  package let bytes: [UInt8]

  package init(size: PixelSize, channels: Channels, bytes: [UInt8]) {
    precondition(
      bytes.count == size.width * size.height * channels.rawValue,
      "an image holds exactly its pixels")
    self.size = size
    self.channels = channels
    self.bytes = bytes
  }

  package var bytesPerRow: Int { size.width * channels.rawValue }
}
