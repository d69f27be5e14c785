/// ffprobe's view of a clip, from the list of fixtures or of real media, in one form.
struct Probe: Sendable {
  var format: String?
  var majorBrand: String?
  var streams: [String]
  var codec: String?
  var profile: String?
  /// ffprobe's spelling; `nil` if the list does not hold it.
  var codecTag: String?
  var pixelFormat: String?
  var codedSize: [Int]
  var sampleAspect: [Int]
  var clockwise: Int
  var mirrored: Bool
  /// Decoded and displayed.
  var frames: Int?
  var discarded: Int?
  var start: Double?
  var shortestStep: Double?
  var longestStep: Double?
  var streamDuration: Double?
  var averageRate: Double?
  var color: ColorDescription
  var bytes: Int64

  init?(_ fixture: Fixture) {
    let facts = fixture.facts
    guard let width = facts.codedWidth, let height = facts.codedHeight else { return nil }
    format = facts.format
    majorBrand = facts.majorBrand
    streams = facts.streams
    codec = facts.codec
    profile = facts.profile
    codecTag = facts.codecTag
    pixelFormat = facts.pixelFormat
    codedSize = [width, height]
    sampleAspect = facts.sampleAspect?.map { Int($0) } ?? [1, 1]
    clockwise = facts.rotationClockwise ?? 0
    mirrored = facts.mirrored ?? false
    frames = facts.decodedFrames
    discarded = facts.discardPackets
    start = facts.framePTS?.first
    shortestStep = facts.framePTS?.minStep
    longestStep = facts.framePTS?.maxStep
    streamDuration = facts.streamDuration
    averageRate = Self.ratio(facts.averageRate, separator: "/")
    color = ColorDescription(
      matrix: facts.colorSpace, primaries: facts.colorPrimaries, transfer: facts.colorTransfer, range: facts.colorRange)
    bytes = facts.fileBytes
  }

  init?(_ media: RealMedia) {
    let facts = media.facts
    guard let size = facts.coded_size else { return nil }
    format = facts.format
    majorBrand = facts.brand
    streams = facts.streams
    codec = facts.codec
    profile = facts.profile
    codecTag = nil
    // The alpha of an AVIF is a track of its own, which ffprobe takes for another video.
    let hasAlphaTrack = facts.brand == "avis" && facts.streams.count { $0.hasPrefix("video:") } == 2
    pixelFormat = hasAlphaTrack ? facts.pix_fmt?.replacing("yuv", with: "yuva") : facts.pix_fmt
    codedSize = size
    sampleAspect = facts.sar.map { $0.split(separator: ":").compactMap { Int($0) } } ?? [1, 1]
    clockwise = facts.rotation_cw ?? 0
    mirrored = facts.mirrored ?? false
    frames = facts.decoded_frames
    discarded = facts.discard_packets
    start = facts.first_frame_pts
    shortestStep = facts.min_frame_step
    longestStep = facts.max_frame_step
    streamDuration = facts.stream_duration.flatMap { Double($0) }
    averageRate = Self.ratio(facts.avg_fps, separator: "/")
    color = ColorDescription(
      matrix: facts.color_space, primaries: facts.color_primaries, transfer: facts.color_transfer, range: facts.color_range)
    bytes = media.size
  }

  private static func ratio(_ text: String?, separator: Character) -> Double? {
    let parts = text?.split(separator: separator).compactMap { Double($0) } ?? []
    return parts.count == 2 && parts[1] != 0 ? parts[0] / parts[1] : nil
  }

  /// The displayed size, from the coded one: square pixels, then upright.
  var displaySize: [Int] {
    let width = (Double(codedSize[0]) * Double(sampleAspect[0]) / Double(sampleAspect[1])).rounded()
    return clockwise % 180 == 0 ? [Int(width), codedSize[1]] : [codedSize[1], Int(width)]
  }

  /// Width over height of the displayed picture, as two whole numbers.
  var displayAspect: (Int, Int) {
    let (width, height) = (codedSize[0] * sampleAspect[0], codedSize[1] * sampleAspect[1])
    return clockwise % 180 == 0 ? (width, height) : (height, width)
  }

  /// The bits of the first component, by the naming of FFmpeg's pixel formats.
  var bitDepth: Int {
    for depth in [16, 14, 12, 10, 9] where pixelFormat?.hasSuffix("\(depth)le") == true { return depth }
    return 8
  }

  var chroma: String {
    let name = pixelFormat ?? ""
    for (digits, chroma) in [("420", "4:2:0"), ("422", "4:2:2"), ("444", "4:4:4")]
    where name.contains("yuv") && name.contains(digits) { return chroma }
    return "rgb"
  }

  var hasAlpha: Bool {
    // A palette has alpha in its entries.
    ["yuva", "argb", "rgba", "bgra", "pal8"].contains { pixelFormat?.hasPrefix($0) == true }
  }
}
