import ArtworkPipeline
import HTTPTypes
import Hummingbird
import NIOCore

/// Previews as PNG files.
struct PreviewRoute: Sendable {
  let store: ArtworkStore
  let previews: PreviewShelf

  func add(to router: Router<ServiceContext>) {
    router.get("/v1/artworks/{artworkID}/{key}/preview", use: get)
  }

  /// Pixels of a side that may be asked for.
  static let sides = 1...16384

  @Sendable private func get(
    _ request: Request, _ context: ServiceContext
  ) async throws -> Response {
    let reference = try context.reference()
    let query = try request.query(["width", "height"])
    let (width, height) = (
      try query.number("width", in: Self.sides), try query.number("height", in: Self.sides)
    )
    let box =
      width == nil && height == nil
      ? nil
      : PixelSize(
        width: width ?? Self.sides.upperBound, height: height ?? Self.sides.upperBound)
    if let tag = store.previewTag(reference, inside: box) {
      if EntityTag.isKnown(tag, to: request) { return Self.notModified(tag) }
      if let png = previews[tag] { return Self.response(png, tag) }
    }
    let stored = try await AnswerDeadline.run { [store] in
      try await store.preview(reference, inside: box)
    }
    let png = ByteBuffer(bytes: stored.png)
    previews.keep(png, stored.tag)
    if EntityTag.isKnown(stored.tag, to: request) { return Self.notModified(stored.tag) }
    return Self.response(png, stored.tag)
  }

  private static func notModified(_ tag: String) -> Response {
    Response(status: .notModified, headers: EntityTag.headers(tag, contentType: "image/png"))
  }

  private static func response(_ png: ByteBuffer, _ tag: String) -> Response {
    Response(
      status: .ok, headers: EntityTag.headers(tag, contentType: "image/png"),
      body: .init(byteBuffer: png))
  }
}
