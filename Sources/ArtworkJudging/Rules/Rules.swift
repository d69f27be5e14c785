/// All rules, and the judgement of a candidate by them.
package enum Rules {
  /// Rules for one candidate. Findings of one severity are in this order.
  package static let all: [any Rule.Type] = [
    TruncatedRule.self, LottieUnsupportedRule.self, ContainerRule.self, CodecRule.self,
    CodecTagRule.self,
    PixelFormatRule.self, FieldOrderRule.self, AspectRatioRule.self, DimensionsRule.self,
    FrameRateRule.self,
    FrameRateModeRule.self, JudderRule.self, DurationRule.self, StartOffsetRule.self,
    StaticRule.self,
    LoopSeamRule.self, LoopGapRule.self, PlayCountRule.self, FadeRule.self,
    BlankFirstFrameRule.self, FlashRule.self,
    LetterboxRule.self, SoftnessRule.self, BlockinessRule.self, BandingRule.self,
    ColorRule.self, AudioTrackRule.self, DecodeCostRule.self,
    FileSizeRule.self, BitRateRule.self, FastStartRule.self, ClosedGOPRule.self,
    PreviewAspectRule.self, PreviewMatchRule.self,
  ]

  /// Rules across the files of a release.
  package static let ofReleases: [any ReleaseRule.Type] = [
    PairRule.self, InsetCoverRule.self, ComplementaryRule.self, ArtworkIDReuseRule.self,
    DuplicateContentRule.self,
  ]

  /// All rules, in the order of the documents.
  package static let catalogue: [any RuleDescription.Type] =
    all + ofReleases + [ApprovalRule.self]

  /// The rule with this id.
  package static func named(_ id: String) -> (any RuleDescription.Type)? {
    catalogue.first { $0.id == id }
  }

  /// The judgement of a clip's seam; `nil` if it has a single frame, or players show its frames at different times.
  package static func seam(of inspection: Inspection, profile: Profile) -> SeamJudgement? {
    guard inspection.facts.retimedEdit == nil else { return nil }
    return inspection.seam.map {
      LoopSeamRule.judge(
        $0, thresholds: profile.seam,
        isUpright: inspection.facts.rotation == 0 && !inspection.facts.mirrored)
    }
  }

  /// Whether a rule is undecided by the ends of a clip, and decoding every frame would decide it.
  ///
  /// - Parameter countsFlashes: whether a profile applies the flash rule.
  package static func wantEveryFrame(_ looks: AppearanceMeasurement, countsFlashes: Bool) -> Bool {
    BlankFirstFrameRule.isInDoubt(looks) || countsFlashes && FlashRule.isInDoubt(looks)
  }

  /// Whether a clip was not read to decide what its ends leave open.
  package static func leavesDoubt(_ inspection: Inspection) -> Bool {
    inspection.looks.map { $0.scope == .ends && wantEveryFrame($0, countsFlashes: true) } ?? false
  }

  /// Findings of one candidate, worst first and in rule order within a severity.
  ///
  /// - Parameters:
  ///   - keyIsStated: see ``JudgedCandidate/keyIsStated``.
  ///   - path: the video in commands; they are left out for `nil`.
  package static func judge(
    _ inspection: Inspection, key: ArtworkKey, keyIsStated: Bool = true,
    suppliedPreview: SuppliedPicture? = nil, path: FilePath? = nil, profile: Profile
  ) -> (seam: SeamJudgement?, findings: [Finding]) {
    let seam = seam(of: inspection, profile: profile)
    let candidate = JudgedCandidate(
      inspection: inspection, key: key, keyIsStated: keyIsStated, seam: seam,
      suppliedPreview: suppliedPreview)
    let findings = all.flatMap { rule in
      rule.breaches(candidate, profile).map { $0.finding(of: rule.id, path, for: profile) }
    }
    return (seam, inOrder(findings, profile: profile))
  }

  /// Findings across the files of a release, each with the index of its video.
  package static func judge(
    _ release: Release, profile: Profile
  ) -> [(video: Int, finding: Finding)] {
    ofReleases.flatMap { rule in
      rule.breaches(of: release, profile).flatMap { video, breach in
        inOrder([breach.finding(of: rule.id, nil, for: profile)], profile: profile)
          .map { (video, $0) }
      }
    }
  }

  /// Applies the severities that the profile sets, and sorts, worst first.
  package static func inOrder(_ findings: [Finding], profile: Profile) -> [Finding] {
    let kept = findings.compactMap { finding -> Finding? in
      guard let set = profile.severities[finding.rule] else { return finding }
      guard let severity = set.severity else { return nil }
      var finding = finding
      finding.severity = severity
      return finding
    }
    return Finding.Severity.allCases.sorted(by: >).flatMap { severity in
      kept.filter { $0.severity == severity }
    }
  }
}
