/// The system may reject animated artwork whose preview has the wrong aspect ratio.
package enum PreviewAspectRule: Rule {
  package static let id = "preview-aspect"

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
