extension PictureSignature {
  /// Signatures are made from pictures that fit inside this size: at most four pixels per cell each way.
  package static let sourceSize = PixelSize(width: 4 * side, height: 4 * side)

  /// Reduces a picture that is upright and has square pixels.
  package init(_ picture: PixelImage) {
    let small = picture.enlarged(to: PixelSize(width: Self.side, height: Self.side))
    var cells: [UInt8] = []
    cells.reserveCapacity(3 * small.size.area)
    for place in stride(from: 0, to: small.bytes.count, by: small.channels.rawValue) {
      let alpha = small.channels == .rgba ? Int(small.bytes[place + 3]) : 255
      for channel in 0..<3 {
        cells.append(UInt8(clamping: Int(small.bytes[place + channel]) * alpha / 255))
      }
    }
    self.init(cells: cells)
  }
}
