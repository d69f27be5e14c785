import ArtworkModel
import NIOHTTP1

/// Artworks and their sources.
struct ArtworkRoutes: Sendable {
  let store: AssetStore

  var routes: [Route] {
    [
      Route(.GET, "/v1/artworks", list),
      Route(.GET, "/v1/artworks/{artworkID}", variants),
      Route(.PUT, "/v1/artworks/{artworkID}/{key}", put),
      Route(.GET, "/v1/artworks/{artworkID}/{key}", get),
      Route(.DELETE, "/v1/artworks/{artworkID}/{key}", delete),
      Route(.POST, "/v1/artworks/{artworkID}/{key}/prepare", prepare),
    ]
  }

  /// Artworks of one page.
  private static let mostOfPage = 10_000

  private struct List: Encodable {
    var artworks: [ArtworkRecord]
    /// Apart, because clients of before covers know two keys.
    var covers: [ArtworkRecord]
    var usage: AssetStore.Usage
    /// The `after` of the next page; absent on the last one.
    var next: ArtworkID?
  }

  private struct Variants: Encodable {
    var artworkID: ArtworkID
    var variants: [ArtworkKey: ArtworkAnswer]
    var cover: ArtworkRecord?
  }

  @Sendable private func list(_ request: Request) throws -> Response {
    let query = try request.query(["limit", "after"])
    let limit = try query.number("limit", in: 1...Self.mostOfPage)
    let page = store.artworkIDs(after: query["after"], limit: limit)
    return try JSON.response(
      List(
        artworks: store.artworks(page.ids), covers: store.covers(page.ids),
        usage: store.usage(), next: page.hasMore ? page.ids.last : nil))
  }

  /// All keys of an artworkID, and its cover.
  @Sendable private func variants(_ request: Request) async throws -> Response {
    let withReport = try request.query(["report"]).flag("report") ?? false
    let artworkID: ArtworkID = try request.identity("artworkID")
    var variants: [ArtworkKey: ArtworkAnswer] = [:]
    for key in ArtworkKey.allCases {
      guard let artwork = store.describe(ArtworkReference(artworkID, key)) else { continue }
      variants[key] = ArtworkAnswer(
        artwork: artwork, report: withReport ? try await store.report(on: artwork) : nil)
    }
    let cover = store.describe(ArtworkReference(coverOf: artworkID))
    guard !variants.isEmpty || cover != nil else {
      throw StoreError(.unknownArtwork, "no artwork \(artworkID); PUT its source first")
    }
    return try JSON.response(
      Variants(artworkID: artworkID, variants: variants, cover: cover))
  }

  @Sendable private func put(_ request: Request) async throws -> Response {
    let query = try request.query(["report", AnswerDeadline.parameter])
    let withReport = try query.flag("report") ?? true
    let deadline = try AnswerDeadline(query, request)
    let reference = try request.reference(isNew: true)
    let registration = try request.json(Registration.self, as: "Registration")
    let (artwork, isNew, ignored) = try await deadline.run { [store] in
      try await store.put(
        reference, registration.source, prepares: registration.prepare ?? true,
        preview: registration.preview)
    }
    return try JSON.response(
      try await store.answer(about: artwork, withReport: withReport, ignoring: ignored),
      status: isNew ? .created : .ok)
  }

  @Sendable private func get(_ request: Request) async throws -> Response {
    let withReport = try request.query(["report"]).flag("report") ?? true
    let reference = try request.reference()
    guard let artwork = store.describe(reference) else {
      throw StoreError(.unknownArtwork, "no artwork \(reference); PUT its source first")
    }
    return try JSON.response(try await store.answer(about: artwork, withReport: withReport))
  }

  /// Prepares the files that a session will request.
  @Sendable private func prepare(_ request: Request) async throws -> Response {
    let deadline = try AnswerDeadline(try request.query([AnswerDeadline.parameter]), request)
    let reference = try request.variant()
    let preparation = try request.json(PreparationRequest.self, as: "PreparationRequest")
    let renditionRequest = RenditionRequest(
      size: preparation.size, codecs: preparation.videoCodecs)
    let version = try await deadline.run { [store] in
      try await store.makeReady(reference, renditionRequest)
    }
    return try JSON.response(
      PreparedVideo(bytes: version.bytes, codec: version.codec, rendition: version.rendition))
  }

  @Sendable private func delete(_ request: Request) async throws -> Response {
    _ = try request.query()
    let reference = try request.reference()
    guard try await store.remove(reference) else {
      throw StoreError(.unknownArtwork, "no artwork \(reference)")
    }
    return Response(.noContent)
  }
}
