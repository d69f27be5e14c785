internal import CCrypto

/// The system's libcrypto.
package enum CryptoLibrary {
  /// Keeps libcrypto's tables until the process has ended. Otherwise it would free them when the process begins to
  /// exit, and crash threads that still use them.
  ///
  /// The first use of libcrypto in the process decides, so call this before any other library uses it.
  package static func prepare() { _ = isKept }

  /// Fails only without memory, which the next call of libcrypto reports.
  private static let isKept = artwork_crypto_keep_at_exit() == 1
}
