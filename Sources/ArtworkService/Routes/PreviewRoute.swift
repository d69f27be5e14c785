import ArtworkModel
import ArtworkStore
import NIOCore
import NIOHTTP1

/// Previews as PNG, WebP or JPEG files, whichever the client prefers.
struct PreviewRoute: Sendable {
  let store: AssetStore
  let cache: ReadyPreviews

  var routes: [Route] {
    [Route(.GET, "/v1/artworks/{artworkID}/{key}/preview", atOnce: { cache.response(to: $0) }, get)]
  }

  /// Pixels per side that a client may request.
  static let sides = 1...16384

  @Sendable private func get(_ request: Request) async throws -> Response {
    let reference = try request.reference()
    let query = try request.query(["width", "height", AnswerDeadline.parameter])
    let deadline = try AnswerDeadline(query, request)
    let (width, height) = (
      try query.number("width", in: Self.sides), try query.number("height", in: Self.sides)
    )
    let box =
      width == nil && height == nil
      ? nil
      : PixelSize(
        width: width ?? Self.sides.upperBound, height: height ?? Self.sides.upperBound)
    let formats = AcceptedFormats.inOrder(request.field("accept"))
    if formats.isEmpty { throw Problem.notAcceptable }
    let stored = try await deadline.run { [store] in
      try await store.preview(reference, inside: box, as: formats)
    }
    var headers = EntityTag.headers(stored.tag, contentType: stored.format.contentType)
    headers.add(name: "Vary", value: "Accept")
    let found = Response(.ok, headers, .bytes(ByteBuffer(bytes: stored.bytes)))
    let notModified = Response(.notModified, headers)
    cache.insert(
      request, for: reference, inside: box, as: formats, tag: stored.tag, found: found,
      notModified: notModified)
    return try EntityTag.isKnown(stored.tag, to: request) ? notModified : found
  }
}
