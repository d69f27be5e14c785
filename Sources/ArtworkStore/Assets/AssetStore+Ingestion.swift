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
    if let refusal = refusedSources.withLock({ $0.value(for: reference) }) { throw refusal }
    do throws(StoreError) {
      return try await ingestions.value(for: Ingestion(reference: reference, source: source)) {
        () async throws(StoreError) in
        try await self.ingest(
          StoreCore.Claim(reference: reference, source: source, formerSource: source))
      }
    } catch {
      // An error of a source that was replaced meanwhile does not apply to the new one.
      if core.record(reference)?.source == source || Task.isCancelled { throw error }
      return try await prepare(reference)
    }
  }

  private func ingest(_ claim: StoreCore.Claim) async throws(StoreError) -> String {
    // It may have been stored since.
    if let digest = core.present(claim.reference) { return digest }
    do throws(StoreError) {
      let staged =
        if let file = try claim.source.localFile() {
          try await stage(file.path, file.immutable)
        } else if case .url(let url) = claim.source {
          try await download(url)
        } else {
          throw StoreError(.failed, "the source is neither a file nor a URL")
        }
      defer { discard(staged) }
      return try await publish(staged, as: claim)
    } catch {
      if error.code == .noSpace {
        sourcesWithoutRoom.withLock { _ = $0.insert(error, for: claim.reference) }
        notifyChange(of: claim.reference)
      }
      // A cancelled ingestion, or one from a source that was replaced meanwhile, refuses nothing.
      if !Task.isCancelled, core.record(claim.reference)?.source == claim.source,
        [.refused, .conflict, .sourceUnavailable, .sourceNotAllowed].contains(error.code)
      {
        refusedSources.withLock { _ = $0.insert(error, for: claim.reference) }
        notifyChange(of: claim.reference)
      }
      throw error
    }
  }

  /// Stops the ingestion from a former source; its callers continue with the new one.
  func cancelIngestion(
    of reference: ArtworkReference, from former: ArtworkSource?,
    unless source: ArtworkSource? = nil
  ) {
    guard let former, former != source else { return }
    let ingestion = Ingestion(reference: reference, source: former)
    ingestions.cancel { $0 == ingestion }
  }

  // MARK: Staging

  func stage(_ path: FilePath, _ immutable: Bool) async throws(StoreError) -> StagedVideo {
    let (layout, limit) = (core.layout, largestVideo)
    return try await workers.run { isCancelled throws(StoreError) in
      try StagedVideo.create(
        path, immutable: immutable, into: layout, limit: limit, isCancelled: isCancelled)
    }
  }

  /// - Throws: `source-not-allowed` when the store has no fetcher.
  func allowedFetcher(_ url: String) throws(StoreError) -> any ArtworkFetcher {
    guard let fetcher else {
      throw StoreError(
        .sourceNotAllowed, "URLs are not allowed as sources without --allow-source: \(url)")
    }
    return fetcher
  }

  private func download(_ url: String) async throws(StoreError) -> StagedVideo {
    let fetcher = try allowedFetcher(url)
    let isFree = downloads.withLock { count in
      if count >= Self.downloadLimit { return false }
      count += 1
      return true
    }
    guard isFree else {
      throw StoreError(
        .busy, "\(Self.downloadLimit) downloads are running; ask again in a moment")
    }
    defer { downloads.withLock { $0 -= 1 } }
    core.state.withLock { $0.counters.fetches += 1 }
    let path = url.prefix { !"?#".contains($0) }
    let name = FilePath(String(path)).extension
    let (layout, limit) = (core.layout, largestVideo)
    let incoming = try await onDisk { _ throws(StoreError) in
      try IncomingVideo(extension: name, in: layout)
    }
    defer { incoming.endWriting() }
    try await fetcher.fetch(url, into: incoming.descriptor, byteLimit: limit)
    return try await workers.run { _ throws(StoreError) in try incoming.finish() }
  }

  /// The most bytes of a video. One larger than the budget could not be kept.
  private var largestVideo: Int64 { min(options.videoByteLimit, options.byteBudget) }

  /// Downloads in parallel; each may fill the disk with the largest video.
  private static let downloadLimit = 4

  /// Removes a staged video that was not published. After a cancellation, another caller may still wait for its
  /// inspection; it is then removed with the last reference to it.
  func discard(_ staged: StagedVideo) { if !Task.isCancelled { staged.remove() } }

  // MARK: Publishing

  /// Inspects a staged video and makes it the artwork's. Callers with the same bytes share one inspection.
  func publish(
    _ staged: StagedVideo, as claim: StoreCore.Claim
  ) async throws(StoreError) -> String {
    let reference = claim.reference
    try core.checkIdentity(reference, staged.digest)
    let kind = FileKind(digest: staged.digest, isCover: reference.key == nil)
    if let refusal = refusedFiles.withLock({ $0.value(for: kind) }) { throw refusal }
    // A stored video that another program has written to is replaced by this one.
    var isStored = core.isStored(staged.digest)
    if isStored { isStored = try await isSound(staged.digest) }
    if isStored {
      isStored = try await onDisk { core throws(StoreError) in
        guard try core.register(staged.digest, as: claim) else { return false }
        if let key = reference.key { core.judge([key: reference.artworkID]) }
        return true
      }
    }
    if !isStored {
      let inspected = try await inspections.value(for: kind) { () async throws(StoreError) in
        try await self.inspect(staged, kind)
      }
      try await onDisk { core throws(StoreError) in
        do throws(StoreError) {
          try core.publish(
            staged, inspected.inspection, preview: inspected.preview ?? [], as: claim)
        } catch {
          if error.code == .noSpace {
            try core.keepStill(
              staged.digest, inspected.inspection, inspected.preview ?? [], of: reference)
          }
          throw error
        }
      }
    }
    refusedSources.withLock { $0.removeValue(for: reference) }
    sourcesWithoutRoom.withLock { $0.removeValue(for: reference) }
    notifyChange(of: reference)
    return staged.digest
  }

  private func inspect(
    _ staged: StagedVideo, _ kind: FileKind
  ) async throws(StoreError) -> InspectedCandidate {
    core.state.withLock { $0.counters.inspections += 1 }
    do throws(StoreError) {
      return try await inspect(
        staged.path, InspectionRequest(preview: .original, still: kind.isCover))
    } catch {
      if error.code == .refused {
        core.state.withLock { $0.counters.refusals += 1 }
        refusedFiles.withLock { _ = $0.insert(error, for: kind) }
      }
      throw error
    }
  }

  func inspect(
    _ path: FilePath, _ request: InspectionRequest
  ) async throws(StoreError) -> InspectedCandidate {
    let inspector = inspector
    return try await workers.run { isCancelled throws(StoreError) in
      do throws(InspectionError) {
        return try inspector.inspect(Candidate(path: path), request, isCancelled: isCancelled)
      } catch {
        guard !isCancelled() else { throw StoreError.cancelled }
        // Other failures, such as a full disk, do not depend on the file.
        guard error.isOfTheFile || [.timedOut, .outOfMemory, .decoderCrashed].contains(error.code)
        else {
          throw StoreError(
            .failed, "the \(request.still ? "cover" : "video") could not be inspected: \(error)",
            inspection: error)
        }
        throw StoreError(
          .refused, "the \(request.still ? "cover" : "video") cannot be used: \(error)",
          inspection: error)
      }
    }
  }
}
