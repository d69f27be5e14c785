import ArtworkModel
import FoundationEssentials

/// Registration of a player's artwork: by ID, and once, as the system requests it.
extension ArtworkClient {
  /// Registers the animated artwork of a session's content.
  ///
  /// - Returns: the session as sent to the service, with the artwork's ID in place of its providers.
  func registering(_ session: MediaSession) async throws(ClientError) -> MediaSession {
    if let artwork = session.content?.animatedArtwork { try await registerIfUnknown(artwork) }
    return session.namingArtwork
  }

  /// Registers the shapes that the service does not know. If a provider throws, its shape has no video; the provider
  /// is called again when the session is updated.
  private func registerIfUnknown(_ artwork: AnimatedArtwork) async throws(ClientError) {
    for ratio in Set(artwork.supportedAspectRatios) {
      let reference = ArtworkReference(artwork.id, ratio)
      if try await isKnown(reference) { continue }
      let size = PixelSize(width: 1080, height: ratio == .square ? 1080 : 1440)
      guard let url = try? await artwork.video(size, ratio) else { continue }
      if url.isFileURL {
        _ = try await put(reference, .file(path: url.path))
      } else if let preview = try? await artwork.preview?(size, ratio) {
        try await writing(preview) { path throws(ClientError) in
          _ = try await put(reference, .url(url.absoluteString), preview: path)
        }
      } else {
        _ = try await put(reference, .url(url.absoluteString))
      }
    }
  }

  /// Registers a cover that the service does not know. If the provider throws, the session has no cover; the provider
  /// is called again when the session is updated.
  func registerIfUnknown(_ cover: Artwork) async throws(ClientError) {
    let reference = ArtworkReference(coverOf: cover.id)
    if try await isKnown(reference) { return }
    guard let picture = try? await cover.provider(PixelSize(width: 1080, height: 1080)) else {
      return
    }
    try await writing(picture) { path throws(ClientError) in
      _ = try await put(reference, .file(path: path))
    }
  }

  /// Lends a file with a picture. The service copies it before it answers.
  private func writing(
    _ picture: ArtworkRepresentation, _ body: (String) async throws(ClientError) -> Void
  ) async throws(ClientError) {
    let file = FileManager.default.temporaryDirectory
      .appendingPathComponent("artwork-\(UUID().uuidString).\(picture.type.rawValue)")
    guard
      FileManager.default.createFile(
        atPath: file.path, contents: Data(picture.data), attributes: [.posixPermissions: 0o600])
    else { throw Self.badRequest("cannot write \(file.path)") }
    defer { try? FileManager.default.removeItem(at: file) }
    try await body(file.path)
  }

  /// Whether the service has an artwork or can fetch it: not if its file was removed.
  private func isKnown(_ reference: ArtworkReference) async throws(ClientError) -> Bool {
    do throws(ClientError) {
      let record = try await artwork(reference)
      if record.status == .registered, case .file(let path, _) = record.source {
        return FileManager.default.fileExists(atPath: path)
      }
      return record.status != .refused
    } catch {
      if error.code != StoreError.Code.unknownArtwork.rawValue { throw error }
      return false
    }
  }
}

extension MediaSession {
  /// The session with the ID of its content's animated artwork for each shape, in place of the artwork and its providers.
  var namingArtwork: MediaSession {
    guard let animated = content?.animatedArtwork else { return self }
    var session = self
    session.content?.animatedArtwork = nil
    for ratio in animated.supportedAspectRatios { session.artwork[ratio] = animated.id }
    return session
  }
}
