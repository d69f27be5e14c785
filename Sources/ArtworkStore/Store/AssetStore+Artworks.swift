package import ArtworkModel
import ArtworkPipeline
import Synchronization
import SystemPackage

extension AssetStore {
  /// Registers the source of an artwork. A file is taken in now, a URL on the first request.
  ///
  /// - Returns: what the store has of it now, and whether it is new.
  /// - Throws: `conflict` for other bytes under an ID that has some; `source-not-allowed`, `source-unavailable`,
  ///   `busy`, `no-space`. A video that cannot be used is not an error: its status is `refused`.
  package func put(
    _ reference: ArtworkReference, _ source: ArtworkSource
  ) async throws(StoreError) -> (artwork: StoredArtwork, isNew: Bool) {
    let isNew = core.record(reference) == nil
    switch source {
    case .url(let url):
      try allowedFetcher(url).check(url)
      let (_, former) = try await onDisk { core throws(StoreError) in
        try core.register(reference, source)
      }
      cancelIngestion(of: reference, from: former, unless: source)
      refusedSources.withLock { $0.removeValue(for: reference) }
    case .file(let path, let immutable):
      guard path.utf8.first == UInt8(ascii: "/"), !path.utf8.contains(0) else {
        throw StoreError(.sourceUnavailable, "the path must be absolute: \(path)")
      }
      try await takeIn(FilePath(path), immutable, source, reference)
    }
    notifyChange(of: reference)
    guard let artwork = try await artwork(reference) else {
      throw StoreError(.unknownArtwork, "\(reference) was removed meanwhile")
    }
    return (artwork, isNew)
  }

  /// Takes in a file, and registers it as the source unless the artwork stands for other bytes.
  private func takeIn(
    _ path: FilePath, _ immutable: Bool, _ source: ArtworkSource, _ reference: ArtworkReference
  ) async throws(StoreError) {
    let staged = try await stage(path, immutable)
    defer { discard(staged) }
    try core.checkIdentity(reference, staged.digest)
    refusedSources.withLock { $0.removeValue(for: reference) }
    // An artwork that stands for bytes keeps its source until the new ones turn out to be the same.
    let (now, former) = try await onDisk { core throws(StoreError) in
      try core.register(reference, source, keepsKnown: true)
    }
    cancelIngestion(of: reference, from: former, unless: now)
    do throws(StoreError) {
      _ = try await publish(
        staged, as: StoreCore.Claim(reference: reference, source: source, formerSource: now))
    } catch {
      guard error.code == .refused else { throw error }
      refusedSources.withLock { _ = $0.insert(error, for: reference) }
    }
  }

  /// `nil` for an artwork without a registered source.
  package func artwork(_ reference: ArtworkReference) async throws(StoreError) -> StoredArtwork? {
    guard let artwork = describe(reference) else { return nil }
    guard let digest = artwork.digest, artwork.status == .ready else { return artwork }
    var described = artwork
    described.inspection = try await onDisk { core throws(StoreError) in core.inspection(digest) }
    return described
  }

  /// All artworks, without their inspections, in the order of their IDs.
  package func artworks() -> [StoredArtwork] {
    core.state.withLock { Array($0.artworks.keys) }.compactMap(describe).sorted {
      ($0.reference.artworkID.text, $0.reference.key.rawValue)
        < ($1.reference.artworkID.text, $1.reference.key.rawValue)
    }
  }

  /// An artwork without its inspection. Does not read the disk.
  func describe(_ reference: ArtworkReference) -> StoredArtwork? {
    let known = core.state.withLock { state in
      state.artworks[reference].map { artwork in
        (
          artwork, artwork.digest.flatMap { state.assets[$0]?.videoBytes },
          state.leaseCount(reference)
        )
      }
    }
    guard let (artwork, bytes, leases) = known else { return nil }
    let refusal = refusedSources.withLock { $0.value(for: reference) }
    let status: ArtworkStatus =
      if bytes != nil {
        .ready
      } else if ingestions.contains(Ingestion(reference: reference, source: artwork.source)) {
        .preparing
      } else if refusal != nil {
        .refused
      } else { .registered }
    return StoredArtwork(
      reference: reference, source: artwork.source, status: status, digest: artwork.digest,
      bytes: bytes, error: bytes == nil ? refusal : nil, leases: leases)
  }

  /// `nil` for an artwork without a registered source. Does not read the disk.
  package func status(_ reference: ArtworkReference) -> ArtworkStatus? {
    describe(reference)?.status
  }

  /// The rules of ``Options/profile`` that an artwork breaks as errors; `nil` while its video is not stored. May read
  /// the index once.
  func brokenRules(_ reference: ArtworkReference) -> [String]? {
    core.present(reference).flatMap { core.brokenRules($0, as: reference.key) }
  }

  /// What a presentation depends on. May read the index once.
  func availability(_ reference: ArtworkReference) -> ArtworkAvailability {
    guard let artwork = describe(reference) else { return .unknown }
    switch artwork.status {
    case .ready: return .ready(broken: brokenRules(reference) ?? [])
    case .registered, .preparing: return .registered
    case .refused:
      return .refused(
        code: artwork.error?.code.rawValue ?? "refused", message: artwork.error?.message ?? "")
    }
  }

  /// Removes an artwork, and its video unless another artwork has the same.
  ///
  /// - Returns: `false` when the artwork is unknown.
  /// - Throws: `in-use` while a session publishes it.
  package func remove(_ reference: ArtworkReference) async throws(StoreError) -> Bool {
    let former = core.record(reference)?.source
    let wasThere = try await onDisk { core throws(StoreError) in try core.forget(reference) }
    if wasThere { cancelIngestion(of: reference, from: former) }
    refusedSources.withLock { $0.removeValue(for: reference) }
    if wasThere { notifyChange(of: reference) }
    return wasThere
  }
}
