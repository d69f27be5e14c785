public import ArtworkModel
import FoundationEssentials
import WebTransfer

extension ArtworkClient {
  private struct Registration: Encodable {
    var source: ArtworkSource
    /// Absent for the default.
    var prepare: Bool?
  }

  /// Registers the source of an artwork. A file is taken in now, a URL on the first request.
  ///
  /// - Parameter prepares: whether a file is taken in now; `false` leaves that to the first request.
  /// - Returns: the artwork. A video that cannot be used is not an error: its status is `refused`.
  /// - Throws: `conflict` for other bytes under an ID that has some, `source-not-allowed`, `busy` and others.
  public func put(
    _ reference: ArtworkReference, _ source: ArtworkSource, prepares: Bool = true
  ) async throws(ClientError) -> ArtworkRecord {
    let answer = try await send(
      "PUT", Self.path(reference), query: Self.patient,
      body: try Self.json(Registration(source: source, prepare: prepares ? nil : false)),
      within: Timeout.long)
    return try Self.value(ArtworkRecord.self, in: answer.body)
  }

  /// - Throws: `unknown-artwork`.
  public func artwork(_ reference: ArtworkReference) async throws(ClientError) -> ArtworkRecord {
    try Self.value(
      ArtworkRecord.self, in: try await send("GET", Self.path(reference)).body)
  }

  private struct Variants: Decodable { var variants: [ArtworkKey: ArtworkRecord] }

  /// All keys of an artwork, without its cover and without their reports.
  ///
  /// - Throws: `unknown-artwork` when no key has a source.
  public func artworks(
    _ artworkID: ArtworkID
  ) async throws(ClientError) -> [ArtworkKey: ArtworkRecord] {
    let answer = try await send("GET", ["v1", "artworks", artworkID.text])
    return try Self.value(Variants.self, in: answer.body).variants
  }

  /// Removes an artwork.
  ///
  /// - Throws: `unknown-artwork`, and `in-use` while a session publishes it.
  public func remove(_ reference: ArtworkReference) async throws(ClientError) {
    _ = try await send("DELETE", Self.path(reference))
  }

  /// The video's first frame, or the picture of a static cover, as PNG, fitted inside `size` and never enlarged. The last preview of an artwork is cached
  /// and returned again if the service confirms that it is current.
  ///
  /// - Throws: `unknown-artwork`, `refused`, `busy` and others.
  public func preview(
    _ reference: ArtworkReference, inside size: PixelSize? = nil
  ) async throws(ClientError) -> PreviewImage {
    let known = previews.preview(of: reference, inside: size)
    let answer = try await send(
      "GET", Self.path(reference) + ["preview"],
      query: (size.map { [("width", "\($0.width)"), ("height", "\($0.height)")] } ?? [])
        + Self.patient,
      headers: known.map { ["if-none-match": $0.tag] } ?? [:], within: Timeout.long,
      byteLimit: 512 << 20)
    if answer.response.status == 304, let known { return known.image }
    let png = answer.body
    guard let pixels = PreviewImage.size(ofPNG: png) else {
      throw .notUnderstood("the preview is not a PNG file")
    }
    let image = PreviewImage(png: png, size: pixels)
    if let tag = answer.response.header("ETag") {
      previews.insert(image, tag: tag, of: reference, inside: size)
    }
    return image
  }

  /// An artwork whose handlers ask the service. A player passes it to Apple's frameworks or shows it itself. The handlers
  /// return `nil` on any error.
  ///
  /// - Parameters:
  ///   - session: the session that publishes the artwork; the video's file stays while it does.
  ///   - application: of the session; `nil` for the only one of its name.
  public func animatedArtwork(
    _ artworkID: ArtworkID, _ key: ArtworkKey, in session: SessionID, of application: String? = nil
  ) -> AnimatedArtwork {
    AnimatedArtwork(
      artworkID: artworkID,
      previewImageRequestHandler: { size in
        try? await preview(ArtworkReference(artworkID, key), inside: size)
      },
      videoAssetFileURLRequestHandler: { size in
        let answer = try? await video(for: session, of: application, key, size: size)
        guard case .file(let url, _, _)? = answer else { return nil }
        return URL(string: url)
      })
  }

  private static func path(_ reference: ArtworkReference) -> [String] {
    ["v1", "artworks", reference.artworkID.text, reference.part]
  }
}
