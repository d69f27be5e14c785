import ArtworkModel

/// A supplied preview of the wrong aspect makes the system ignore the whole animated artwork.
enum PreviewAspectRule: Rule {
  static let id = "preview-aspect"
  static let title = "a supplied preview has the aspect of its key"
  static let explanation = Explanation(
    meaning: """
      A preview that lies beside the video has the aspect of its shape, with the tolerances of \
      `aspect-ratio`. **Error**, **warning** up to 2 %.
      """,
    why: """
      a preview of the wrong aspect makes the system ignore the animated artwork and show the static cover.
      """,
    measured: """
      width over height of the picture, upright. A supplied preview is a PNG or JPEG file in the same folder \
      with the video's name (`1x1.png`), its name and key (`clip.1x1.png`, as `--preview-dir` writes it) or \
      its name and `preview` (`1x1-preview.jpg`).
      """,
    fix: """
      leave it out, or make it from the video: `artworkd preview FILE`.
      """,
    source: """
      Apple for the requirement; the tolerances are ours.
      """)

  static func check(_ candidate: JudgedCandidate, profile: Profile) -> [Finding] {
    guard let preview = candidate.suppliedPreview, let picture = preview.picture,
      let wanted = profile.shape(nearestTo: picture.aspect, key: candidate.key)
    else { return [] }
    let deviation = picture.aspect / wanted.aspect.value - 1
    guard abs(deviation) > profile.aspectTolerance else { return [] }
    return [
      finding(
        abs(deviation) > profile.aspectWarning ? .error : .warning,
        "the preview \(preview.name) is \(decimal(abs(deviation) * 100, places: 2)) % too "
          + "\(deviation > 0 ? "wide" : "tall") for \(wanted.name)",
        help: "make it from the video: artworkd preview FILE -o \(preview.pngName)",
        measured: picture.size,
        limit:
          "\(decimal(wanted.aspect.value, places: 4)):1 within \(decimal(profile.aspectTolerance * 100, places: 2)) %",
        profile: profile)
    ]
  }
}
