/// Hardware decoders of Apple devices take 8-bit 4:2:0 H.264 and 8 or 10-bit 4:2:0 HEVC.
enum PixelFormatRule: Rule {
  static let id = "pixel-format"
  static let title = "the pixel format is one that hardware decodes"
  static let explanation = Explanation(
    meaning: """
      4:2:0, with 8 bits for H.264 and at most 10 for HEVC. **Error.**
      """,
    why: """
      hardware decoders of Apple devices take these. Other formats are decoded in software or not at all.
      """,
    measured: """
      the format of the decoded frame, not what the container claims. Only H.264 and HEVC are judged.
      """,
    fix: """
      `-pix_fmt yuv420p` when exporting.
      """,
    source: """
      Apple for the profiles (HLS Authoring Specification: at most High and Main 10); known for the \
      devices.
      """)

  static func check(_ candidate: JudgedCandidate, profile: Profile) -> [Finding] {
    let facts = candidate.facts
    let limit: String
    let isSafe: Bool
    switch facts.codec {
    case "h264":
      limit = "4:2:0, 8 bits"
      isSafe = facts.chroma == "4:2:0" && facts.bitDepth == 8
    case "hevc":
      limit = "4:2:0, 8 or 10 bits"
      isSafe = facts.chroma == "4:2:0" && facts.bitDepth <= 10
    default: return []
    }
    guard !isSafe else { return [] }
    return [
      finding(
        .error,
        "not every Apple device decodes \(codecTitle(facts.codec)) \(facts.chroma) with \(facts.bitDepth) bits",
        help: "export it with -pix_fmt yuv420p",
        measured: "\(facts.pixelFormat) (\(facts.chroma), \(facts.bitDepth) bits)", limit: limit,
        profile: profile)
    ]
  }
}
