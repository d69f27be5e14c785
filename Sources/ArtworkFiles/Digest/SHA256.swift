internal import CCrypto

/// SHA-256 (FIPS 180-4) of bytes that come in parts, computed by the system's libcrypto.
package struct SHA256: ~Copyable {
  package static let byteCount = 32

  private let context: OpaquePointer

  /// - Throws: if memory is exhausted, or libcrypto's configuration offers no SHA-256.
  package init() throws(DigestError) {
    CryptoLibrary.prepare()
    // Another user of libcrypto on this thread may have left errors.
    ERR_clear_error()
    guard let context = EVP_MD_CTX_new() else { throw DigestError("begin") }
    guard EVP_DigestInit_ex(context, EVP_sha256(), nil) == 1 else {
      let error = DigestError("begin")
      EVP_MD_CTX_free(context)
      throw error
    }
    self.context = context
  }

  deinit { EVP_MD_CTX_free(context) }

  package mutating func update(_ bytes: UnsafeRawBufferPointer) throws(DigestError) {
    guard EVP_DigestUpdate(context, bytes.baseAddress, bytes.count) == 1 else {
      throw DigestError("continue")
    }
  }

  package mutating func update(_ bytes: [UInt8]) throws(DigestError) {
    guard EVP_DigestUpdate(context, bytes, bytes.count) == 1 else { throw DigestError("continue") }
  }

  /// - Returns: 32 bytes.
  package consuming func finish() throws(DigestError) -> [UInt8] {
    var digest = [UInt8](repeating: 0, count: Self.byteCount)
    guard EVP_DigestFinal_ex(context, &digest, nil) == 1 else { throw DigestError("finish") }
    return digest
  }

  /// The digest of all bytes at once.
  package static func digest(of bytes: [UInt8]) throws(DigestError) -> [UInt8] {
    var hash = try SHA256()
    try hash.update(bytes)
    return try hash.finish()
  }
}
