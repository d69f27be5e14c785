import ArtworkModel
import ArtworkStore
import HTTPTypes
import NIOCore
import NIOHTTP1
import NIOHTTPTypesHTTP1
import Synchronization

/// Answers requests for previews in memory on the event loop that reads them: without a task, without the router, and
/// without parsing the target again. Other requests go through the router, which fills this cache.
final class PreviewShortcut: Sendable {
  struct Answer: Equatable {
    var head: HTTPResponseHead
    var png: ByteBuffer?
  }

  /// What a target asks for, which never changes.
  private struct Target {
    var reference: ArtworkReference
    var box: PixelSize?
  }

  private struct Preview {
    /// All header fields but the length.
    var fields: HTTPHeaders
    var png: ByteBuffer
  }

  private let store: AssetStore
  private let log: RequestLog
  /// By tag. A tag names the exact bytes, so that nothing here is ever out of date. Small previews must not fill a large
  /// table, nor a large one replace all others.
  private let previews = Mutex(
    BoundedCache<String, Preview>(.init(count: 4096, cost: 64 << 20, entryCost: 16 << 20)))
  /// By the request's target; as many as there are previews. With the limit of their length 16 MiB.
  private let targets = Mutex(BoundedCache<String, Target>(.init(count: 4096)))
  /// Bytes: more than the longest identifier takes, percent-encoded.
  private static let longestTarget = 4096
  private static let route = ServiceMetrics.Route(method: "GET", path: PreviewRoute.path)

  init(store: AssetStore, log: RequestLog) {
    self.store = store
    self.log = log
  }

  func insert(
    _ png: ByteBuffer, _ tag: String, for target: String, _ reference: ArtworkReference,
    inside box: PixelSize?
  ) {
    var fields = HTTPHeaders(PreviewRoute.headers(tag))
    for (name, value) in Responder.fieldsOfAll { fields.add(name: name.rawName, value: value) }
    let isKept = previews.withLock {
      $0.insert(Preview(fields: fields, png: png), for: tag, cost: png.readableBytes)
    }
    guard isKept, target.utf8.count <= Self.longestTarget else { return }
    targets.withLock { _ = $0.insert(Target(reference: reference, box: box), for: target) }
  }

  /// - Returns: `nil` for a preview that is not in memory, and for all but the plain GET of a persistent connection.
  func answer(_ head: HTTPRequestHead) -> Answer? {
    guard head.method == .GET, head.isKeepAlive, !head.headers.contains(name: "expect"),
      !head.headers.contains(name: "content-length"),
      !head.headers.contains(name: "transfer-encoding"),
      let target = targets.withLock({ $0.value(for: head.uri) })
    else { return nil }
    let start = ContinuousClock.now
    guard let tag = store.previewTag(target.reference, inside: target.box),
      let preview = previews.withLock({ $0.value(for: tag) })
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
