import ArtworkModel

/// Fewer frames came out than the container promises, or the decoder refused some.
enum TruncatedRule: Rule {
  static let id = "truncated"
  static let title = "every promised frame is there"
  static let explanation = Explanation(
    meaning: """
      Every frame that the container promises is there, and none is damaged. **Error.**
      """,
    why: """
      a copy that was cut off plays up to the cut and then jumps, or does not play at all.
      """,
    measured: """
      the frames that sample tables, fragments and the index declare against those that can be read and, \
      in a full decode, those that come out; the packets that end early or that the decoder refuses, and \
      frames it had to mend; and whether the file ends before its structure says: a fragment's header that \
      is cut, a segment index or a movie duration beyond the fragments, the sizes of RIFF and Matroska, \
      the last block of GIF and PNG. Without `--thorough`, and where the ends leave no doubt about the \
      seam, only they are decoded, and damage between them goes unseen. A fragmented movie without any \
      index that is cut exactly between two fragments is a whole shorter one.
      """,
    fix: """
      copy or export it again. The original is usually intact.
      """,
    source: """
      ours.
      """)

  static func check(_ candidate: JudgedCandidate, profile: Profile) -> [Finding] {
    let effort = candidate.inspection.decoding
    guard effort.isCutShort || effort.errorCount > 0 else { return [] }
    let shown = candidate.facts.frameCount
    let measured =
      if effort.missingFrames > 0 {
        "\(shown) of \(shown.addingClamped(effort.missingFrames)) frames"
      } else if effort.endsEarly {
        "\(shown) frames and no more"
      } else {
        "\(effort.errorCount) decoding errors"
      }
    return [
      finding(
        .error,
        effort.isCutShort
          ? "frames are missing: the file is cut short or damaged" : "some frames are damaged",
        help: "copy or export it again",
        measured: measured, limit: "every frame intact", profile: profile)
    ]
  }
}
