extension Batch {
  /// Adds the findings of rules across files to the reports of a release whose files are all inspected.
  func judge(
    _ finished: BatchProgress.Finished, _ catalogue: Catalogue
  ) -> [Int: CandidateReport] {
    var reports = finished.reports
    let ofReleases = Set(Rules.ofReleases.map { $0.id })
    let release = finished.release
    let judged = judged(release, reports, catalogue)
    // Files of one release may have different profiles. Each profile judges the release once.
    var judgements: [(profile: Profile, findings: [(video: Int, finding: Finding)])] = []
    func findings(_ profile: Profile) -> [(video: Int, finding: Finding)] {
      if let known = judgements.first(where: { $0.profile == profile }) { return known.findings }
      let findings = Rules.judge(judged, profile: profile)
      judgements.append((profile, findings))
      return findings
    }
    for (place, video) in release.videos.enumerated() {
      let index = video.candidate
      reports[index]?.artworkID = release.artworkID
      reports[index]?.release = release.name
      // The still of a Live Photo was found with the file. Others may have been removed since a report was written.
      let isLivePhoto = reports[index]?.inspection?.facts.contentIdentifier != nil
      if release.cover != nil || !isLivePhoto { reports[index]?.cover = release.cover }
      // Findings of a reused report, which is now judged with others.
      reports[index]?.findings.removeAll { ofReleases.contains($0.rule) }
      guard reports[index]?.inspection != nil else { continue }
      for profile in profiles(for: catalogue.candidates[index].path) {
        reports[index]?.findings += findings(profile).filter { $0.video == place }.map(\.finding)
      }
    }
    for index in reports.keys {
      reports[index]?.sortFindings()
    }
    return reports
  }

  private func judged(
    _ release: Release, _ reports: [Int: CandidateReport], _ catalogue: Catalogue
  ) -> JudgedRelease {
    JudgedRelease(
      artworkID: release.artworkID, isFromManifest: release.isFromManifest,
      isWhole: release.isWhole, keys: release.keys,
      videos: release.videos.map { video in
        JudgedRelease.Video(
          path: catalogue.candidates[video.candidate].path,
          key: options.key ?? video.key, inspection: reports[video.candidate]?.inspection,
          contradicts: video.contradicts, repeats: video.repeats)
      },
      cover: release.cover.map(suppliedPicture))
  }
}
