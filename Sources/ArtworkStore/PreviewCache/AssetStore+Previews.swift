package import ArtworkModel
import ArtworkPipeline
internal import Logging
import Synchronization
import SystemPackage

/// A preview of a video in one size and one format.
struct PreviewKey: Hashable {
  var digest: String
  var size: PixelSize
  var format: PictureFormat

  /// A strong ETag without its quotes. Half of a SHA-256 is unique enough.
  var tag: String {
    let suffix = format.encoder.map { ".\($0).\(format.fileExtension)" } ?? ""
    return "\(digest.prefix(32))-\(size)\(suffix)"
  }
}

extension AssetStore {
  /// The tag of the preview that ``preview(_:inside:as:)`` would return, if that preview is stored. Does not read the disk.
  package func previewTag(
    _ reference: ArtworkReference, inside box: PixelSize? = nil, as formats: [PictureFormat] = []
  ) -> String? {
    let hit = core.state.withLock { state -> (key: PreviewKey, mustWriteUses: Bool)? in
      guard let digest = state.artworks[reference]?.digest, let asset = state.assets[digest] else {
        return nil
      }
      let key = Self.key(digest, asset.previewSize, inside: box, as: formats)
      let file = asset.previewFile(key)
      guard asset.previews[file] != nil else { return nil }
      state.counters.previewHits += 1
      return (key, state.use(digest, preview: file))
    }
    guard let hit else { return nil }
    if hit.mustWriteUses { core.writeUsesSoon() }
    return hit.key.tag
  }

  /// The preview, fitted inside `box` and never enlarged. The first one in a size and format is made from the stored
  /// picture; concurrent callers share that, and a caller that is cancelled does not disturb the others.
  ///
  /// - Parameter formats: the first that can hold the picture is taken, and PNG if none can.
  /// - Throws: as ``prepare(_:)``.
  package func preview(
    _ reference: ArtworkReference, inside box: PixelSize? = nil, as formats: [PictureFormat] = []
  ) async throws(StoreError) -> StoredPreview {
    // A video that is evicted between two steps is brought again, but not for ever.
    for _ in 0..<3 {
      if let kept = try await storedPreview(reference, inside: box, as: formats) { return kept }
      let digest: String
      do throws(StoreError) {
        digest = try await prepare(reference)
      } catch {
        guard error.code == .noSpace,
          try await onDisk({ core throws(StoreError) in try core.registerStill(reference) }),
          let kept = try await storedPreview(reference, inside: box, as: formats)
        else { throw error }
        return kept
      }
      guard let asset = core.state.withLock({ $0.assets[digest] }) else { continue }
      let key = Self.key(digest, asset.previewSize, inside: box, as: formats)
      let file = asset.previewFile(key)
      let bytes: [UInt8]?
      if asset.previews[file] == nil {
        core.state.withLock { $0.counters.previewMisses += 1 }
        bytes = try await drawings.value(for: key) { () async throws(StoreError) in
          try await self.draw(key)
        }
        if bytes != nil { core.touch(digest) }
      } else {
        core.state.withLock { $0.counters.previewHits += 1 }
        let path = core.layout.asset(digest).appending(file)
        bytes = try await disk.run { _ throws(StoreError) in
          Candidate(path: path).contents(atMost: Self.largestFile)
        }
        if bytes != nil {
          core.touch(digest, preview: file)
        } else {
          // Another program has removed it: it is made again.
          core.state.withLock { $0.assets[digest]?.forgetPreview(file) }
        }
      }
      if let bytes {
        return StoredPreview(bytes: bytes, format: key.format, size: key.size, tag: key.tag)
      }
    }
    throw StoreError.evictedAtOnce(reference)
  }

  /// Bytes; more than the largest preview takes.
  private static let largestFile = 1 << 30

  private static func key(
    _ digest: String, _ whole: PixelSize, inside box: PixelSize?, as formats: [PictureFormat]
  ) -> PreviewKey {
    let size = box.map { whole.limited(to: $0) } ?? whole
    return PreviewKey(
      digest: digest, size: size, format: formats.first { $0.holds(size) } ?? .png)
  }

