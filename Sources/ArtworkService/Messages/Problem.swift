import ArtworkModel
import ArtworkPipeline
import FoundationEssentials
import NIOCore
import NIOHTTP1

/// The problems of the service.
extension Problem {
  private init(_ code: String, _ status: Int, _ title: String, _ detail: String) {
    self.init(code: code, status: status, title: title, detail: detail)
  }

  static func badRequest(_ detail: String) -> Problem {
    Problem("bad-request", 400, "Bad request", detail)
  }

  static let unauthorized = Problem(
    "unauthorized", 401, "No valid token",
    "over TCP every request needs Authorization: Bearer TOKEN; the token is in the file named token "
      + "beside the Unix socket, by default $XDG_RUNTIME_DIR/artworkd/token, and changes at each "
      + "start; the Unix socket needs none")

  static func forbidden(_ detail: String) -> Problem {
    Problem("forbidden", 403, "Forbidden", detail)
  }

  static let noSuchResource = Problem(
    "not-found", 404, "No such resource", "see /openapi.json for all resources")

  static func methodNotAllowed(_ allow: String) -> Problem {
    var problem = Problem(
      "method-not-allowed", 405, "Method not allowed", "this resource allows \(allow)")
    problem.allow = allow
    return problem
  }

  static let notAcceptable = Problem(
    "not-acceptable", 406, "No such format",
    "this picture is available as image/png, image/jpeg or image/webp; omit Accept for PNG")

  static let noSuchVideo = Problem(
    "not-acceptable", 406, "No such format",
    "this video is available as it is stored, or as video/mp4, video/webm or image/webp; omit Accept "
      + "for the former")

  static let tooSlow = Problem(
    "late", 408, "Too slow", "the request timed out before it was complete")

  static func tooLarge(_ limit: Int) -> Problem {
    Problem("too-large", 413, "Too large", "the request body limit is \(limit) bytes")
  }

  /// Chunk sizes, their extensions and trailers, which no request of this service needs.
  static let tooMuchFraming = Problem(
    "too-large", 413, "Too large", "send fewer chunks, without extensions and trailers")

  static let unknownCoding = Problem(
    "unsupported-coding", 501, "Transfer coding not supported",
    "send the body as it is, or with Transfer-Encoding: chunked")

  static func unsupportedMediaType(_ types: Set<String>) -> Problem {
    Problem(
      "unsupported-media-type", 415, "Not JSON",
      "send Content-Type: \(types.sorted().joined(separator: " or "))")
  }

  static func misdirected(_ hosts: [String]) -> Problem {
    Problem(
      "misdirected", 421, "Not this host",
      "send exactly one Host header: \(hosts.sorted().joined(separator: ", "))")
  }

  static let headersTooLarge = Problem(
    "too-large", 431, "Headers too large", "send fewer or shorter header fields")

  static let tooManyConnections: Problem = {
    var problem = Problem(
      "busy", 503, "Too many connections", "connection limit reached; try again")
    problem.retryAfterSeconds = 1
    return problem
  }()

  /// Returns the problem of an unhealthy service, whichever status the error has elsewhere.
  static func unhealthy(_ error: StoreError) -> Problem {
    Problem(error.code.rawValue, 503, "The store cannot work", error.message)
  }

  static func rangeNotSatisfiable(_ bytes: Int64) -> Problem {
    Problem("bad-request", 416, "No such range", "the video has \(bytes) bytes")
  }

  /// The answer to a client without the token.
  static let redacted = Problem(
    "failed", 503, "Failed", "the service does not work; ask with the token for the reason")

  static let failed = Problem("failed", 500, "Failed", "see the log of the service")

  /// The only mapping of store errors to statuses.
  init(_ error: StoreError) {
    let (status, title) =
      switch error.code {
      case .badRequest: (400, "Bad request")
      case .unknownArtwork: (404, "Unknown artwork")
      case .unknownSession: (404, "Unknown session")
      case .ambiguousSession: (409, "Ambiguous session")
      case .preconditionFailed: (412, "Precondition failed")
      case .owned: (409, "Owned by another client")
      case .unknownProcess: (409, "Unknown process")
      case .notPublished: (409, "Not published")
      case .commandNotOffered: (409, "Command not offered")
      case .commandDisabled: (409, "Command disabled")
      case .liveContent: (409, "Live content")
      case .notListening: (409, "Nobody listens")
      case .unknownCommand: (404, "Unknown command")
      case .notEligible: (409, "Not eligible")
      case .conflict: (409, "Other content under this artworkID")
      case .inUse: (409, "In use")
      case .refused: (422, "Refused")
      case .sourceNotAllowed: (403, "Source not allowed")
      // A file is the client's own; only a server on the web makes this service a gateway.
      case .sourceUnavailable: (error.isOfLocalFile ? 422 : 502, "Source unavailable")
      case .busy: (429, "Busy")
      case .late: (504, "Late")
      case .noSpace: (507, "No space")
      case .locked: (500, "Locked")
      case .damaged: (500, "Damaged")
      case .failed: (500, "Failed")
      }
    let help = error.inspection.map { ": \($0.help)" } ?? ""
    self.init(error.code.rawValue, status, title, error.message + help)
    if error.code == .busy { retryAfterSeconds = 1 }
  }
}

extension Problem {
  var body: ByteBuffer { JSON.buffer(self) }

  var response: Response {
    var headers: HTTPHeaders = [
      "Content-Type": "application/problem+json", "Cache-Control": "no-store",
    ]
    if let allow { headers.add(name: "Allow", value: allow) }
    if let tag { headers.add(name: "ETag", value: "\"\(tag)\"") }
    if let retryAfterSeconds {
      headers.add(name: "Retry-After", value: "\(retryAfterSeconds)")
    }
    if status == 401 { headers.add(name: "WWW-Authenticate", value: "Bearer realm=\"artworkd\"") }
    return Response(HTTPResponseStatus(statusCode: status), headers, .bytes(body))
  }
}
