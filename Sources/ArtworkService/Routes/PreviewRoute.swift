import ArtworkModel
import ArtworkStore
import HTTPTypes
import Hummingbird
import NIOCore

/// Previews as PNG, WebP or JPEG files, whichever the client prefers.
struct PreviewRoute: Sendable {
  let store: AssetStore
  let shortcut: PreviewShortcut

  func add(to router: Router<ServiceContext>) {
    router.get(RouterPath(Self.path), use: get)
  }

  static let path = "/v1/artworks/{artworkID}/{key}/preview"

  /// Pixels per side that a client may request.
  static let sides = 1...16384

  @Sendable private func get(
    _ request: Request, _ context: ServiceContext
  ) async throws -> Response {
    let reference = try context.reference()
    let query = try request.query(["width", "height", AnswerDeadline.parameter])
    let deadline = try AnswerDeadline(query, context)
    let (width, height) = (
      try query.number("width", in: Self.sides), try query.number("height", in: Self.sides)
    )
    let box =
      width == nil && height == nil
      ? nil
      : PixelSize(
        width: width ?? Self.sides.upperBound, height: height ?? Self.sides.upperBound)
    let accept = request.headers[.accept]
    let formats = AcceptedFormats.inOrder(accept)
    if formats.isEmpty { throw Problem.notAcceptable }
    let stored = try await deadline.run { [store] in
      try await store.preview(reference, inside: box, as: formats)
    }
    let body = ByteBuffer(bytes: stored.bytes)
    let headers = Self.headers(stored)
    shortcut.insert(
      .init(headers: headers, body: body, tag: stored.tag),
      for: .init(target: request.uri.string, accept: accept),
      .init(reference: reference, box: box, formats: formats))
    if EntityTag.isKnown(stored.tag, to: request) {
      return Response(status: .notModified, headers: headers)
    }
    return Response(status: .ok, headers: headers, body: .init(byteBuffer: body))
  }

  private static func headers(_ preview: StoredPreview) -> HTTPFields {
    var headers = EntityTag.headers(preview.tag, contentType: preview.format.contentType)
    headers[.vary] = "Accept"
    return headers
  }
}
