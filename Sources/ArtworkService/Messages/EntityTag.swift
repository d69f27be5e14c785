import ArtworkModel
import ArtworkPipeline
import NIOHTTP1

/// Conditional requests (RFC 9110, 13).
enum EntityTag {
  /// Whether `If-None-Match` lists `tag`.
  ///
  /// - Throws: 412 if `If-Match` does not.
  static func isKnown(_ tag: String, to request: Request) throws(Problem) -> Bool {
    if let wanted = request.field("if-match"), !isNamed(tag, in: wanted, strongly: true) {
      var problem = Problem(StoreError(.preconditionFailed, "If-Match: it is \"\(tag)\" now"))
      problem.tag = tag
      throw problem
    }
    return request.headers["if-none-match"].contains { isNamed(tag, in: $0) }
  }

  /// - Parameters:
  ///   - names: the value of `If-None-Match` or `If-Match`.
  ///   - strongly: as for `If-Match`, for which a weak tag matches nothing.
  static func isNamed(_ tag: String, in names: String, strongly: Bool = false) -> Bool {
    names.split(separator: ",").contains { part in
      let name = part.filter { $0 != " " && $0 != "\t" }
      return name == "*" || name == "\"\(tag)\"" || (!strongly && name == "W/\"\(tag)\"")
    }
  }

  static func headers(_ tag: String, contentType: String) -> HTTPHeaders {
    ["Content-Type": contentType, "ETag": "\"\(tag)\"", "Cache-Control": "no-cache"]
  }

  // MARK: Sessions

  /// Changes with all that was published of a session. Which session is primary changes it as little as the owner.
  static func of(_ session: MediaSession) -> String {
    // Half of a SHA-256 is unique enough.
    let digest = (try? JSON.bytes(session)).flatMap { try? SHA256.digest(of: $0) } ?? []
    return digest.prefix(16).hexadecimal
  }

  /// The condition of `If-Match` and `If-None-Match` on the session that a request changes.
  ///
  /// - Returns: a condition that throws `precondition-failed`.
  static func condition(_ request: Request) -> NowPlayingCenter.Condition {
    let (wanted, unwanted) = (request.field("if-match"), request.field("if-none-match"))
    return { session throws(StoreError) in
      let tag = session.map(of)
      if let wanted {
        guard let tag else {
          throw StoreError(.preconditionFailed, "If-Match: there is no such session")
        }
        guard isNamed(tag, in: wanted, strongly: true) else {
          throw StoreError(.preconditionFailed, "the session has changed: it is \"\(tag)\" now")
        }
      }
      if let unwanted, let tag, isNamed(tag, in: unwanted) {
        throw StoreError(
          .preconditionFailed, "the session already exists, as \"\(tag)\" (If-None-Match)")
      }
    }
  }
}
