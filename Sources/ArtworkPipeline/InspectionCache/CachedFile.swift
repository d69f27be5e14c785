import FoundationEssentials

/// The stored results about one file: in its present state, or wherever it is, by its bytes.
struct CachedFile {
  private let cache: InspectionCache
  private let key: [UInt8]
  private let condition: String
  private let candidate: Candidate
  private let stamp: FileStamp
  private let isSettled: Bool

  /// The results about a file at its path, as long as its state is the same.
  ///
  /// - Parameter version: of what measures.
  /// - Returns: `nil` if opening would fail: a link that leads out of the folder, a file without read permission.
  init?(_ candidate: Candidate, version: String, in cache: InspectionCache, now: Duration) {
    guard let stamp = FileStamp(of: candidate) else { return nil }
    let state = stamp.state
    (self.cache, self.candidate, self.stamp) = (cache, candidate, stamp)
    key = candidate.path.absolute(in: .currentFolder).pathBytes
    condition =
      "\(state.device) \(state.inode) \(state.size) \(state.modified.attoseconds) "
      + "\(stamp.statusChanged.attoseconds) \(version)"
    // Else the file may change without a new time stamp.
    isSettled = stamp.isSettled(at: now)
  }

  /// The results about a file with these bytes, at any path. Reads it, unless the cache knows its digest.
  init?(contentsOf candidate: Candidate, version: String, in cache: InspectionCache) {
    guard let stamp = FileStamp(of: candidate),
      let digest = CachingDigester(cache: cache).digest(of: candidate)
    else { return nil }
    (self.cache, self.candidate, self.stamp) = (cache, candidate, stamp)
    (key, condition, isSettled) = (digest, version, true)
  }

  /// The stored bytes; `nil` if there are none.
  func bytes(for request: String) -> [UInt8]? {
    cache.outcome(for: InspectionCache.Key(path: key, request: request), condition: condition)
  }

  /// Stores a result obtained since this value was made, unless the file has changed since then.
  func keep(bytes: [UInt8], for request: String) {
    guard isSettled, FileStamp(of: candidate) == stamp else { return }
    cache.keep(
      bytes, for: InspectionCache.Key(path: key, request: request), condition: condition)
  }

  // MARK: Results of inspections

  private enum Outcome<Value: Codable>: Codable {
    case value(Value)
    case refusal(InspectionError)
  }

  /// The stored result; `nil` if there is none, or a damaged one.
  ///
  /// - Throws: the stored refusal.
  func value<Value: Codable>(for request: String) throws(InspectionError) -> Value? {
    guard let bytes = bytes(for: request) else { return nil }
    switch try? JSONDecoder().decode(Outcome<Value>.self, from: Data(bytes)) {
    case .value(let value): return value
    case .refusal(let error): throw error
    case nil: return nil
    }
  }

  /// Stores a result, unless JSON cannot represent it, such as a number that is not finite.
  func keep(_ value: some Codable, for request: String) {
    keep(outcome: .value(value), for: request)
  }

  /// Stores a refusal that depends on nothing but the file.
  func keep(refusal error: InspectionError, for request: String) {
    if error.isOfTheFile { keep(outcome: Outcome<Never>.refusal(error), for: request) }
  }

  private func keep(outcome: Outcome<some Codable>, for request: String) {
    if let json = try? JSONEncoder().encode(outcome) { keep(bytes: Array(json), for: request) }
  }
}
