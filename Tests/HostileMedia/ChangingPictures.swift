/// A5: clips whose pictures change their size on the way, and apertures where pixels share bytes.
enum ChangingPictures {
  static let files: [HostileFile] = [
    file("shrinking.mov", "pictures of 480x640, then of 48x64", shrinking()),
    file("shrinking-clap.mov", "the same with a clean aperture of 360x480", shrinking(clap(width: 360, height: 480))),
    file("growing.mov", "pictures of 480x640, then of 960x1280", clip([(480, 640), (960, 1280)])),
    file(
      "one-bit-clap.mov", "one bit a pixel, with a clean aperture at the right edge",
      clip([(1024, 1024)], clap(width: 24, height: 32, x: 500, y: 496), PNGPicture.bits)),
  ]

  private static func file(_ name: String, _ reason: String, _ make: @autoclosure @escaping @Sendable () -> Bytes)
    -> HostileFile
  { HostileFile("A5", name, .inspected(), reason, make()) }

  private static func shrinking(_ extensions: Bytes = []) -> Bytes { clip([(480, 640), (48, 64)], extensions) }

  /// Eight pictures of each size.
  private static func clip(
    _ sizes: [(width: Int, height: Int)], _ extensions: Bytes = [], _ picture: (Int, Int) -> Bytes = PNGPicture.black
  ) -> Bytes {
    let samples = sizes.flatMap { Array(repeating: picture($0.width, $0.height), count: 8) }
    let (width, height) = sizes[0]
    return MovieBuilder(
      entry: MovieBuilder.visualEntry("png ", width: width, height: height, extensions), samples: samples, width: width,
      height: height
    ).bytes()
  }

  /// The clean aperture (ISO/IEC 14496-12, 12.1.4): its size, and how far its middle is from that of the picture.
  private static func clap(width: Int, height: Int, x: Int = 0, y: Int = 0) -> Bytes {
    box("clap", be32([width, 1, height, 1, x, 1, y, 1]))
  }
}
