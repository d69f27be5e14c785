import CPNG

/// Reads back the PNG files that ``PNGEncoder`` writes, and no others.
///
/// The bytes may come from an untrusted worker, and are read in the parent nevertheless: the form of the file is
/// checked first, the pixels must fill a buffer of known size, and nothing else in the file is interpreted.
package enum PNGDecoder {
  /// The picture in a file; `nil` for a file of another form and for a damaged one. About 12 ns per pixel on noisy pictures.
  package static func decode(_ bytes: [UInt8]) -> PixelImage? {
    guard PNGFile.isWellFormed(bytes), let size = PNGFile.ownSize(bytes) else { return nil }
    // The type of colour: 2 for RGB, 6 for RGBA.
    let channels: PixelImage.Channels = bytes[25] == 6 ? .rgba : .rgb
    let parts = PNGChunks(BoxReader(bytes)).filter { $0.name == "IDAT" }
    guard parts.count == 1 else { return nil }
    let pixels = Int(parts[0].data.lowerBound)..<Int(parts[0].data.upperBound)
    var isRead = false
    let count = size.area * channels.rawValue
    let image = unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, used in
      isRead = unsafe bytes[pixels].withUnsafeBufferPointer { stream in
        unsafe artwork_png_unpack(
          stream.baseAddress, stream.count, UInt32(size.width), UInt32(size.height),
          Int32(channels.rawValue), buffer.baseAddress) != 0
      }
      used = isRead ? count : 0
    }
    return isRead ? PixelImage(size: size, channels: channels, bytes: image) : nil
  }
}
