/// Which forms of a video a client takes, by its `Accept` fields.
enum AcceptedVideos {
  /// The weight of a form that has to be made, relative to the stored file. Firefox's players request WebM first, at
  /// 1, and any video at 0.9: they should not wait for an encoder.
  private static let worthOfMade = 0.8

  /// The forms that a client accepts, best first; `nil` is the stored file. Without the field, that file.
  ///
  /// - Parameters:
  ///   - field: all values, separated by commas.
  ///   - stored: the content type of the stored file.
  ///   - forms: those that this build can make.
  static func inOrder(
    _ field: String?, storedAs stored: String,
    of forms: [WebVideo] = WebVideo.allCases.filter(\.isAvailable)
  ) -> [WebVideo?] {
    let ranges = MediaRanges(
      field, lacking: Set(WebVideo.allCases).subtracting(forms).map(\.contentType))
    guard !ranges.isEmpty else { return [nil] }
    let offered: [WebVideo?] = [nil] + forms.filter { $0.contentType != stored }
    let choices = offered.enumerated().compactMap { place, form in
      ranges.weight(of: form?.contentType ?? stored).map { weight, isNamed in
        (form: form, rank: (form == nil ? -weight : -weight * worthOfMade, isNamed ? 0 : 1, place))
      }
    }
    return choices.sorted { $0.rank < $1.rank }.map(\.form)
  }
}
