import ArtworkModel
import ArtworkPipeline
import Synchronization
import SystemPackage

/// An artwork's video on its way from a source into the store.
struct Ingestion: Hashable {
  var reference: ArtworkReference
  var source: ArtworkSource
}

/// The bytes of a file and what they are taken for.
struct FileKind: Hashable {
  /// Hexadecimal SHA-256.
  var digest: String
  /// A static cover instead of a video.
  var isCover: Bool
}

extension AssetStore {
  /// Takes in a file: stages and hashes it, registers it as the source unless the artwork stands for other bytes, inspects
  /// it and publishes it.
  func takeIn(_ source: ArtworkSource, as reference: ArtworkReference) async throws(StoreError) {
    let staged = try await stage(source, for: reference)
    defer { discard(staged) }
    try core.checkIdentity(reference, staged.digest)
    // An artwork that stands for bytes keeps its source until the new ones turn out to be the same.
    let now = try await register(source, as: reference, keepsKnown: true)
    let claim = StoreCore.Claim(reference: reference, source: source, formerSource: now)
    do throws(StoreError) {
      try await ingest(claim, staged)
    } catch {
      // That is its status from now on.
      guard error.code == .refused else { throw error }
    }
  }

  /// Makes sure that an artwork's video is stored.
  ///
  /// - Returns: its digest.
  /// - Throws: `unknown-artwork`, `refused`, `conflict`, `source-unavailable`, `busy`, `no-space`, `late`.
  @discardableResult
  func prepare(_ reference: ArtworkReference) async throws(StoreError) -> String {
    if let digest = core.present(reference) { return digest }
    guard let source = core.record(reference)?.source else {
      throw StoreError(
        .unknownArtwork, "no source is registered for \(reference); PUT one first")
    }
    if let refusal = refusal(of: reference) { throw refusal }
    do throws(StoreError) {
      return try await ingest(
        StoreCore.Claim(reference: reference, source: source, formerSource: source))
    } catch {
      // An error of a source that was replaced meanwhile does not apply to the new one.
      if core.record(reference)?.source == source || Task.isCancelled { throw error }
      return try await prepare(reference)
    }
  }

  /// Registers a source, with the cover beside its file, and stops the ingestion from the former one, whose callers continue
  /// with the new one.
  ///
  /// - Returns: the source now, see ``StoreCore/register(_:_:keepsKnown:)``.
  @discardableResult
  func register(
    _ source: ArtworkSource, as reference: ArtworkReference, keepsKnown: Bool = false
  ) async throws(StoreError) -> ArtworkSource {
    let (now, former) = try await onDisk { core throws(StoreError) in
      try core.register(reference, source, keepsKnown: keepsKnown)
    }
    if let former, former != now { cancelIngestion(of: reference, from: former) }
    refusals[.source(reference)] = nil
    if reference.key != nil, let file = try source.localFile() {
      await registerCover(beside: file.path, of: reference.artworkID)
    }
    return now
  }

  func cancelIngestion(of reference: ArtworkReference, from source: ArtworkSource) {
    let ingestion = Ingestion(reference: reference, source: source)
    ingestions.cancel { $0 == ingestion }
  }

  /// Why the source of an artwork cannot be used; `nil` also for one that merely had no room.
  func refusal(of reference: ArtworkReference) -> StoreError? {
    refusals[.source(reference)].flatMap { $0.code == .noSpace ? nil : $0 }
  }

  /// Publishes the video of a source once for all who wait for it.
  ///
  /// - Parameter staged: its file, if it is at hand.
  @discardableResult
  private func ingest(
    _ claim: StoreCore.Claim, _ staged: StagedVideo? = nil
  ) async throws(StoreError) -> String {
    let ingestion = Ingestion(reference: claim.reference, source: claim.source)
    return try await ingestions.value(for: ingestion) { () async throws(StoreError) in
      do throws(StoreError) {
        if let staged { return try await self.publish(staged, as: claim) }
        // It may have been stored since.
        if let digest = self.core.present(claim.reference) { return digest }
        let staged = try await self.stage(claim.source, for: claim.reference)
        defer { self.discard(staged) }
        return try await self.publish(staged, as: claim)
      } catch {
        self.remember(error, of: claim)
        throw error
      }
    }
  }

  /// A cancelled ingestion, or one from a source that was replaced meanwhile, refuses nothing.
  private func remember(_ error: StoreError, of claim: StoreCore.Claim) {
    guard !Task.isCancelled, core.record(claim.reference)?.source == claim.source,
      [.refused, .conflict, .sourceUnavailable, .sourceNotAllowed, .noSpace].contains(error.code)
    else { return }
    refusals[.source(claim.reference)] = error
    notifyChange(of: claim.reference)
  }

  // MARK: Staging

