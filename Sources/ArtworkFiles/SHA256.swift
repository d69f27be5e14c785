internal import CCrypto

/// SHA-256 (FIPS 180-4) of bytes that come in parts, computed by the system's libcrypto.
@safe package struct SHA256: ~Copyable {
  package static let byteCount = 32

  private let context: OpaquePointer

  /// - Throws: if memory is exhausted, or libcrypto's configuration offers no SHA-256.
  package init() throws(DigestError) {
    CryptoLibrary.prepare()
    // Another user of libcrypto on this thread may have left errors.
    ERR_clear_error()
    guard let context = unsafe EVP_MD_CTX_new() else { throw DigestError("begin") }
    guard unsafe EVP_DigestInit_ex(context, EVP_sha256(), nil) == 1 else {
      let error = DigestError("begin")
      unsafe EVP_MD_CTX_free(context)
      throw error
    }
    unsafe self.context = unsafe context
  }

  deinit { unsafe EVP_MD_CTX_free(context) }

  package mutating func update(_ bytes: UnsafeRawBufferPointer) throws(DigestError) {
    guard unsafe EVP_DigestUpdate(context, bytes.baseAddress, bytes.count) == 1 else {
      throw DigestError("continue")
    }
  }

  package mutating func update(_ bytes: [UInt8]) throws(DigestError) {
    guard unsafe EVP_DigestUpdate(context, bytes, bytes.count) == 1 else {
      throw DigestError("continue")
    }
  }

  /// - Returns: 32 bytes.
  package consuming func finish() throws(DigestError) -> [UInt8] {
    var digest = [UInt8](repeating: 0, count: Self.byteCount)
    guard unsafe EVP_DigestFinal_ex(context, &digest, nil) == 1 else { throw DigestError("finish") }
    return digest
  }

  /// The digest of all bytes at once.
  package static func digest(of bytes: [UInt8]) throws(DigestError) -> [UInt8] {
    var hash = try SHA256()
    try hash.update(bytes)
    return try hash.finish()
  }
}

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

/// A digest that libcrypto could not compute.
package struct DigestError: Error, Hashable, Sendable, CustomStringConvertible {
  package let description: String

  /// Creates an error from the first one that libcrypto recorded on this thread, the cause of the others.
  ///
  /// - Parameter operation: such as `begin`.
  package init(_ operation: String) {
    let code = ERR_peek_error()
    let reason =
      unsafe ERR_reason_error_string(code).map { unsafe String(cString: $0) } ?? "error \(code)"
    description = "cannot \(operation) a SHA-256 digest: \(reason)"
  }
}
