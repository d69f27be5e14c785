public import ArtworkModel
import FoundationEssentials

extension ArtworkClient {
  /// Registers the source of an artwork. A file is taken in now, a URL on the first request.
  ///
  /// - Parameters:
  ///   - prepares: whether a file is taken in now; `false` leaves that to the first request.
  ///   - preview: the absolute path of a PNG or JPEG picture in the shape of the key, which is the preview until the video
  ///     is there.
  /// - Returns: the artwork. A video that cannot be used is not an error: its status is `refused`.
  /// - Throws: `conflict` for other bytes under an ID that has some, `source-not-allowed`, `busy` and others.
  public func put(
    _ reference: ArtworkReference, _ source: ArtworkSource, prepares: Bool = true,
    preview: String? = nil
  ) async throws(ClientError) -> ArtworkRecord {
    let answer = try await send(
      "PUT", Self.path(reference), query: Self.patient,
      body: try Self.json(
        Registration(source: source, prepare: prepares ? nil : false, preview: preview)),
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
  /// - Throws: `unknown-artwork` if no key has a source.
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
    try await delete(Self.path(reference))
  }

  /// The video's first frame, or the picture of a static cover, as PNG, fitted inside `size` and never enlarged. The
  /// last preview of an artwork is cached and returned again if the service confirms that it is current.
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

  /// Prepares the files that a session will request, before it is published: fetches a URL, and makes the version
  /// that a session with these codecs gets in this size. It may be evicted before a session holds it.
  ///
  /// - Parameters:
  ///   - size: the box that the video fills, in pixels; `nil` for the original.
  ///   - videoCodecs: as ``MediaSession/videoCodecs``.
  ///   - waits: as in ``video(for:of:_:size:waits:)``.
  /// - Throws: `unknown-artwork`, `refused`, `late`: the work continues, so retry.
  public func prepare(
    _ reference: ArtworkReference, size: PixelSize? = nil, videoCodecs: Set<String>? = nil,
    waits: Bool = true
  ) async throws(ClientError) -> PreparedVideo {
    let answer = try await send(
      "POST", Self.path(reference) + ["prepare"], query: waits ? Self.patient : [],
      body: try Self.json(PreparationRequest(size: size, videoCodecs: videoCodecs)),
      within: Timeout.long)
    return try Self.value(PreparedVideo.self, in: answer.body)
  }

  /// An artwork whose providers call the service, for a player that passes it to Apple's frameworks or displays it
  /// itself. They throw a ``ClientError``; the video provider throws a ``Presentation/Reason`` if the session gets no
  /// video.
  ///
  /// - Parameters:
  ///   - session: the session that publishes the artwork; the video file is valid while it does.
  ///   - application: of the session; `nil` for the only one of its name.
  public func animatedArtwork(
    _ artworkID: ArtworkID, supportedAspectRatios: [AnimatedArtwork.AspectRatio] = [.square],
    in session: SessionID, of application: String? = nil
  ) -> AnimatedArtwork {
    AnimatedArtwork(
      id: artworkID, supportedAspectRatios: supportedAspectRatios,
      preview: { size, ratio in
        let image = try await preview(ArtworkReference(artworkID, ratio), inside: size)
        return try ArtworkRepresentation(data: image.png)
      },
      video: { size, ratio in
        let answer = try await video(for: session, of: application, ratio, size: size)
        guard let text = answer.url else { throw answer.reason }
        guard let url = URL(string: text) else {
          throw ClientError.notUnderstood("\(text) is not a URL")
        }
        return url
      })
  }

  private static func path(_ reference: ArtworkReference) -> [String] {
    ["v1", "artworks", reference.artworkID.text, reference.part]
  }
}
