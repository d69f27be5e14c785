import ArtworkModel
import SystemPackage

extension Batch {
  /// What a report needs to be judged with those of other runs. Reads the whole file, unless the digester knows it.
  ///
  /// - Parameter file: what was fetched. When it last changed is not known.
  func evidence(
    _ request: Batch.EvidenceRequest, of index: Int, _ report: CandidateReport,
    _ file: FetchedFile?, in catalogue: Catalogue
  ) -> Evidence {
    let candidate = catalogue.candidates[index]
    let release = catalogue.releaseOf[index]
    let state = FileStamp(of: file?.candidate ?? candidate)?.state
    return Evidence(
      place: catalogue.places[index], configuration: request.configuration,
      judges: profiles(for: candidate.path).map { profile in
        let severities = profile.severities.filter { Rules.acrossReleases.contains($0.key) }
        return Evidence.Judge(
          name: profile.name, severities: severities.isEmpty ? nil : severities)
      },
      bytes: state?.size, modified: file == nil ? state?.modifiedMicroseconds : nil,
      digest: release == nil || state?.comparedSize == nil
        ? nil : request.digester.digest(of: file?.candidate ?? candidate)?.hexadecimal,
      release: release.flatMap { catalogue.folderName(ofRelease: $0) },
      key: release == nil ? nil : catalogue.key(of: index),
      cover: release.flatMap { catalogue.releases[$0].cover?.path.string },
      signature: report.inspection?.firstFrame)
  }
}

extension Evidence {
  /// Whether the file is as it was, and a run of the same configuration would say the same.
  package func holds(for candidate: Candidate, configuration: String) -> Bool {
    guard let bytes, let modified, configuration == self.configuration,
      let state = FileStamp(of: candidate)?.state
    else { return false }
    return state.size == bytes && state.modifiedMicroseconds == modified
  }
}

extension FileState {
  /// When the content last changed, since 1970; exact in JSON readers that take numbers for `Double`.
  fileprivate var modifiedMicroseconds: Int64 {
    modified.components.seconds.multipliedClamped(by: 1_000_000)
      .addingClamped(modified.components.attoseconds / 1_000_000_000_000)
  }
}

extension Rules {
  /// Rules that compare releases with one another, so that no part of a catalogue can decide on them.
  static let acrossReleases: Set = [ArtworkIDReuseRule.id, DuplicateContentRule.id]
}

extension Shard {
  /// Whether what has this name belongs to the shard: by the first 8 bytes of the SHA-256 of its UTF-8 as a big-endian
  /// number, modulo ``count``.
  func holds(_ name: String) -> Bool {
    guard let digest = try? SHA256.digest(of: Array(name.utf8)) else { return index == 1 }
    let number = digest.prefix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    return number % UInt64(count) == UInt64(index - 1)
  }
}
