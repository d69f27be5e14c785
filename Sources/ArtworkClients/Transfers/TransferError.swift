/// Why a transfer failed.
package enum TransferError: Error, Sendable, Equatable {
  /// The request has a URL, method, header field or route that cannot be sent. Nothing was sent.
  case invalidRequest(String)
  /// No connection was made.
  ///
  /// - Parameter errno: the system's error, if it reported one.
  case noConnection(errno: Int32?, reason: String)
  /// Another user listens at the Unix socket. Nothing was sent.
  case foreign(user: UInt32)
  /// The response did not start, or stopped arriving, for longer than the request allows.
  case timedOut
  /// The connection was lost, or the server did not speak HTTP.
  case lost(String)
  /// The body is longer than the caller accepts.
  case tooLong
  /// The task was cancelled, or the body was released.
  case cancelled
}

extension TransferError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .invalidRequest(let reason): reason
    case .noConnection(_, let reason): reason
    case .foreign(let user): "user \(user) listens there"
    case .timedOut: "no response in time"
    case .lost(let reason): reason
    case .tooLong: "the response is too long"
    case .cancelled: "cancelled"
    }
  }
}
