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

/// A preview as a file.
package struct StoredPreview: Sendable, Equatable {
  package var bytes: [UInt8]
  package var format: PictureFormat
  package var size: PixelSize
  /// Identifies these exact bytes by the video's digest, the size, the format and its encoder: a strong ETag without
  /// its quotes.
  package var tag: String
}

/// Previews outlive their videos, in memory: a small picture is answered though its video was evicted, or never had room.
extension StoreCore {
  /// The preview that is kept for an artwork whose video is not stored.
  func still(_ reference: ArtworkReference) -> (digest: String, still: StoreState.Still)? {
    state.withLock { state in
      guard let digest = state.still(of: reference), let still = state.stills.value(for: digest)
      else { return nil }
      return (digest, still)
    }
  }

  /// Whether a preview is kept for an artwork whose video is not stored.
  func hasStill(_ reference: ArtworkReference) -> Bool {
    state.withLock { state in
      let unseen = state.unseen[reference].flatMap { state.stills.value(for: $0) }
      return unseen != nil || state.still(of: reference) != nil
    }
  }

  /// Keeps a picture that a player supplies, until the video is there or the service ends.
  ///
  /// - Throws: `failed`.
  func supplyStill(
    _ png: [UInt8], _ size: PixelSize, of reference: ArtworkReference
  ) throws(StoreError) {
    guard let digest = (try? SHA256.digest(of: png))?.hexadecimal else {
      throw StoreError(.failed, "the preview has no digest")
    }
    state.withLock { state in
      state.keep(StoreState.Still(size: size, png: png), digest)
      state.supplied[reference] = digest
    }
  }

  /// Keeps the preview of a video that is about to go, if an artwork stands for it.
  func keepStill(of digest: String) {
    let asset = state.withLock { state in
      state.artworks.values.contains { $0.digest == digest } ? state.assets[digest] : nil
    }
    let path = layout.asset(digest).appending(StoreLayout.previewFile)
    guard let asset, let png = Candidate(path: path).contents(atMost: StoreState.largestStill)
    else { return }
    state.withLock { $0.keep(StoreState.Still(size: asset.previewSize, png: png), digest) }
  }

  /// Keeps the preview of a video that has no room. The artwork does not stand for it before somebody has seen it.
  func keepUnseenStill(
    _ digest: String, _ inspection: Inspection, _ preview: [UInt8], of reference: ArtworkReference
  ) {
    guard let size = inspection.previewSize, !preview.isEmpty, record(reference) != nil else {
      return
    }
    state.withLock { state in
      state.keep(StoreState.Still(size: size, png: preview), digest)
      state.unseen[reference] = digest
    }
  }

  /// Lets an artwork stand for the video whose preview was kept, because somebody sees it now.
  ///
  /// - Returns: whether there is such a preview.
  /// - Throws: `no-space`, `failed`.
  func registerStill(_ reference: ArtworkReference) throws(StoreError) -> Bool {
    try change { index throws(StoreError) in
      let kept = state.withLock { state in
        state.unseen[reference].flatMap { state.stills.value(for: $0) == nil ? nil : $0 }
      }
      guard let kept, var artwork = record(reference), artwork.digest ?? kept == kept else {
        return false
      }
      artwork.digest = kept
      try write(&index, [.artwork(reference, artwork)])
      state.withLock { state in
        state.artworks[reference] = artwork
        state.unseen[reference] = nil
      }
      return true
    }
  }
}

/// The file formats in which the store hands out pictures.
package enum PictureFormat: String, Sendable, CaseIterable {
  /// Without loss, and the default: what players that ask for nothing have always got.
  case png
  /// Lossy WebP; only in a build with the package trait `WebP`.
  case webp
  /// Lossy JPEG; transparent parts are black.
  case jpeg

  package var contentType: String { "image/\(rawValue)" }

  /// What identifies the library that writes the format, whose other versions write other bytes; `nil` for PNG, which
  /// always holds the same picture.
  var encoder: String? {
    switch self {
    case .png: nil
    case .webp: OptionalLibrary.webP.version
    case .jpeg: FFmpegVersion.text.replacing(" ", with: "-")
    }
  }

  /// Whether this build can write the format.
  package var isAvailable: Bool { self != .webp || WebPEncoder.isAvailable }

  /// Whether a picture may be as large as this. Every preview fits into a PNG or JPEG file.
  func holds(_ size: PixelSize) -> Bool {
    self != .webp || max(size.width, size.height) <= WebPEncoder.longestSide
  }

  // Both have about a tenth of the bytes of the PNGs. Coarser ones lose 3 dB for a third of the bytes.

  /// libwebp's scale, 0 to 100.
  private static let webPQuality: Float = 90
  /// libavcodec's scale, 2 (best) to 31.
  private static let jpegQuantizer: Int32 = 2

  /// The bytes of a complete file.
  ///
  /// - Throws: `out-of-memory` or `preview-not-written`.
  func encode(_ image: PixelImage) throws(InspectionError) -> [UInt8] {
    switch self {
    case .png: try PNGEncoder.encode(image)
    case .webp: try WebPEncoder.encode(image, quality: Self.webPQuality)
    case .jpeg: try JPEGEncoder.encode(image, quantizer: Self.jpegQuantizer)
    }
  }
}
