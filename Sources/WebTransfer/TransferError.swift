/// Why a transfer did not end well.
package enum TransferError: Error, Sendable, Equatable {
  /// No connection was made.
  ///
  /// - Parameter errno: the system's error, where it gave one.
  case noConnection(errno: Int32?, reason: String)
  /// The answer did not begin, or did not go on, in time.
  case timedOut
  /// The connection was lost, or what came over it is not HTTP.
  case lost(String)
  /// The body is longer than the caller takes.
  case tooLong
  /// The task was cancelled, or the body was let go.
  case cancelled
}

extension TransferError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .noConnection(_, let reason): reason
    case .timedOut: "no answer in time"
    case .lost(let reason): reason
    case .tooLong: "the answer is too long"
    case .cancelled: "cancelled"
    }
  }
}
