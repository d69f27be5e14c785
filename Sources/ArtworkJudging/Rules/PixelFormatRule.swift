/// Hardware decoders of Apple devices take 4:2:0 H.264 with 8 bits and 4:2:0 HEVC with 8 or 10.
enum PixelFormatRule: Rule {
  static let id = "pixel-format"

  static func check(_ candidate: JudgedCandidate, profile: Profile) -> [Finding] {
    let facts = candidate.facts
    guard let codec = VideoCodec.named(facts.codec), let safe = codec.safeFormats,
      facts.chroma != safe.chroma || !safe.bitDepths.contains(facts.bitDepth)
    else { return [] }
    return [
      finding(
        .error,
        "not every Apple device decodes \(codec.title) \(facts.chroma) with \(facts.bitDepth) bits",
        help: "export it as 4:2:0 with 8 bits", .encode(facts, for: profile), of: candidate,
        measured: "\(facts.pixelFormat) (\(facts.chroma), \(facts.bitDepth) bits)",
        limit: "\(safe.chroma), \(safe.bits)", profile: profile)
    ]
  }
}
