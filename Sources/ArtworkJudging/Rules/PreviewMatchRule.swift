/// The preview should be the video's first frame: any difference is visible when the video takes over.
package enum PreviewMatchRule: Rule {
  package static let id = "preview-match"

  /// Code values: room for scaling, JPEG and another colour matrix.
  private static let most = 5.0

  package static func check(_ candidate: JudgedCandidate, profile: Profile) -> [Finding] {
    guard let preview = candidate.suppliedPreview else { return [] }
    let help = preview.advice
    if let error = preview.error {
      return [
        finding(
          .error, "the preview \(preview.name) cannot be read: \(error.message)", help: help,
          preview.repair, of: candidate,
          measured: error.code.rawValue, limit: "a \(FileFormat.stillTitles) picture",
          profile: profile)
      ]
    }
    guard let picture = preview.picture, let frame = candidate.inspection.firstFrame else {
      return []
    }
    let difference = frame.meanDifference(to: picture.signature)
    guard difference > most else { return [] }
    return [
      finding(
        .warning, "the preview \(preview.name) is not the first frame", help: help,
        preview.repair, of: candidate,
        measured: "a mean difference of \(decimal(difference, places: 1)) code values",
        limit: "at most \(decimal(most, places: 1))", profile: profile)
    ]
  }
}

extension PictureSignature {
  /// Returns the mean difference of all cells, in code values.
  fileprivate func meanDifference(to other: PictureSignature) -> Double {
    let sum = zip(cells, other.cells).reduce(0) { $0 + abs(Int($1.0) - Int($1.1)) }
    return Double(sum) / Double(cells.count)
  }
}
