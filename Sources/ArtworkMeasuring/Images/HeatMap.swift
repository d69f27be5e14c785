/// Visualises by colours where two pictures differ.
package enum HeatMap {
  /// The smallest full scale of the map, in 8-bit code values: noise must not look like a jump.
  private static let leastScale = 24.0

  /// Colours from black over violet and orange to light yellow. Lightness rises evenly, so that larger differences look
  /// larger without colour vision, too. Nine points of matplotlib's "inferno" (Smith and van der Walt, CC0).
  private static let anchors: [DrawingColor] = [
    DrawingColor(0, 0, 4), DrawingColor(31, 12, 72), DrawingColor(85, 15, 109),
    DrawingColor(136, 34, 106), DrawingColor(186, 54, 85),
    DrawingColor(227, 89, 51), DrawingColor(249, 140, 10), DrawingColor(249, 201, 50),
    DrawingColor(252, 255, 164),
  ]

  /// The colour of a share (0...1) of the full scale.
  static func drawingColor(_ share: Double) -> DrawingColor {
    let place = max(0, min(1, share)) * Double(anchors.count - 1)
    let index = min(anchors.count - 2, wholeNumber(place) ?? 0)
    return anchors[index].mixed(with: anchors[index + 1], share: place - Double(index))
  }

  /// The luma differences of two pictures of one size, and the value of the brightest colour.
  package static func draw(_ one: PixelImage, _ other: PixelImage) -> (
    image: PixelImage, scale: Double
  ) {
    let (a, b) = (PictureLuma.values(of: one), PictureLuma.values(of: other))
    let differences = zip(a, b).map { abs($0 - $1) }
    // The highest 2 % exceed the scale: otherwise single pixels would darken everything else.
    let sorted = differences.sorted()
    let high = sorted.isEmpty ? 0 : Double(sorted[min(sorted.count - 1, sorted.count * 98 / 100)])
    let scale = max(leastScale, high)
    var bytes: [UInt8] = []
    bytes.reserveCapacity(differences.count * 3)
    for difference in differences {
      let drawingColor = drawingColor(Double(difference) / scale)
      bytes += [drawingColor.red, drawingColor.green, drawingColor.blue]
    }
    return (PixelImage(size: one.size, channels: .rgb, bytes: bytes), scale)
  }
}

/// The brightness of pictures.
enum PictureLuma {
  /// One value a pixel in 8-bit code values, by the weights of ITU-R BT.709.
  static func values(of image: PixelImage) -> [Float] {
    let channels = image.channels.rawValue
    return stride(from: 0, to: image.bytes.count, by: channels).map { start in
      let red = 0.2126 * Float(image.bytes[start])
      let green = 0.7152 * Float(image.bytes[start + 1])
      let blue = 0.0722 * Float(image.bytes[start + 2])
      return red + green + blue
    }
  }
}