  /// The preview of an artwork whose video is not stored, from the picture that was kept; `nil` if there is none.
  private func storedPreview(
    _ reference: ArtworkReference, inside box: PixelSize?, as formats: [PictureFormat]
  ) async throws(StoreError) -> StoredPreview? {
    guard let still = core.still(reference) else { return nil }
    let key = Self.key(still.digest, still.size, inside: box, as: formats)
    let path = core.layout.still(still.digest)
    let bytes = try await drawings.value(for: key) { () async throws(StoreError) in
      try await self.reduce(path, of: still.size, to: key)
    }
    guard let bytes else {
      core.removeStill(still.digest)
      return nil
    }
    return StoredPreview(bytes: bytes, format: key.format, size: key.size, tag: key.tag)
  }

  // MARK: Drawing

  /// - Returns: a file in the format; `nil` when the video was evicted meanwhile.
  private func draw(_ key: PreviewKey) async throws(StoreError) -> [UInt8]? {
    guard let asset = core.state.withLock({ $0.assets[key.digest] }) else { return nil }
    let original = PreviewKey(digest: key.digest, size: asset.previewSize, format: .png)
    let path = core.layout.asset(key.digest).appending(StoreLayout.previewFile)
    if key != original, let file = try await reduce(path, of: original.size, to: key) {
      await keep(file, key)
      return file
    }
    // The stored picture is missing or damaged.
    guard try await isSound(key.digest) else { return nil }
    let drawn = try await inspect(
      core.layout.asset(key.digest).appending(asset.file),
      InspectionRequest(preview: .original, onlyPreview: true, still: core.isCover(key.digest)))
    let png = drawn.preview ?? []
    await keep(png, original)
    if key == original { return png }
    guard let file = try await reduce(path, png, of: original.size, to: key) else {
      throw StoreError(.failed, "the preview of the video cannot be read")
    }
    await keep(file, key)
    return file
  }

  /// Makes a preview from the one in the video's own size.
  ///
  /// - Parameters:
  ///   - path: of the latter, of the size `whole`.
  ///   - png: its contents, if they are not to be read.
  /// - Returns: `nil` when that file is missing or damaged.
  func reduce(
    _ path: FilePath, _ png: [UInt8]? = nil, of whole: PixelSize, to key: PreviewKey
  ) async throws(StoreError) -> [UInt8]? {
    try await processor.run { _ throws(StoreError) in
      if key.size == whole, key.format == .png {
        return png ?? Candidate(path: path).contents(atMost: Self.largestFile)
      }
      let picture: PixelImage
      if let known = self.pictures.withLock({ $0.value(for: key.digest) }) {
        picture = known
      } else {
        guard let bytes = png ?? Candidate(path: path).contents(atMost: Self.largestFile),
          let read = PNGDecoder.decode(bytes), read.size == whole
        else { return nil }
        self.pictures.withLock { _ = $0.insert(read, for: key.digest, cost: read.bytes.count) }
        picture = read
      }
      do throws(InspectionError) {
        return try key.format.encode(try picture.scaledDown(to: key.size))
      } catch {
        throw StoreError(.failed, "the preview cannot be made: \(error)", inspection: error)
      }
    }
  }

  /// A file that cannot be kept is made again for the next caller.
  private func keep(_ file: [UInt8], _ key: PreviewKey) async {
    do throws(StoreError) {
      try await onDisk { core throws(StoreError) in try core.keep(file, key) }
    } catch {
      logger.warning("a preview cannot be kept", metadata: ["error": "\(error)"])
    }
  }
}

extension StoreError {
  /// A cache that evicts everything at once leaves nothing to return.
  static func evictedAtOnce(_ reference: ArtworkReference) -> StoreError {
    StoreError(Code.noSpace, "\(reference) is evicted as soon as it is stored")
  }

  static let cancelled = StoreError(.late, "the request was cancelled")
}
