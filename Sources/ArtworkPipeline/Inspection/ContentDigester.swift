internal import Crypto
import SystemPackage

/// Tells files with the same bytes from others.
public protocol ContentDigester: Sendable {
  /// The SHA-256 of a candidate's bytes; `nil` for one that cannot be read.
  func digest(of candidate: Candidate) -> [UInt8]?
}

/// Reads the files.
public struct FileDigester: ContentDigester {
  /// A mebibyte: large enough that calls cost nothing, small enough to stay in the processor's cache.
  private static let chunk = 1 << 20

  public init() {}

  /// Blocks while the file is read from end to end.
  public func digest(of candidate: Candidate) -> [UInt8]? {
    guard let input = try? InputFile.open(candidate.path, beneath: candidate.folder) else {
      return nil
    }
    var hash = SHA256()
    var offset: Int64 = 0
    while offset < input.size {
      let bytes = input.bytes(at: offset, count: Self.chunk)
      guard !bytes.isEmpty else { return nil }
      hash.update(data: bytes)
      offset += Int64(bytes.count)
    }
    return Array(hash.finalize())
  }
}
