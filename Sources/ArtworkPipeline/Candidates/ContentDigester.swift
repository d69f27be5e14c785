/// Computes digests, by which files with the same bytes are recognized.
package protocol ContentDigester: Sendable {
  /// The SHA-256 of a candidate's bytes; `nil` if the file cannot be read, or if libcrypto fails.
  func digest(of candidate: Candidate) -> [UInt8]?
  /// The SHA-256 of pages at the start, the middle and the end of a candidate: files with different samples have
  /// different bytes. `nil` as above.
  func sample(of candidate: Candidate) -> [UInt8]?
}

/// Computes digests from the files themselves.
package struct FileDigester: ContentDigester {
  /// A mebibyte: large enough that the cost of calls is negligible, small enough to fit in the processor's cache.
  private static let chunk = 1 << 20

  package init() {}

  /// Blocks while the file is read from end to end.
  package func digest(of candidate: Candidate) -> [UInt8]? {
    guard let input = try? InputFile.open(candidate.path, beneath: candidate.folder) else {
      return nil
    }
    return try? Self.digest(of: input)
  }

  /// Reads 12 KiB at most.
  package func sample(of candidate: Candidate) -> [UInt8]? {
    guard let input = try? InputFile.open(candidate.path, beneath: candidate.folder) else {
      return nil
    }
    let page = 4096
    let places = [0, input.size / 2, max(0, input.size - Int64(page))]
    return try? SHA256.digest(of: places.flatMap { input.bytes(at: $0, count: page) })
  }

  private static func digest(of input: InputFile) throws(DigestError) -> [UInt8]? {
    var hash = try SHA256()
    var offset: Int64 = 0
    while offset < input.size {
      let bytes = input.bytes(at: offset, count: chunk)
      guard !bytes.isEmpty else { return nil }
      try hash.update(bytes)
      offset += Int64(bytes.count)
    }
    return try hash.finish()
  }
}
