internal import CCrypto

/// A digest that libcrypto could not compute.
package struct DigestError: Error, Hashable, Sendable, CustomStringConvertible {
  package let description: String

  /// Creates an error from the first one that libcrypto recorded on this thread, the cause of the others.
  ///
  /// - Parameter operation: such as `begin`.
  package init(_ operation: String) {
    let code = ERR_peek_error()
    let reason = ERR_reason_error_string(code).map { String(cString: $0) } ?? "error \(code)"
    description = "cannot \(operation) a SHA-256 digest: \(reason)"
  }
}
