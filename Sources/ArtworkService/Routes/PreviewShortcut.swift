import ArtworkModel
import ArtworkStore
import HTTPTypes
import NIOCore
import NIOHTTP1
import NIOHTTPTypesHTTP1
import Synchronization

/// Answers requests for previews that lie in memory, on the event loop that read them: without a task, without the
/// router, and without reading their target again. What it does not know goes the long way, which tells it.
final class PreviewShortcut: Sendable {
  struct Answer: Equatable {
    var head: HTTPResponseHead
    var png: ByteBuffer?
  }

  /// What a target means, which never changes.
  private struct Meaning {
    var reference: ArtworkReference
    var box: PixelSize?
  }

  private let store: AssetStore
  private let log: RequestLog
  private let shelf = PreviewShelf()
  private let meanings = Mutex<[String: Meaning]>([:])
  /// As many as the shelf has previews: there is no use for more. With the limit of their length 16 MiB.
  private static let mostMeanings = 4096
  /// Bytes: more than the longest identifier takes, escaped.
  private static let longestTarget = 4096
  private static let route = ServiceMetrics.Route(method: "GET", path: PreviewRoute.path)

  init(store: AssetStore, log: RequestLog) {
    self.store = store
    self.log = log
  }

  func keep(
    _ png: ByteBuffer, _ tag: String, for target: String, _ reference: ArtworkReference,
    inside box: PixelSize?
  ) {
    var fields = HTTPHeaders(PreviewRoute.headers(tag))
    for (name, value) in Responder.fieldsOfAll { fields.add(name: name.rawName, value: value) }
    guard shelf.keep(PreviewShelf.Preview(fields: fields, png: png), tag),
      target.utf8.count <= Self.longestTarget
    else { return }
    meanings.withLock { meanings in
      if meanings.count >= Self.mostMeanings { meanings.removeAll() }
      meanings[target] = Meaning(reference: reference, box: box)
    }
  }

  /// - Returns: `nil` for what is not here, and for all but the plain GET of a client that stays.
  func answer(_ head: HTTPRequestHead) -> Answer? {
    guard head.method == .GET, head.isKeepAlive, !head.headers.contains(name: "expect"),
      !head.headers.contains(name: "content-length"),
      !head.headers.contains(name: "transfer-encoding"),
      let meaning = meanings.withLock({ $0[head.uri] })
    else { return nil }
    let start = ContinuousClock.now
    guard let tag = store.previewTag(meaning.reference, inside: meaning.box),
      let preview = shelf[tag]
    else { return nil }
    let isKnown = head.headers["if-none-match"].contains { EntityTag.isNamed(tag, in: $0) }
    var fields = preview.fields
    if !isKnown { fields.add(name: "Content-Length", value: "\(preview.png.readableBytes)") }
    log.note(Self.route, target: head.uri, status: isKnown ? 304 : 200, since: start)
    return Answer(
      head: HTTPResponseHead(
        version: .http1_1, status: isKnown ? .notModified : .ok, headers: fields),
      png: isKnown ? nil : preview.png)
  }
}
