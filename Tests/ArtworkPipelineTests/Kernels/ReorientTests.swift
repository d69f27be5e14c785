@Suite struct ReorientTests {
  /// The definition: each pixel moves where the matrix sends it, shifted back into the picture.
  static func reference(_ orientation: Orientation, _ image: PixelImage) -> PixelImage {
    let (width, height) = (image.size.width, image.size.height)
    let size = orientation.swapsAxes ? image.size.transposed : image.size
    let channels = image.channels.rawValue
    var bytes = [UInt8](repeating: 0, count: image.bytes.count)
    let corners = [(0, 0), (width - 1, 0), (0, height - 1), (width - 1, height - 1)]
    func moved(_ x: Int, _ y: Int) -> (Int, Int) {
      (Int(orientation.a) * x + Int(orientation.b) * y, Int(orientation.c) * x + Int(orientation.d) * y)
    }
    let left = corners.map { moved($0.0, $0.1).0 }.min() ?? 0
    let top = corners.map { moved($0.0, $0.1).1 }.min() ?? 0
    for y in 0..<height {
      for x in 0..<width {
        let place = moved(x, y)
        let target = ((place.1 - top) * size.width + place.0 - left) * channels
        let source = (y * width + x) * channels
        for channel in 0..<channels { bytes[target + channel] = image.bytes[source + channel] }
      }
    }
    return PixelImage(size: size, channels: image.channels, bytes: bytes)
  }

  static func picture(_ width: Int, _ height: Int, _ channels: PixelImage.Channels) -> PixelImage {
    var noise = Noise(seed: UInt64(width * 1000 + height))
    return PixelImage(width, height, channels) { _, _ in
      (0..<channels.rawValue).map { _ in UInt8(truncatingIfNeeded: noise.next() >> 32) }
    }
  }

  @Test(arguments: OrientationTests.eight, [(1, 1), (1, 5), (5, 1), (4, 3), (7, 7), (16, 9)])
  func `every pixel goes where the matrix sends it`(named: OrientationTests.Named, size: (Int, Int)) {
    let orientation = OrientationTests.orientation(named.matrix)
    for channels in [PixelImage.Channels.rgb, .rgba] {
      let image = Self.picture(size.0, size.1, channels)
      #expect(orientation.applied(to: image) == Self.reference(orientation, image))
    }
  }

  /// The answer of a person, independent of any matrix: which corner of the coded picture ends up at the top left.
  @Test(arguments: zip(OrientationTests.eight, ["a", "c", "d", "b", "b", "c", "a", "d"]))
  func `the top left corner comes from the corner a person would expect`(named: OrientationTests.Named, corner: String) {
    // a b
    // c d
    let image = PixelImage(size: PixelSize(width: 2, height: 2), channels: .rgb, bytes: "abcd".utf8.flatMap { [$0, $0, $0] })
    let turned = OrientationTests.orientation(named.matrix).applied(to: image)
    #expect(String(decoding: turned.bytes.prefix(1), as: UTF8.self) == corner)
  }
}
