/// The result for one candidate: one line of NDJSON, one block of text.
public struct CandidateReport: Sendable {
  public enum Verdict: String, Sendable, Codable, CaseIterable {
    case pass, warn, fail, error
  }

  /// Path as the caller named it, or below the folder that the caller named.
  public var path: FilePath
  public var key: ArtworkKey?
  /// The artwork that it belongs to; `nil` if neither a manifest nor the name states it.
  public var artworkID: String?
  /// The release that it belongs to; `nil` without one.
  package var release: Release.Name?
  /// The cover of its release; `nil` without one.
  package var cover: Candidate?
  public var inspection: Inspection?
  public var seam: SeamJudgement?
  /// Worst first within each profile.
  public var findings: [Finding]
  /// Findings in the baseline: they are reported, but do not count.
  public var known: [Finding] = []
  /// The path of the written preview.
  public var preview: FilePath?
  public var error: InspectionError?
  /// Whether the error is in the baseline.
  public var errorIsKnown = false
  /// Pictures for reports that contain them; `nil` if no report does.
  package var reportImages: ReportImages?
  /// The names of the profiles.
  public var profiles: [String]
  /// What a merge needs; `nil` for a result of no shard.
  package var evidence: Evidence?

  package init(
    path: FilePath, key: ArtworkKey? = nil, artworkID: String? = nil,
    inspection: Inspection? = nil, seam: SeamJudgement? = nil, findings: [Finding] = [],
    preview: FilePath? = nil, error: InspectionError? = nil, profiles: [String] = []
  ) {
    self.path = path
    self.key = key
    self.artworkID = artworkID
    self.inspection = inspection
    self.seam = seam
    self.findings = findings
    self.preview = preview
    self.error = error
    self.profiles = profiles
  }

  /// Joins the findings of the file with those of rules that compare it with others. Sorts them by profile, then worst
  /// first.
  ///
  /// - Parameter rules: the ids of those rules. Their earlier findings are replaced.
  package mutating func join(_ compared: [Finding], of rules: Set<String>) {
    let all = findings.filter { !rules.contains($0.rule) } + compared
    findings = profiles.flatMap { profile in
      Finding.Severity.allCases.sorted(by: >).flatMap { severity in
        all.filter { $0.profile == profile && $0.severity == severity }
      }
    }
  }

  /// `error` if the file could not be inspected, or else the worst finding.
  public var verdict: Verdict { verdict(of: findings) }

  /// The verdict for one profile; `nil` if the candidate was not judged for it.
  public func verdict(for profile: String) -> Verdict? {
    guard profiles.contains(profile) else { return nil }
    return verdict(of: findings.filter { $0.profile == profile })
  }

  private func verdict(of findings: [Finding]) -> Verdict {
    if error != nil { return .error }
    switch findings.map(\.severity).max() {
    case .error: return .fail
    case .warning: return .warn
    case .info, nil: return .pass
    }
  }
}

extension CandidateReport {
  /// Judges the measurements of a file for each profile: the only way from an inspection to a verdict.
  ///
  /// - Parameters:
  ///   - path: the file in commands; `nil` for one that will not be repaired, whose findings have no command.
  ///   - key: `nil` for the one with the nearest aspect ratio.
  ///   - preview: the supplied preview beside the file.
  package init(
    judging inspection: Inspection, of path: FilePath?, as key: ArtworkKey? = nil,
    for profiles: [Profile] = [.nowPlaying], preview: SuppliedPicture? = nil
  ) {
    let stated = key
    let key = key ?? ArtworkKey(nearestTo: inspection.facts.displayAspectRatio)
    self.init(
      path: path ?? FilePath(), key: key, inspection: inspection, profiles: profiles.map(\.name))
    for profile in profiles {
      let judged = Rules.judge(
        inspection, key: key, keyIsStated: stated != nil, suppliedPreview: preview, path: path,
        profile: profile)
      seam = seam ?? judged.seam
      findings += judged.findings
    }
    guard path != nil else { return }
    var alone = [self]
    alone.nameRepairs { _ in profiles }
    self = alone[0]
  }

  /// The findings that `artworkd repair` fixes, by their places, and its options after the names; `nil` where frames are
  /// missing, since a new file would hide that.
  ///
  /// - Parameter encodes: whether anything is encoded.
  fileprivate func repairs(
    for profiles: [Profile], encodes: Bool
  ) -> (fixed: [Int], options: [String])? {
    guard let facts = inspection?.facts, inspection?.decoding.isCutShort == false else {
      return nil
    }
    let repaired = findings.filter { $0.repair.map { encodes || $0 != .unsafe } ?? false }
    let recipe =
      repaired.contains { $0.repair == .unsafe }
      ? Recipe(encoding: facts, for: profiles, repaired.edit)
      : Recipe(copying: facts, for: profiles, repairing: Set(repaired.compactMap(\.repair)))
    let fixed = findings.indices.filter { place in
      findings[place].repair == nil
        ? findings[place].fix == .repair : recipe != nil && repaired.contains(findings[place])
    }
    guard !fixed.isEmpty else { return nil }
    return (
      fixed,
      (key == assumedKey(facts) ? [] : key.map { ["--key", $0.rawValue] } ?? [])
        + Self.option(of: profiles)
    )
  }

