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
    let suffix = format.encoder.map { ".\($0).\(format)" } ?? ""
    return "\(digest.prefix(32))-\(size)\(suffix)"
  }
}

extension AssetStore {
  /// The tag of the preview that ``preview(_:inside:as:)`` would return for a stored video. Does not read the disk.
  package func previewTag(
    _ reference: ArtworkReference, inside box: PixelSize? = nil, as formats: [PictureFormat] = []
  ) -> String? {
    let hit = core.state.withLock { state -> (tag: String, mustWriteUses: Bool)? in
      guard let digest = state.artworks[reference]?.digest, let asset = state.assets[digest] else {
        return nil
      }
      let key = Self.key(digest, asset.previewSize, inside: box, as: formats)
      return (key.tag, state.use(digest))
    }
    guard let hit else { return nil }
    if hit.mustWriteUses { core.writeUsesSoon() }
    return hit.tag
  }

  /// The preview, fitted inside `box` and never enlarged, made from the stored picture. Concurrent callers share that,
  /// and a caller that is cancelled does not disturb the others.
  ///
  /// - Parameter formats: the first that can hold the picture is taken, and PNG if none can.
  /// - Throws: as ``prepare(_:)``.
  package func preview(
    _ reference: ArtworkReference, inside box: PixelSize? = nil, as formats: [PictureFormat] = []
  ) async throws(StoreError) -> StoredPreview {
    // A video that is evicted between two steps is brought again, but not for ever.
    for _ in 0..<3 {
      if let kept = try await keptPreview(reference, inside: box, as: formats) { return kept }
      let digest: String
      do throws(StoreError) {
        digest = try await prepare(reference)
      } catch {
        guard error.code == .noSpace,
          try await onDisk({ core throws(StoreError) in try core.registerStill(reference) }),
          let kept = try await keptPreview(reference, inside: box, as: formats)
        else { throw error }
        return kept
      }
      guard let asset = core.state.withLock({ $0.assets[digest] }) else { continue }
      let key = Self.key(digest, asset.previewSize, inside: box, as: formats)
      let bytes = try await drawings.value(for: key) { () async throws(StoreError) in
        try await self.draw(key)
      }
      if let bytes {
        core.touch(digest)
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
  private func keptPreview(
    _ reference: ArtworkReference, inside box: PixelSize?, as formats: [PictureFormat]
  ) async throws(StoreError) -> StoredPreview? {
    guard let (digest, still) = core.still(reference) else { return nil }
    let key = Self.key(digest, still.size, inside: box, as: formats)
    let bytes = try await drawings.value(for: key) { () async throws(StoreError) in
      try await self.reduce(still.png, of: still.size, to: key)
    }
    return bytes.map {
      StoredPreview(bytes: $0, format: key.format, size: key.size, tag: key.tag)
    }
  }

  // MARK: Drawing

  /// - Returns: a file in the format; `nil` when the video was evicted meanwhile.
  private func draw(_ key: PreviewKey) async throws(StoreError) -> [UInt8]? {
    guard let asset = core.state.withLock({ $0.assets[key.digest] }) else { return nil }
    let path = core.layout.asset(key.digest).appending(StoreLayout.previewFile)
    if let file = try await reduce(at: path, of: asset.previewSize, to: key) { return file }
    // The stored picture is missing or damaged.
    if asset.previewBytes > 0 {
      core.noteRepair("a stored preview is damaged and drawn again", ["digest": "\(key.digest)"])
    }
    guard try await isSound(key.digest) else { return nil }
    let drawn = try await inspect(
      core.layout.asset(key.digest).appending(asset.file),
      InspectionRequest(preview: .original, onlyPreview: true, still: core.isCover(key.digest)),
      first: { true })
    let png = drawn.preview ?? []
    do throws(StoreError) {
      try await onDisk { core throws(StoreError) in try core.keep(png, of: key.digest) }
    } catch {
      // It is made again for the next caller.
      logger.warning("a preview cannot be kept", metadata: ["error": "\(error)"])
    }
    guard let file = try await reduce(png, of: asset.previewSize, to: key) else {
      throw StoreError(.failed, "the preview of the video cannot be read")
    }
    return file
  }

  /// Makes a preview from the one in the video's own size.
  ///
  /// - Parameters:
  ///   - png: the latter; `nil` to read it from `path`.
  ///   - whole: its size.
  /// - Returns: `nil` when it is missing or damaged.
  func reduce(
    _ png: [UInt8]? = nil, at path: FilePath? = nil, of whole: PixelSize, to key: PreviewKey
  ) async throws(StoreError) -> [UInt8]? {
    try await disk.run { _ throws(StoreError) in
      func bytes() -> [UInt8]? {
        png ?? path.flatMap { Candidate(path: $0).contents(atMost: Self.largestFile) }
      }
      if key.size == whole, key.format == .png {
        return bytes().flatMap { $0.starts(with: PNGFile.signature) ? $0 : nil }
      }
      let picture: PixelImage
      if let known = self.pictures.withLock({ $0.value(for: key.digest) }) {
        picture = known
      } else {
        guard let read = bytes().flatMap(PNGDecoder.decode), read.size == whole else { return nil }
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
}

extension StoreError {
  /// A cache that evicts everything at once leaves nothing to return.
  static func evictedAtOnce(_ reference: ArtworkReference) -> StoreError {
    StoreError(Code.noSpace, "\(reference) is evicted as soon as it is stored")
  }

  static let cancelled = StoreError(.late, "the request was cancelled")
}
