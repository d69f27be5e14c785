extension PixelImage {
  /// The picture reduced to `target` by box averages of whole pixels; unchanged if it is not larger.
  package func reduced(to target: PixelSize) -> PixelImage {
    guard target.width < size.width || target.height < size.height else { return self }
    let target = PixelSize(
      width: min(target.width, size.width), height: min(target.height, size.height))
    let depth = channels.rawValue
    var result: [UInt8] = []
    result.reserveCapacity(target.area * depth)
    for y in 0..<target.height {
      let (top, bottom) = Self.span(y, of: target.height, over: size.height)
      for x in 0..<target.width {
        let (left, right) = Self.span(x, of: target.width, over: size.width)
        for channel in 0..<depth {
          var sum = 0
          for row in top..<bottom {
            var place = row * bytesPerRow + left * depth + channel
            for _ in left..<right {
              sum += Int(bytes[place])
              place += depth
            }
          }
          let count = (bottom - top) * (right - left)
          result.append(UInt8(clamping: (sum + count / 2) / count))
        }
      }
    }
    return PixelImage(size: target, channels: channels, bytes: result)
  }

  private static func span(_ index: Int, of parts: Int, over length: Int) -> (Int, Int) {
    let start = index * length / parts
    return (start, max(start + 1, (index + 1) * length / parts))
  }

  /// The picture with repeated pixels: for small pictures, whose pixels may be visible.
  package func enlarged(to target: PixelSize) -> PixelImage {
    guard target.width > size.width || target.height > size.height else {
      return reduced(to: target)
    }
    let depth = channels.rawValue
    var result: [UInt8] = []
    result.reserveCapacity(target.area * depth)
    for y in 0..<target.height {
      for x in 0..<target.width {
        let start =
          y * size.height / target.height * bytesPerRow + x * size.width / target.width * depth
        result += bytes[start..<start + depth]
      }
    }
    return PixelImage(size: target, channels: channels, bytes: result)
  }
}