  /// `--profile`, unless the default is meant.
  fileprivate static func option(of profiles: [Profile]) -> [String] {
    let names = profiles.map(\.name)
    return names == [Profile.nowPlaying.name] ? [] : ["--profile", names.joined(separator: ",")]
  }

  /// The key of the file if none is stated.
  private func assumedKey(_ facts: MediaFacts) -> ArtworkKey {
    ArtworkKey(fileName: path.lastComponent?.string ?? "")
      ?? ArtworkKey(nearestTo: facts.displayAspectRatio)
  }

  /// The ids of the rules that are broken as errors, in the order of the findings.
  package var brokenRules: [String] { findings.filter { $0.severity == .error }.map(\.rule) }
}

extension [CandidateReport] {
  /// Gives every finding of a release that `artworkd repair` fixes the one command that fixes them all, where the files
  /// are; or of each file, where they need different options. If only encoding fixes a finding that is merely info, the
  /// command remains a copy.
  ///
  /// - Parameter folder: that of the whole release; `nil` to name the files.
  package mutating func nameRepairs(
    of folder: FilePath? = nil, for profiles: (FilePath) -> [Profile]
  ) {
    let ours = flatMap(\.findings).filter { $0.repair != nil }
    let serious = ours.filter { $0.severity > .info }
    let encodes = (serious.isEmpty ? ours : serious).contains { $0.repair == .unsafe }
    let repairs = indices.compactMap { place -> (place: Int, fixed: [Int], options: [String])? in
      guard self[place].path.percentEncodedUnlessText == nil else { return nil }
      return self[place].repairs(for: profiles(self[place].path), encodes: encodes)
        .map { (place, $0.fixed, $0.options) }
    }
    let all =
      Set(repairs.map(\.options)).count > 1
      ? nil : repairs.first?.options ?? first.map { CandidateReport.option(of: profiles($0.path)) } ?? []
    let together = folder.map { [$0] } ?? repairs.map { self[$0.place].path }
    func command(_ places: [FilePath], _ options: [String]) -> String {
      (["artworkd repair"] + places.map(ShellWord.quoted) + ["--in-place"]
        + (encodes ? ["--unsafe"] : []) + options).joined(separator: " ")
    }
    for place in indices {
      let own = repairs.first { $0.place == place }
      for index in self[place].findings.indices {
        // What a repair of the release makes along with it.
        let isMade = self[place].findings[index].fix == .making && folder != nil && all != nil
        if isMade || own?.fixed.contains(index) == true {
          self[place].findings[index].command =
            all.map { command(together, $0) } ?? command([self[place].path], own?.options ?? [])
        } else if self[place].findings[index].repair != nil {
          self[place].findings[index].command = nil
        }
      }
    }
  }

  /// Marks what `artworkd repair` fixes with the whole of a release. Where anything is encoded, both shapes get the same
  /// frames, and a missing one is cropped out of the new video. If nothing else is left there, the other shape gives one that
  /// the cover shows to be odd, and one whose frame the picture does not fill.
  package mutating func markDerivable() {
    let encodes = flatMap(\.findings).contains { $0.severity > .info && $0.repair == .unsafe }
    for place in indices {
      let others = indices.filter { $0 != place }
      let isGood =
        others.count == 1
        && others.allSatisfy { other in
          self[other].error == nil
            && !self[other].findings.contains {
              $0.severity > .info && $0.repair == nil && !Self.ofOtherReleases.contains($0.rule)
            }
        }
      for index in self[place].findings.indices {
        switch (self[place].findings[index].rule, self[place].findings[index].repair) {
        case (_, nil) where isGood && self[place].findings[index].isOfShape:
          self[place].findings[index].repair = .unsafe
          self[place].findings[index].help = "crop it out of the other shape"
        case (PairRule.id, .unsafe) where !isGood: self[place].findings[index].repair = nil
        case (PairRule.id, nil)
        where encodes && !PairRule.comparesPictures(self[place].findings[index]):
          self[place].findings[index].repair = .unsafe
        default: break
        }
      }
      // What becomes the other picture resembles the cover.
      let odd = self[place].findings.first { $0.rule == PairRule.id && $0.repair != nil }
      for index in self[place].findings.indices
      where odd.map(PairRule.comparesPictures) == true
        && self[place].findings[index].rule == ComplementaryRule.id
      { self[place].findings[index].repair = odd?.repair }
    }
  }

  /// Rules whose findings depend on other releases, and say nothing of a picture.
  private static var ofOtherReleases: [String] { [ArtworkIDReuseRule.id, DuplicateContentRule.id] }
}

extension Finding {
  /// Whether the picture does not fill its frame, so that a crop of the other shape is without it.
  var isOfShape: Bool {
    severity > .info && [LetterboxRule.id, InsetCoverRule.id, AspectRatioRule.id].contains(rule)
  }

  /// Whether another shape that shows the same is better cropped out of the other than kept.
  package var speaksForTheOther: Bool {
    severity == .error || isOfShape || rule == PairRule.id && repair != nil && PairRule.comparesPictures(self)
  }

  /// The kind of command that fixes it.
  package enum Fix: CaseIterable {
    case repair
    /// A command that makes a missing variant alone.
    case making
  }

  /// `nil` if no command does: others, such as `artworkd loop`, only print what can be done.
  package var fix: Fix? {
    guard let command else { return nil }
    if command.hasPrefix("artworkd repair ") { return .repair }
    return command.hasPrefix("artworkd derive ") ? .making : nil
  }
}
