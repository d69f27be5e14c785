package import ArtworkModel
import ArtworkPipeline
import Synchronization
package import SystemPackage

/// A stored file, open for reading.
package struct OpenedVideo: Sendable {
  /// The open file, for the caller to close. Only a lease keeps the file itself in place.
  package var file: FileDescriptor
  package var bytes: Int64
  /// A strong ETag without its quotes.
  package var tag: String
  package var contentType: String
}

extension AssetStore {
  /// The video's file as it is, or another form of it for browsers, which is made once and kept. Callers share the work.
  ///
  /// - Parameter choosing: given the content type of the file as it is, what the caller takes, the best first; `nil` is the
  ///   file as it is. What cannot be made of this video is passed over.
  /// - Returns: `nil` where nothing was chosen.
  /// - Throws: as ``prepare(_:)``; `refused` where none of the forms can be made, `busy`, `late`, `no-space`, `failed`.
  package func video(
    _ reference: ArtworkReference, choosing: @Sendable (_ contentType: String) -> [WebVideo?]
  ) async throws(StoreError) -> OpenedVideo? {
    for _ in 0..<3 {
      let digest = try await prepareVideo(reference)
      let container = core.state.withLock { $0.assets[digest]?.container }
      let contentType = FileFormat.mediaType(ofContainer: container)
      let choices = choosing(contentType)
      guard !choices.isEmpty else { return nil }
      var refusal: StoreError?
      for choice in choices {
        do throws(StoreError) {
          var chosen = digest
          if let choice { chosen = try await made(choice, of: digest) }
          if let opened = try await open(chosen, choice?.contentType ?? contentType) {
            return opened
          }
          // It was evicted meanwhile, and is made again.
          refusal = nil
          break
        } catch {
          guard error.code == .refused else { throw error }
          refusal = refusal ?? error
        }
      }
      if let refusal { throw refusal }
    }
    throw StoreError.evictedAtOnce(reference)
  }

  /// The digest of another form.
  private func made(_ form: WebVideo, of digest: String) async throws(StoreError) -> String {
    // None for MP4.
    guard let format = core.format(digest),
      let key = RenditionKey(of: digest, format, as: .init(rawValue: form.rawValue))
    else { throw StoreError(.refused, "the video has no size that another form could have") }
    try await make(key)
    guard let made = core.state.withLock({ $0.renditions[key] }) else {
      throw StoreError(.late, "the video was evicted meanwhile; ask again")
    }
    return made
  }

  /// - Returns: `nil` for a file that was evicted meanwhile.
  private func open(
    _ digest: String, _ contentType: String
  ) async throws(StoreError) -> OpenedVideo? {
    guard try await isSound(digest), let asset = core.state.withLock({ $0.assets[digest] }) else {
      return nil
    }
    let path = core.layout.asset(digest).appending(asset.file)
    let opened = try await disk.run { _ throws(StoreError) in try? Folder.openNamed(path) }
    guard let file = opened else { return nil }
    core.touch(digest)
    return OpenedVideo(
      file: file, bytes: asset.videoBytes, tag: digest, contentType: contentType)
  }
}
