/// Computes digests, by which files with the same bytes are recognized.
package protocol ContentDigester: Sendable {
  /// The SHA-256 of a candidate's bytes; `nil` if the file cannot be read, or if libcrypto fails.
  func digest(of candidate: Candidate) -> [UInt8]?
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

  /// A number for pages at the start, the middle and the end of a candidate, the same in one process only: files with
  /// different numbers have different bytes. `nil` if it cannot be read. Reads 12 KiB at most.
  static func sample(of candidate: Candidate) -> Int? {
    guard let input = try? InputFile.open(candidate.path, beneath: candidate.folder) else {
      return nil
    }
    let page = 4096
    var hasher = Hasher()
    for offset in [0, input.size / 2, max(0, input.size - Int64(page))] {
      hasher.combine(Array(input.bytes(at: offset, count: page)))
    }
    return hasher.finalize()
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
