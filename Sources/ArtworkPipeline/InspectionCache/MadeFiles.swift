import FoundationEssentials

/// Remembers the files that commands made, so that a second run does not make them again.
///
/// A note applies to one target, one source and one request, as long as both files have the same bytes as then.
package struct MadeFiles: Sendable {
  /// The record of an existing file.
  package struct Note: Codable, Sendable {
    /// Findings of the source that the file does not have.
    package var repaired: [Finding]
    /// Findings of the file.
    package var remaining: [Finding]
    /// See ``RepairOutcome/doubts``.
    package var doubts: [String]

    package init(repaired: [Finding] = [], remaining: [Finding], doubts: [String] = []) {
      (self.repaired, self.remaining, self.doubts) = (repaired, remaining, doubts)
    }
  }

  private struct Row: Codable {
    /// The SHA-256 of the file.
    var digest: String
    var note: Note
  }

  private let cache: InspectionCache
  private let digester: CachingDigester

  package init(_ cache: InspectionCache) {
    self.cache = cache
    digester = CachingDigester(cache: cache)
  }

  /// The record that was stored when the target was made. Reads both files, unless the cache knows their digests.
  ///
  /// - Parameter request: everything besides the source that determines the new file.
  /// - Returns: `nil` if the target is missing or a different file, or was made from something else.
  package func note(
    of target: FilePath, from source: Candidate, by request: String
  ) -> Note? {
    // Most targets are not there.
    guard FileState(of: target) != nil, let key = key(target, source, request),
      let row = cache.outcome(for: key, condition: "").flatMap({
        try? JSONDecoder().decode(Row.self, from: Data($0))
      }),
      digester.digest(of: Candidate(path: target))?.hexadecimal == row.digest
    else { return nil }
    return row.note
  }

  /// Stores a record of a file that is about to be written.
  ///
  /// - Parameter movie: its bytes.
  package func keep(
    _ note: Note, of target: FilePath, _ movie: [UInt8], from source: Candidate, by request: String
  ) {
    guard let key = key(target, source, request),
      let digest = try? SHA256.digest(of: movie).hexadecimal,
      let row = try? JSONEncoder().encode(Row(digest: digest, note: note))
    else { return }
    cache.keep(Array(row), for: key, condition: "")
    // A run that is killed goes on with what it finished.
    cache.flush()
  }

  private func key(
    _ target: FilePath, _ source: Candidate, _ request: String
  ) -> InspectionCache.Key? {
    digester.digest(of: source).map {
      InspectionCache.Key(
        path: target.absolute(in: .currentFolder).pathBytes,
        request: "made of \($0.hexadecimal): \(request)")
    }
  }
}
