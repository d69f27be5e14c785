/// Why the service refused a request: a problem document (RFC 9457), and the header fields that come with it.
public struct Problem: Error, Sendable, Hashable, Codable {
  private var type: String?
  /// A stable identifier, for example `conflict`. Part of the public contract.
  public var code: String
  /// The status of the response.
  public var status: Int
  public var title: String
  /// The problem and what to do.
  public var detail: String?
  /// Seconds to wait before the next attempt, from `Retry-After`.
  public var retryAfterSeconds: Int?
  /// The allowed methods, for 405.
  package var allow: String?
  /// The tag of the present session, for 412.
  package var tag: String?

  private enum CodingKeys: String, CodingKey { case type, code, status, title, detail }

  package init(
    code: String, status: Int, title: String, detail: String? = nil, retryAfterSeconds: Int? = nil
  ) {
    type = "urn:artworkd:problem:\(code)"
    self.code = code
    self.status = status
    self.title = title
    self.detail = detail
    self.retryAfterSeconds = retryAfterSeconds
  }
}
