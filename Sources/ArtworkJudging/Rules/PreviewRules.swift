/// The system may reject animated artwork whose preview has the wrong aspect ratio.
package enum PreviewAspectRule: Rule {
  package static let id = "preview-aspect"

  package static func breach(_ candidate: JudgedCandidate, _ profile: Profile) -> Breach? {
    guard let preview = candidate.suppliedPreview, let picture = preview.picture,
      let wanted = profile.shape(nearestTo: picture.aspect, key: candidate.key)
    else { return nil }
    let deviation = picture.aspect / wanted.aspect.value - 1
    guard abs(deviation) > profile.aspectTolerance else { return nil }
    return Breach(
      abs(deviation) > profile.aspectWarning ? .error : .warning,
      "the preview \(preview.name) is \(decimal(abs(deviation) * 100, places: 2)) % too "
        + "\(deviation > 0 ? "wide" : "tall") for \(wanted.name)", help: preview.advice,
      preview.repair, measured: picture.size,
      limit:
        "\(decimal(wanted.aspect.value, places: 4)):1 within \(decimal(profile.aspectTolerance * 100, places: 2)) %"
    )
  }
}

/// The preview should be the video's first frame: any difference is visible when the video takes over.
package enum PreviewMatchRule: Rule {
  package static let id = "preview-match"

  /// Code values: room for scaling, JPEG and another colour matrix.
  private static let most = 5.0

  package static func breach(_ candidate: JudgedCandidate, _ profile: Profile) -> Breach? {
    guard let preview = candidate.suppliedPreview else { return nil }
    let help = preview.advice
    if let error = preview.error {
      return Breach(
        .error, "the preview \(preview.name) cannot be read: \(error.message)", help: help,
        preview.repair, measured: error.code.rawValue, limit: "a \(FileFormat.stillTitles) picture")
    }
    guard let picture = preview.picture, let frame = candidate.inspection.firstFrame else {
      return nil
    }
    let difference = frame.meanDifference(to: picture.signature)
    guard difference > most else { return nil }
    return Breach(
      .warning, "the preview \(preview.name) is not the first frame", help: help, preview.repair,
      measured: "a mean difference of \(decimal(difference, places: 1)) code values",
      limit: "at most \(decimal(most, places: 1))")
  }
}

extension PictureSignature {
  /// Returns the mean difference of all cells, in code values.
  fileprivate func meanDifference(to other: PictureSignature) -> Double {
    let sum = zip(cells, other.cells).reduce(0) { $0 + abs(Int($1.0) - Int($1.1)) }
    return Double(sum) / Double(cells.count)
  }
}

extension SuppliedPicture {
  /// The name with the extension of new previews.
  private var pngName: String {
    var path = FilePath(name)
    path.extension = "png"
    return path.string
  }

  package var advice: String {
    pngName == name
      ? "make it from the video" : "make \(pngName) from the video, and remove \(name)"
  }

  /// Makes it from the video, as a PNG of the same name, and keeps the original.
  package var repair: Remedy {
    .artworkd(["repair"])
  }
}