  private func stage(
    _ source: ArtworkSource, for reference: ArtworkReference
  ) async throws(StoreError) -> StagedVideo {
    let isFirst: @Sendable () -> Bool = { self.isPublished(reference) }
    // One larger than the budget could not be kept.
    let (layout, limit) = (core.layout, min(options.videoByteLimit, options.byteBudget))
    if let file = try source.localFile() {
      return try await intake.run(first: isFirst) { isCancelled throws(StoreError) in
        try StagedVideo.create(
          file.path, immutable: file.immutable, into: layout, limit: limit,
          isCancelled: isCancelled)
      }
    }
    guard case .url(let url) = source else {
      throw StoreError(.failed, "the source is neither a file nor a URL")
    }
    return try await download(url, limit, first: isFirst)
  }

  /// - Throws: `source-not-allowed` when the store has no fetcher.
  func allowedFetcher(_ url: String) throws(StoreError) -> any ArtworkFetcher {
    guard let fetcher else {
      throw StoreError(
        .sourceNotAllowed, "URLs are not allowed as sources without --allow-source: \(url)")
    }
    return fetcher
  }

  private func download(
    _ url: String, _ limit: Int64, first isFirst: @escaping @Sendable () -> Bool
  ) async throws(StoreError) -> StagedVideo {
    let fetcher = try allowedFetcher(url)
    let host = (try? WebAddress(url))?.host ?? ""
    try await downloads.take(host, first: isFirst)
    defer { downloads.giveBack(host) }
    let (name, layout) = (
      FilePath(String(url.prefix { !"?#".contains($0) })).extension, core.layout
    )
    let incoming = try await disk.run { _ throws(StoreError) in
      try IncomingVideo(extension: name, in: layout)
    }
    defer { incoming.endWriting() }
    try await fetcher.fetch(url, into: incoming.descriptor, byteLimit: limit) {
      [downloads] in downloads.isCrowded
    }
    return try await intake.run(first: isFirst) { _ throws(StoreError) in try incoming.finish() }
  }

  /// Removes a staged video that was not published. After a cancellation, another caller may still wait for its
  /// inspection; it is then removed with the last reference to it.
  private func discard(_ staged: StagedVideo) { if !Task.isCancelled { staged.remove() } }

  // MARK: Publishing

  /// Inspects a staged video and makes it the artwork's. Callers with the same bytes share one inspection.
  private func publish(
    _ staged: StagedVideo, as claim: StoreCore.Claim
  ) async throws(StoreError) -> String {
    try core.checkIdentity(claim.reference, staged.digest)
    // A stored video that another program has written to is replaced by this one.
    let isStored = try await isSound(staged.digest)
    let isKnown =
      isStored
      ? try await onDisk { core throws(StoreError) in try core.attach(staged.digest, as: claim) }
      : false
    if !isKnown {
      let inspected = try await inspect(staged, as: claim.reference)
      try await onDisk { core throws(StoreError) in
        try core.publish(
          staged, inspected.inspection, preview: inspected.preview ?? [], as: claim)
      }
    }
    refusals[.source(claim.reference)] = nil
    notifyChange(of: claim.reference)
    return staged.digest
  }

  private func inspect(
    _ staged: StagedVideo, as reference: ArtworkReference
  ) async throws(StoreError) -> InspectedCandidate {
    let isCover = reference.key == nil
    let kind = FileKind(digest: staged.digest, isCover: isCover)
    if let refusal = refusals[.file(kind)] { throw refusal }
    return try await inspections.value(for: kind) { () async throws(StoreError) in
      do throws(StoreError) {
        return try await self.inspect(
          staged.path, InspectionRequest(preview: .original, still: isCover),
          first: { self.isPublished(reference) })
      } catch {
        if error.code == .refused {
          self.refusals[.file(kind)] = error
        }
        throw error
      }
    }
  }

  func inspect(
    _ path: FilePath, _ request: InspectionRequest, first isFirst: @escaping @Sendable () -> Bool
  ) async throws(StoreError) -> InspectedCandidate {
    try await inspecting.run(first: isFirst) { [inspector] isCancelled throws(StoreError) in
      do throws(InspectionError) {
        return try inspector.inspect(Candidate(path: path), request, isCancelled: isCancelled)
      } catch {
        guard !isCancelled() else { throw StoreError.cancelled }
        let title = request.still ? "cover" : "video"
        // Other failures, such as a full disk, do not depend on the file.
        guard error.isOfTheFile || [.timedOut, .outOfMemory, .decoderCrashed].contains(error.code)
        else {
          throw StoreError(
            .failed, "the \(title) could not be inspected: \(error)", inspection: error)
        }
        throw StoreError(.refused, "the \(title) cannot be used: \(error)", inspection: error)
      }
    }
  }
}
