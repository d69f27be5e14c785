/// Why a request to the service brought nothing.
public enum ClientError: Error, Sendable, Hashable {
  /// Nobody listens there.
  case noService(address: String, reason: String)
  /// The service said no, and why.
  case refused(Problem)
  /// The connection was lost.
  case lost(String)
  /// The service did not answer in time.
  case late
  /// An answer that this client does not understand.
  case notUnderstood(String)
  /// The task was cancelled.
  case cancelled

  /// A problem document (RFC 9457).
  public struct Problem: Sendable, Hashable, Codable {
    /// A stable identifier, for example `conflict`.
    public var code: String
    /// The status of the answer.
    public var status: Int
    public var title: String
    /// A sentence with what to do.
    public var detail: String?
    /// When asking again may help, from `Retry-After`.
    public var retryAfterSeconds: Int?

    public init(
      code: String, status: Int, title: String, detail: String? = nil,
      retryAfterSeconds: Int? = nil
    ) {
      self.code = code
      self.status = status
      self.title = title
      self.detail = detail
      self.retryAfterSeconds = retryAfterSeconds
    }
  }

  /// The problem's code, where the service refused.
  public var code: String? {
    if case .refused(let problem) = self { problem.code } else { nil }
  }
}

extension ClientError: CustomStringConvertible {
  /// A sentence for people.
  public var description: String {
    switch self {
    case .noService(let address, let reason):
      "nobody listens at \(address) (\(reason)): is artworkd serve running?"
    case .refused(let problem): problem.detail ?? problem.title
    case .late: "the service did not answer in time"
    case .lost(let what): "the service did not answer: \(what)"
    case .notUnderstood(let what): "the service gave an answer that is not understood: \(what)"
    case .cancelled: "cancelled"
    }
  }
}
