/// The system may reject animated artwork whose preview has the wrong aspect ratio.
package enum PreviewAspectRule: Rule {
  package static let id = "preview-aspect"
  package static let title = "a supplied preview has the aspect ratio of its key"
  package static let explanation = Explanation(
    meaning: """
      A preview beside the video has the aspect ratio of its key, with the tolerances of `aspect-ratio`. \
      **Warning** up to 2 %, **error** beyond.
      """,
    why: """
      the system may reject artwork whose preview has the wrong aspect ratio, and show the static cover.
      """,
    measured: """
      width over height of the upright picture. A supplied preview is a PNG or JPEG in the same folder with \
      the name of the video (`1x1.png`), its name and key (`clip.1x1.png`, as `--preview-dir` writes it), or \
      its name and `preview` (`1x1-preview.jpg`).
      """,
    fix: """
      remove it, or make it from the video. The finding's command, `artworkd preview`, writes a PNG and removes a JPEG of the \
      same name.
      """,
    source: """
      Apple for the requirement; the tolerances are ours.
      """)

  package static func check(_ candidate: JudgedCandidate, profile: Profile) -> [Finding] {
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
        help: preview.advice, preview.repair, of: candidate,
        measured: picture.size,
        limit:
          "\(decimal(wanted.aspect.value, places: 4)):1 within \(decimal(profile.aspectTolerance * 100, places: 2)) %",
        profile: profile)
    ]
  }
}
