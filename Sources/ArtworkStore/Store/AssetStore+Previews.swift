package import ArtworkModel
import ArtworkPipeline
internal import Logging
import Synchronization
import SystemPackage

/// A preview of a video in one size.
struct PreviewKey: Hashable {
  var digest: String
  var size: PixelSize
}

extension AssetStore {
  /// The tag of the preview that ``preview(_:inside:)`` would return, if that preview is stored. Does not read the disk.
  package func previewTag(_ reference: ArtworkReference, inside box: PixelSize? = nil) -> String? {
    let hit = core.state.withLock { state -> (key: PreviewKey, mustWriteUses: Bool)? in
      guard let digest = state.artworks[reference]?.digest, let asset = state.assets[digest] else {
        return nil
      }
      let (size, file) = Self.fit(asset, inside: box)
      guard asset.previews[file] != nil else { return nil }
      state.counters.previewHits += 1
      return (PreviewKey(digest: digest, size: size), state.use(digest, preview: file))
    }
    guard let hit else { return nil }
    if hit.mustWriteUses { core.writeUsesSoon() }
    return Self.tag(hit.key.digest, hit.key.size)
  }

  /// The preview, fitted inside `box` and never enlarged. Concurrent callers share one decode; a caller that is
  /// cancelled does not disturb the others.
  ///
  /// - Throws: as ``prepare(_:)``.
  package func preview(
    _ reference: ArtworkReference, inside box: PixelSize? = nil
  ) async throws(StoreError) -> StoredPreview {
    // A video that is evicted between two steps is brought again, but not for ever.
    for _ in 0..<3 {
      let digest = try await prepare(reference)
      guard let asset = core.state.withLock({ $0.assets[digest] }) else { continue }
      let (size, file) = Self.fit(asset, inside: box)
      let png: [UInt8]?
      if asset.previews[file] == nil {
        core.state.withLock { $0.counters.previewMisses += 1 }
        png = try await drawings.value(for: PreviewKey(digest: digest, size: size)) {
          () async throws(StoreError) in
          try await self.draw(digest, size)
        }
        if png != nil { core.touch(digest) }
      } else {
        core.state.withLock { $0.counters.previewHits += 1 }
        let path = core.layout.asset(digest).appending(file)
        png = try await onDisk { _ throws(StoreError) in
          Candidate(path: path).contents(atMost: 1 << 30)
        }
        if png != nil {
          core.touch(digest, preview: file)
        } else {
          // Another program has removed it: it is drawn again.
          core.state.withLock { $0.assets[digest]?.forgetPreview(file) }
        }
      }
      if let png { return StoredPreview(png: png, size: size, tag: Self.tag(digest, size)) }
    }
    throw StoreError.evictedAtOnce(reference)
  }

  /// - Returns: a PNG file; `nil` when the video was evicted meanwhile.
  private func draw(_ digest: String, _ size: PixelSize) async throws(StoreError) -> [UInt8]? {
    guard try await isSound(digest), let asset = core.state.withLock({ $0.assets[digest] }) else {
      return nil
    }
    core.state.withLock { $0.counters.inspections += 1 }
    let drawn = try await inspect(
      core.layout.asset(digest).appending(asset.file), InspectionRequest(preview: .fitted(size)))
    let png = drawn.preview ?? []
    do throws(StoreError) {
      try await onDisk { core throws(StoreError) in try core.keep(png, size, of: digest) }
    } catch {
      // The caller gets it anyway; the next one has it drawn again.
      logger.warning("a preview cannot be kept", metadata: ["error": "\(error)"])
    }
    return png
  }

  private static func fit(
    _ asset: StoreState.Asset, inside box: PixelSize?
  ) -> (size: PixelSize, file: String) {
    let size = box.map { asset.previewSize.limited(to: $0) } ?? asset.previewSize
    return (size, asset.previewFile(size))
  }

  /// Half of a SHA-256 is unique enough.
  private static func tag(_ digest: String, _ size: PixelSize) -> String {
    "\(digest.prefix(32))-\(size)"
  }
}

extension StoreError {
  /// A cache that evicts everything at once leaves nothing to return.
  static func evictedAtOnce(_ reference: ArtworkReference) -> StoreError {
    StoreError(.noSpace, "\(reference) is evicted as soon as it is stored")
  }

  static let cancelled = StoreError(.late, "the request was cancelled")
}
