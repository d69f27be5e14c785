extension CandidateReport {
  /// Judges what was measured of a file, for each profile: the one way from an inspection to a verdict.
  ///
  /// - Parameters:
  ///   - path: what commands call the file; `nil` for one that nobody mends, whose findings have none.
  ///   - key: `nil` for the one of the nearest aspect ratio.
  ///   - preview: the picture beside the file that is to be its preview.
  public init(
    judging inspection: Inspection, of path: FilePath?, as key: ArtworkKey? = nil,
    for profiles: [Profile] = [.nowPlaying], preview: SuppliedPicture? = nil
  ) {
    let key = key ?? ArtworkKey(nearestTo: inspection.facts.displayAspectRatio)
    self.init(
      path: path ?? FilePath(), key: key, inspection: inspection, profiles: profiles.map(\.name))
    for profile in profiles {
      let judged = Rules.judge(
        inspection, key: key, suppliedPreview: preview, path: path, profile: profile)
      seam = seam ?? judged.seam
      findings += judged.findings
    }
  }

  /// The ids of the rules that are broken as errors, in the order of the findings.
  package var brokenRules: [String] { findings.filter { $0.severity == .error }.map(\.rule) }
}
