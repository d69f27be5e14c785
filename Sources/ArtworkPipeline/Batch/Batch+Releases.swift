extension Batch {
  /// Joins the reports of a release whose files are all inspected with the findings of rules across files.
  func judge(
    _ release: Release, _ reports: [CandidateReport]
  ) -> [CandidateReport] {
    var judged = release
    for (place, report) in zip(judged.videos.indices, reports) {
      judged.videos[place].key =
        options.key ?? release.videos[place].key ?? report.key ?? .square
      (judged.videos[place].path, judged.videos[place].inspection) = (
        report.path, report.inspection
      )
    }
    let keys = Set(judged.videos.compactMap(\.key))
    if release.isGuessed, reports.count > 1, keys.count == 1 { return reports }
    judged.keys.formUnion(keys)
    judged.coverPicture = release.cover.map(suppliedPicture)
    // Files of one release may have different profiles. Each profile judges the release once.
    var judgements: [(profile: Profile, findings: [(video: Int, finding: Finding)])] = []
    func findings(_ profile: Profile) -> [(video: Int, finding: Finding)] {
      if let known = judgements.first(where: { $0.profile == profile }) { return known.findings }
      let findings = Rules.judge(judged, profile: profile)
      judgements.append((profile, findings))
      return findings
    }
    let rules = Set(Rules.ofReleases.map { $0.id })
    var joined = reports.enumerated().map { place, report in
      var report = report
      (report.artworkID, report.release) = (release.artworkID, release.name)
      report.cover = release.cover
      let compared =
        report.inspection == nil
        ? []
        : profiles(for: report.path).flatMap { profile in
          findings(profile).filter { $0.video == place }.map(\.finding)
        }
      report.join(compared, of: rules)
      return report
    }
    joined.markDerivable()
    let homes = Set(joined.map { Catalogue.home(of: $0.path) })
    // A release with a folder of its own is repaired as a whole.
    let isOwn = release.isWhole && homes.count == 1
    joined.nameRepairs(
      of: homes.first.flatMap {
        isOwn && $0.lastComponent?.string == release.artworkID ? $0 : nil
      }, for: profiles)
    return joined
  }

  /// Adds pictures of the crops that make the shapes which a release lacks.
  func drawCrops(_ reports: inout [CandidateReport]?, _ candidates: [Candidate]) {
    for (place, report) in (reports ?? []).enumerated() {
      guard report.findings.contains(where: { $0.rule == PairRule.id && $0.command != nil }),
        let facts = report.inspection?.facts,
        let key = ArtworkKey.allCases.first(where: { $0 != report.key })
      else { continue }
      // Where it cannot be drawn, the command of the finding says why.
      guard let crop = try? inspector.drawCrop(of: candidates[place], as: key, facts) else {
        continue
      }
      reports?[place].reportImages?.crop = crop
    }
  }
}
