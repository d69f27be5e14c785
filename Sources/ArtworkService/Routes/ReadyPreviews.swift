import ArtworkModel
import ArtworkStore
import NIOCore
import NIOHTTP1
import Synchronization

/// Complete responses to requests for previews, which the route fills: such a request is answered without a task, and
/// neither its target is parsed nor a head put together again.
final class ReadyPreviews: Sendable {
  /// The identity of a request.
  private struct Question: Hashable {
    var target: String
    /// All values of `Accept`.
    var accept: String?

    init(_ request: Request) { (target, accept) = (request.target, request.field("accept")) }
  }

  private struct Entry {
    /// The parsed request, which never changes.
    var reference: ArtworkReference
    var box: PixelSize?
    var formats: [PictureFormat]
    /// Names the exact bytes. The store knows whether they are still those of the artwork.
    var tag: String
    var found: ReadyResponse
    var notModified: ReadyResponse
  }

  private let store: AssetStore
  private let log: RequestLog
  /// Small previews must not fill a large table, nor a large one replace all others.
  private let entries = Mutex(
    BoundedCache<Question, Entry>(.init(count: 4096, cost: 64 << 20, entryCost: 16 << 20)))
  /// Bytes of a target and `Accept`: more than the longest identifier takes, percent-encoded.
  private static let longestQuestion = 4096

  init(store: AssetStore, log: RequestLog) {
    self.store = store
    self.log = log
  }

  /// - Parameters:
  ///   - found: the response to a client that does not have the picture.
  ///   - notModified: the response to one that does.
  func insert(
    _ request: Request, for reference: ArtworkReference, inside box: PixelSize?,
    as formats: [PictureFormat], tag: String, found: Response, notModified: Response
  ) {
    let question = Question(request)
    let length = question.target.utf8.count + (question.accept?.utf8.count ?? 0)
    guard request.method == .GET, length <= Self.longestQuestion else { return }
    let entry = Entry(
      reference: reference, box: box, formats: formats, tag: tag, found: ReadyResponse(found),
      notModified: ReadyResponse(notModified))
    entries.withLock {
      _ = $0.insert(entry, for: question, cost: entry.found.body.readableBytes + length)
    }
  }

  /// - Returns: `nil` for a preview that is not in memory, and for anything but a GET.
  func response(to request: Request) -> ReadyResponse? {
    guard request.method == .GET, let entry = entries.withLock({ $0.value(for: Question(request)) })
    else { return nil }
    let start = ContinuousClock.now
    guard entry.tag == store.previewTag(entry.reference, inside: entry.box, as: entry.formats),
      let isKnown = try? EntityTag.isKnown(entry.tag, to: request)
    else { return nil }
    log.note(request, status: isKnown ? 304 : 200, since: start)
    return isKnown ? entry.notModified : entry.found
  }
}
