/// The properties of one video codec: its names, whether it is decoded, how well Apple systems play it.
///
/// ``all`` is the only list of codecs. The allowed decoders and the rules `codec`, `codec-tag` and `pixel-format`,
/// with their texts, are derived from it.
package struct VideoCodec: Sendable {
  /// How well Apple systems play it.
  package enum Playback: Sendable, Equatable {
    case everywhere
    /// A warning: `reason` follows the title.
    case somewhere(_ reason: String, help: String)
    case nowhere

    package static let old = somewhere(
      "is an old codec that not every Apple system plays", help: "export it as H.264")
  }

  /// Sample entries of MP4 and QuickTime files.
  package struct SampleEntries: Sendable {
    /// The sample entries that Apple systems play. A remux changes any other to the first.
    package var played: [String]
    /// Whether it plays under others, on some systems.
    package var othersPlay: Bool
  }

  /// Pixel formats that hardware decoders of Apple devices take.
  package struct SafeFormats: Sendable {
    package var chroma: String
    package var bitDepths: ClosedRange<Int>
    /// The highest level, for example `5.2`.
    package var level: String

    /// The bit depths in words, for example `8 or 10 bits`.
    package var bits: String {
      bitDepths.count == 1
        ? "\(bitDepths.lowerBound) bits"
        : "\(bitDepths.lowerBound) or \(bitDepths.upperBound) bits"
    }
  }

  /// libavcodec's name, which is also the name in reports.
  package let name: String
  package let title: String
  package let playback: Playback
  /// Whether its decoder may be used. Every decoder of libavcodec is an attack surface: of about 250, only those are
  /// used that AVFoundation plays, that editors export, and that occur in containers mistaken for video assets.
  package let isDecoded: Bool
  /// `nil` if they are not judged.
  package let sampleEntries: SampleEntries?
  /// `nil` if they are not judged.
  package let safeFormats: SafeFormats?

  private init(
    _ name: String, _ title: String, _ playback: Playback, isDecoded: Bool = true,
    sampleEntries: SampleEntries? = nil, safeFormats: SafeFormats? = nil
  ) {
    self.name = name
    self.title = title
    self.playback = playback
    self.isDecoded = isDecoded
    self.sampleEntries = sampleEntries
    self.safeFormats = safeFormats
  }

  package static let all = [
    VideoCodec(
      "h264", "H.264", .everywhere,
      sampleEntries: SampleEntries(played: ["avc1", "dva1"], othersPlay: true),
      safeFormats: SafeFormats(chroma: "4:2:0", bitDepths: 8...8, level: "5.2")),
    VideoCodec(
      "hevc", "HEVC", .everywhere,
      sampleEntries: SampleEntries(played: ["hvc1", "dvh1"], othersPlay: false),
      safeFormats: SafeFormats(chroma: "4:2:0", bitDepths: 8...10, level: "5.1")),
    VideoCodec(
      "prores", "ProRes",
      .somewhere(
        "plays, but is heavy: hundreds of megabits a second",
        help: "deliver ProRes, but publish an H.264 or HEVC version")),
    VideoCodec(
      "av1", "AV1",
      .somewhere(
        "plays only on devices with a hardware decoder", help: "export it as H.264 or HEVC")),
    VideoCodec("mpeg4", "MPEG-4 Part 2", .old),
    VideoCodec("mjpeg", "Motion JPEG", .old),
    VideoCodec("h263", "H.263", .old),
    VideoCodec("vp8", "VP8", .nowhere),
    VideoCodec("vp9", "VP9", .nowhere),
    VideoCodec("mpeg1video", "MPEG-1", .nowhere),
    VideoCodec("mpeg2video", "MPEG-2", .nowhere),
    VideoCodec("qtrle", "QuickTime Animation", .nowhere),
    VideoCodec("png", "PNG", .nowhere),
    VideoCodec("apng", "APNG", .nowhere),
    VideoCodec("gif", "GIF", .nowhere),
    // libwebp decodes it.
    VideoCodec("webp", "WebP", .nowhere, isDecoded: false),
    // Drawn by rlottie.
    VideoCodec("lottie", "Lottie", .nowhere, isDecoded: false),
    VideoCodec("theora", "Theora", .nowhere, isDecoded: false),
  ]

  /// The codec that FFmpeg calls `name`.
  package static func named(_ name: String) -> VideoCodec? { all.first { $0.name == name } }

  /// The codec with one of its profiles, both by FFmpeg's names, the profile in any case.
  package static func title(of name: String, profile: String) -> String {
    guard name == "prores" else { return "\(title(of: name)) \(profile)" }
    // Apple ProRes White Paper: the profiles of 4:2:2 and of 4:4:4:4.
    let apple =
      switch profile.lowercased() {
      case "4444": "4444"
      case "xq": "4444 XQ"
      case "standard": "422"
      case "hq": "422 HQ"
      case "lt": "422 LT"
      default: "422 \(profile)"
      }
    return "\(title(of: name)) \(apple)"
  }

  /// The usual name of the codec that FFmpeg calls `name`.
  package static func title(of name: String) -> String { named(name)?.title ?? name.uppercased() }
}

extension MediaFacts {
  /// Pictures that no player plays as a video: a GIF, an AVIF sequence, or a format that FFmpeg does not read.
  package var isAnimation: Bool {
    ["gif", "apng", "avif"].contains(container) || VideoCodec.named(codec)?.isDecoded == false
  }
}
