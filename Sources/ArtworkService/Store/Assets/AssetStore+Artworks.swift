package import ArtworkModel
package import ArtworkPipeline
import Synchronization
import SystemPackage

extension AssetStore {
  /// Registers the source of an artwork. A file is taken in now, a URL on the first request.
  ///
  /// A known source whose file has gone stays known while its video is stored.
  ///
  /// - Parameters:
  ///   - prepares: whether a file is taken in now; `false` leaves that to the first request.
  ///   - preview: the absolute path of a picture that is the preview until the video is stored.
  /// - Returns: what the store has of it now, whether it is new, and the size of a preview that is ignored, since it has
  ///   another shape.
  /// - Throws: `conflict` for other bytes under an ID that has some; `bad-request`, `source-not-allowed`,
  ///   `source-unavailable`, `busy`, `no-space`. A video that cannot be used is not an error: its status is `refused`.
  package func put(
    _ reference: ArtworkReference, _ source: ArtworkSource, prepares: Bool = true,
    preview: String? = nil
  ) async throws(StoreError) -> (artwork: ArtworkRecord, isNew: Bool, ignored: PixelSize?) {
    let former = core.record(reference)
    let file = try source.localFile()
    if file == nil, case .url(let url) = source { try allowedFetcher(url).check(url) }
    var ignored: PixelSize?
    if let preview, core.present(reference) == nil {
      ignored = try await supply(preview, to: reference)
    }
    if let file, prepares {
      do throws(StoreError) { try await takeIn(source, as: reference) } catch {
        let isKnown = former?.source == source && core.present(reference) != nil
        guard isKnown, error.code == .sourceUnavailable, !file.path.exists else { throw error }
      }
    } else {
      try await register(source, as: reference)
    }
    notifyChange(of: reference)
    guard let artwork = describe(reference) else {
      throw StoreError(.unknownArtwork, "\(reference) was removed meanwhile")
    }
    return (artwork, former == nil, ignored)
  }

  /// Takes in a player's own preview. A system would ignore artwork whose preview has another shape.
  ///
  /// - Returns: its size if it has another shape.
  private func supply(
    _ preview: String, to reference: ArtworkReference
  ) async throws(StoreError) -> PixelSize? {
    guard let key = reference.key else {
      throw StoreError(.badRequest, "a cover has no preview")
    }
    let picture = try await inspect(
      FilePath(preview), InspectionRequest(preview: .original, still: true),
      first: { self.isPublished(reference) })
    guard let size = picture.inspection.previewSize, let png = picture.preview else {
      throw StoreError(.refused, "the preview cannot be used")
    }
    let aspect = Double(size.width) / Double(size.height)
    guard abs(aspect / key.aspect.value - 1) <= Self.previewTolerance else { return size }
    try await onDisk { core throws(StoreError) in try core.supplyStill(png, size, of: reference) }
    return nil
  }

  /// Beyond it, the rule `aspect-ratio` fails.
  private static let previewTolerance = 0.02

  /// The inspection of an artwork's video while it is stored, or why it was refused.
  package func inspection(
    of artwork: ArtworkRecord
  ) async throws(StoreError) -> (Inspection?, refusal: InspectionError?) {
    guard let digest = artwork.digest, artwork.status == .ready else {
      return (nil, artwork.error == nil ? nil : refusal(of: artwork.reference)?.inspection)
    }
    let inspection = try await disk.run { [core] _ throws(StoreError) in core.inspection(digest) }
    return (inspection, nil)
  }

  /// The IDs of a page, in their order.
  ///
  /// - Parameters:
  ///   - last: the last ID of the page before, whether or not it is still there.
  ///   - limit: of IDs; `nil` for all.
  package func artworkIDs(
    after last: String? = nil, limit: Int? = nil
  ) -> (ids: [ArtworkID], hasMore: Bool) {
    let all = Set(core.state.withLock { $0.artworks.keys.map(\.artworkID) })
    let rest = all.filter { id in last.map { $0 < id.text } ?? true }
      .sorted { $0.text < $1.text }
    let page = Array(rest.prefix(limit ?? rest.count))
    return (page, page.count < rest.count)
  }

  /// Artworks in the order of their IDs.
  ///
  /// - Parameter ids: those that are wanted; `nil` for all.
  package func artworks(_ ids: [ArtworkID]? = nil) -> [ArtworkRecord] {
    describe(ids) { $0.key != nil }
  }

