/// Hardware decoders of Apple devices take 4:2:0 H.264 with 8 bits and 4:2:0 HEVC with 8 or 10.
enum PixelFormatRule: Rule {
  static let id = "pixel-format"
  static let title = "the pixel format is one that hardware decodes"
  static let explanation = Explanation(
    meaning: """
      Frames are \(safeFormats). **Error** for other formats of these codecs. Other codecs are not judged.
      """,
    why: """
      hardware decoders in Apple devices accept these. Other formats are decoded in software or not at all.
      """,
    measured: """
      the format of the decoded frame, not what the container claims.
      """,
    fix: """
      export it as 4:2:0 with 8 bits. `artworkd repair --unsafe` encodes this file.
      """,
    source: """
      Apple for the profiles (HLS Authoring Specification: at most High and Main 10); known for the \
      devices.
      """)

  private static let safeFormats = VideoCodec.all.compactMap { codec in
    codec.safeFormats.map { "\($0.chroma) with \($0.bits) in \(codec.title)" }
  }.listed("and")

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
