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
    if let path, path.percentEncodedUnlessText == nil { nameRepair(path, for: profiles) }
  }

  /// Gives every finding that `artworkd repair` fixes the one command that fixes them all, where the file is. If only
  /// encoding fixes a finding that is merely info, the command remains a copy. Where frames are missing there is none, since a
  /// new file would hide that.
  private mutating func nameRepair(_ path: FilePath, for profiles: [Profile]) {
    guard let facts = inspection?.facts, inspection?.decoding.isCutShort == false else { return }
    let ours = findings.filter { $0.repair != nil }
    let serious = ours.filter { $0.severity > .info }
    let encodes = (serious.isEmpty ? ours : serious).contains { $0.repair == .unsafe }
    let repaired = ours.filter { encodes || $0.repair != .unsafe }
    let edits = repaired.compactMap(\.edit)
    let recipe =
      encodes
      ? Recipe(encoding: facts, for: profiles, repaired.edit)
      : Recipe(copying: facts, for: profiles, repairing: Set(repaired.compactMap(\.repair)))
    guard !repaired.isEmpty, let recipe else { return }
    var output = path
    output.extension = nil
    output = output.suffixed(".\(recipe.container.rawValue)")
    // An animation that only has to become a video has more options there.
    let command =
      if facts.isAnimation, output != path, edits.allSatisfy({ $0 == ClipEdit() }),
        let size = recipe.encoding?.size
      {
        ["artworkd", "import", ShellWord.quoted(path), "-o", ShellWord.quoted(output)]
          + ["--size", size.description]
      } else {
        ["artworkd", "repair", ShellWord.quoted(path), "--in-place"] + (encodes ? ["--unsafe"] : [])
          + (key == assumedKey(facts) ? [] : key.map { ["--key", $0.rawValue] } ?? [])
          + (profiles.map(\.name) == [Profile.nowPlaying.name]
            ? [] : ["--profile", profiles.map(\.name).joined(separator: ",")])
      }
    for index in findings.indices where repaired.contains(findings[index]) {
      findings[index].command = command.joined(separator: " ")
    }
  }

  /// The key of the file if none is stated.
  private func assumedKey(_ facts: MediaFacts) -> ArtworkKey {
    ArtworkKey(fileName: path.lastComponent?.string ?? "")
      ?? ArtworkKey(nearestTo: facts.displayAspectRatio)
  }

  /// The ids of the rules that are broken as errors, in the order of the findings.
  package var brokenRules: [String] { findings.filter { $0.severity == .error }.map(\.rule) }
}
