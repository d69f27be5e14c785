public import ArtworkModel

/// Why a request to the service failed.
public enum ClientError: Error, Sendable, Hashable {
  /// No service listens at the address.
  case noService(address: String, reason: String)
  /// The process at the address, or the folder of the default socket, does not belong to this user. Nothing was sent.
  case untrusted(address: String, reason: String)
  /// The service refused the request.
  case refused(Problem)
  /// The connection was lost.
  case lost(String)
  /// The service did not answer within the time limit.
  case late
  /// The client does not understand the response.
  case notUnderstood(String)
  /// The task was cancelled.
  case cancelled

  public typealias Problem = ArtworkModel.Problem

  /// The problem's code, if the service refused.
  public var code: String? {
    if case .refused(let problem) = self { problem.code } else { nil }
  }

  /// Whether the same request would be refused again: the service is neither busy nor away.
  var isFinal: Bool {
    guard case .refused(let problem) = self else { return false }
    return problem.status < 500 && problem.status != 408 && problem.status != 429
  }
}

extension ClientError: CustomStringConvertible {
  /// A sentence for users.
  public var description: String {
    switch self {
    case .noService(let address, let reason):
      "no service at \(address) (\(reason)): is artworkd serve running?"
    case .untrusted(let address, let reason):
      "the service at \(address) is not trusted: \(reason)"
    case .refused(let problem): problem.detail ?? problem.title
    case .late: "the service did not answer in time"
    case .lost(let what): "the connection to the service was lost: \(what)"
    case .notUnderstood(let what): "the service sent an unexpected response: \(what)"
    case .cancelled: "cancelled"
    }
  }
}
