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
    var body: ByteBuffer?
  }

  /// The identity of a request.
  struct Question: Hashable {
    var target: String
    /// All values of `Accept`.
    var accept: String?
  }

  /// The parsed request, which never changes.
  struct ParsedRequest {
    var reference: ArtworkReference
    var box: PixelSize?
    var formats: [PictureFormat]
  }

  /// A preview as the route answers it.
  struct Preview {
    var headers: HTTPFields
    var body: ByteBuffer
    var tag: String
  }

  /// Both answers, complete: a head is not put together for each request.
  private struct CachedPreview {
    var found: Answer
    var notModified: Answer
  }

  private let store: AssetStore
  private let log: RequestLog
  /// Previews by tag. A tag names the exact bytes, so nothing here is ever out of date. Small previews must not fill a large
  /// table, nor a large one replace all others.
  private let previews = Mutex(
    BoundedCache<String, CachedPreview>(.init(count: 4096, cost: 64 << 20, entryCost: 16 << 20)))
  /// Requests by their heads, at most 16 MiB with the limit of their length.
  private let parsedRequests = Mutex(BoundedCache<Question, ParsedRequest>(.init(count: 4096)))
  /// Bytes of a target and `Accept`: more than the longest identifier takes, percent-encoded.
  private static let longestQuestion = 4096
  private static let route = ServiceMetrics.Route(method: "GET", path: PreviewRoute.path)

  init(store: AssetStore, log: RequestLog) {
    self.store = store
    self.log = log
  }

  func insert(_ preview: Preview, for question: Question, _ parsedRequest: ParsedRequest) {
    var fields = HTTPHeaders(preview.headers)
    for (name, value) in Responder.fieldsOfAll { fields.add(name: name.rawName, value: value) }
    let notModified = Answer(
      head: HTTPResponseHead(version: .http1_1, status: .notModified, headers: fields), body: nil)
    fields.add(name: "Content-Length", value: "\(preview.body.readableBytes)")
    let found = Answer(
      head: HTTPResponseHead(version: .http1_1, status: .ok, headers: fields), body: preview.body)
    let isCached = previews.withLock {
      $0.insert(
        CachedPreview(found: found, notModified: notModified), for: preview.tag,
        cost: preview.body.readableBytes)
    }
    let length = question.target.utf8.count + (question.accept?.utf8.count ?? 0)
    guard isCached, length <= Self.longestQuestion else { return }
    parsedRequests.withLock { _ = $0.insert(parsedRequest, for: question) }
  }

  /// - Returns: `nil` for a preview that is not in memory, and for anything but a plain GET on a persistent
  ///   connection.
  func answer(_ head: HTTPRequestHead) -> Answer? {
    guard head.method == .GET, head.isKeepAlive, !head.headers.contains(name: "expect"),
      !head.headers.contains(name: "content-length"),
      !head.headers.contains(name: "transfer-encoding"),
      let parsedRequest = parsedRequests.withLock({ $0.value(for: Self.question(head)) })
    else { return nil }
    let start = ContinuousClock.now
    guard
      let tag = store.previewTag(
        parsedRequest.reference, inside: parsedRequest.box, as: parsedRequest.formats),
      let preview = previews.withLock({ $0.value(for: tag) })
    else { return nil }
    let isKnown = head.headers["if-none-match"].contains { EntityTag.isNamed(tag, in: $0) }
    log.note(Self.route, target: head.uri, status: isKnown ? 304 : 200, since: start)
    return isKnown ? preview.notModified : preview.found
  }

  private static func question(_ head: HTTPRequestHead) -> Question {
    let accept = head.headers["accept"]
    return Question(
      target: head.uri, accept: accept.isEmpty ? nil : accept.joined(separator: ", "))
  }
}
