extension Batch {
  /// The evidence that lets a report be merged with those of other runs. Reads the whole file, unless the digester
  /// knows it.
  ///
  /// - Parameters:
  ///   - file: the downloaded file. Its modification time is unknown.
  ///   - before: the states of the files before the report was made.
  func evidence(
    _ request: Batch.EvidenceRequest, of index: Int, _ report: CandidateReport,
    _ file: FetchedFile?, _ before: Evidence.Files?, in catalogue: Catalogue
  ) -> Evidence {
    let candidate = catalogue.candidates[index]
    let release = catalogue.releaseOf[index]
    let state = FileStamp(of: file?.candidate ?? candidate)?.state
    let files = Evidence.Files(of: index, in: catalogue)
    return Evidence(
      place: catalogue.places[index], configuration: request.configuration,
      judges: profiles(for: candidate.path).map { profile in
        let severities = profile.severities.filter { Rules.acrossReleases.contains($0.key) }
        return Evidence.Judge(
          name: profile.name, severities: severities.isEmpty ? nil : severities)
      },
      bytes: state?.size, modified: file == nil && files == before ? files.modified : nil,
      stills: files.stills,
      digest: release == nil || state?.comparedSize == nil
        ? nil : request.digester.digest(of: file?.candidate ?? candidate)?.hexadecimal,
      release: release.flatMap { catalogue.folderName(ofRelease: $0) },
      key: release == nil ? nil : catalogue.key(of: index),
      cover: release.flatMap { catalogue.releases[$0].cover?.path.string },
      error: report.error.flatMap { $0.operation == nil ? nil : $0 },
      signature: report.inspection?.firstFrame)
  }
}

extension Evidence {
  /// A candidate and the pictures beside it, in their present state.
  struct Files: Equatable {
    var bytes: Int64?
    var modified: Int64?
    var stills: [Still]?

    init(of index: Int, in catalogue: Catalogue) {
      let state = FileStamp(of: catalogue.candidates[index])?.state
      bytes = state?.size
      modified = state?.modifiedMicroseconds
      let stills = (catalogue.previews[index] ?? [:]).values.map { still in
        let state = FileStamp(of: still)?.state
        return Still(
          path: still.path.string, bytes: state?.size, modified: state?.modifiedMicroseconds)
      }
      self.stills = stills.isEmpty ? nil : stills.sorted { $0.path < $1.path }
    }
  }

  /// Whether the file and the pictures beside it are unchanged, and a run with the same configuration would give the
  /// same result.
  func holds(for index: Int, in catalogue: Catalogue, configuration: String) -> Bool {
    guard bytes != nil, modified != nil, configuration == self.configuration else { return false }
    let files = Files(of: index, in: catalogue)
    return (files.bytes, files.modified) == (bytes, modified) && files.stills == stills
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
  /// Rules that compare releases with each other, so that no shard can decide them.
  static let acrossReleases: Set = [ArtworkIDReuseRule.id, DuplicateContentRule.id]
}

extension Shard {
  /// Whether the release with this name belongs to the shard: the first 8 bytes of the SHA-256 of its UTF-8, as a
  /// big-endian number, modulo ``count``.
  package func holds(_ name: String) -> Bool {
    guard let digest = try? SHA256.digest(of: Array(name.utf8)) else { return index == 1 }
    let number = digest.prefix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    return number % UInt64(count) == UInt64(index - 1)
  }
}