  /// Returns static covers, like ``artworks(_:)``.
  package func covers(_ ids: [ArtworkID]? = nil) -> [ArtworkRecord] {
    describe(ids) { $0.key == nil }
  }

  private func describe(
    _ ids: [ArtworkID]?, _ matches: (ArtworkReference) -> Bool
  ) -> [ArtworkRecord] {
    let ids = ids.map(Set.init)
    return core.state.withLock { state in
      state.artworks.keys.filter { matches($0) && ids?.contains($0.artworkID) ?? true }
    }.sorted(by: ArtworkReference.precedes).compactMap(describe)
  }

  /// `nil` for an artwork without a registered source. Does not read the disk.
  package func describe(_ reference: ArtworkReference) -> ArtworkRecord? {
    let known = core.state.withLock { state in
      state.artworks[reference].map { artwork in
        (
          artwork, artwork.digest.flatMap { state.assets[$0]?.videoBytes },
          state.leaseCount(reference)
        )
      }
    }
    guard let (artwork, bytes, leases) = known else { return nil }
    let refusal = refusal(of: reference)
    let status: ArtworkStatus =
      if bytes != nil {
        .ready
      } else if refusal != nil {
        // Also when its last attempt is about to end: that has announced it.
        .refused
      } else if ingestions.contains(Ingestion(reference: reference, source: artwork.source)) {
        .preparing
      } else { .registered }
    return ArtworkRecord(
      reference, from: artwork.source, status, digest: artwork.digest, bytes: bytes,
      leases: leases, error: bytes == nil ? refusal : nil)
  }

  /// `nil` for an artwork without a registered source. Does not read the disk.
  package func status(_ reference: ArtworkReference) -> ArtworkStatus? {
    describe(reference)?.status
  }

  /// The rules of ``Options/profile`` that an artwork breaks as errors; `nil` while its video is not stored. May read
  /// the index once.
  func brokenRules(_ reference: ArtworkReference) -> [String]? {
    judged(reference)?.errors
  }

  private func judged(_ reference: ArtworkReference) -> StoreState.BrokenRules? {
    guard let digest = core.present(reference) else { return nil }
    return reference.key.map { core.brokenRules(digest, as: $0) } ?? .init()
  }

  /// The codec of an artwork's video; `nil` for a cover, and while it is not stored.
  func codec(_ reference: ArtworkReference) -> String? {
    guard reference.key != nil, let digest = core.present(reference) else { return nil }
    return core.format(digest)?.codec
  }

  /// What a presentation depends on. May read the index once.
  package func availability(_ reference: ArtworkReference) -> ArtworkAvailability {
    guard let artwork = describe(reference) else { return .unknown }
    switch artwork.status {
    case .ready:
      let rules = judged(reference) ?? .init()
      return .ready(
        broken: rules.errors, warnings: rules.warnings, codec: codec(reference))
    case .registered, .preparing:
      let hasPreview = core.hasStill(reference)
      return refusals[.source(reference)].flatMap {
        $0.code == .noSpace ? .withoutRoom(message: $0.message, hasPreview: hasPreview) : nil
      } ?? .registered(hasPreview: hasPreview)
    case .refused:
      return .refused(
        code: refusal(of: reference)?.code.rawValue ?? "refused",
        message: artwork.error?.message ?? "")
    }
  }

  /// Removes an artwork, and its video unless another artwork has the same. The cover goes with the last variant.
  ///
  /// - Returns: `false` when the artwork is unknown.
  /// - Throws: `in-use` while a session publishes it.
  package func remove(_ reference: ArtworkReference) async throws(StoreError) -> Bool {
    let former = core.record(reference)
    let publishers = publishers.withLock(\.self)
    // On the thread on which sessions change, so that none begins to publish it in between.
    let wasThere = try await onDisk { core throws(StoreError) in
      if core.record(reference) != nil, let count = publishers?(reference), count > 0 {
        throw StoreError.inUse(reference, by: count)
      }
      return try core.forget(reference)
    }
    if wasThere {
      if let former { cancelIngestion(of: reference, from: former.source) }
      if let digest = former?.digest, core.names(of: digest).isEmpty {
        renditions.cancel { $0.digest == digest }
      }
    }
    refusals[.source(reference)] = nil
    if wasThere {
      notifyChange(of: reference)
      if reference.key != nil { try await removeCover(ofLast: reference) }
    }
    return wasThere
  }
}
