/// The row of the cache for one request about one file in its present state.
struct CacheEntry {
  private let candidate: Candidate
  private let stamp: FileStamp
  private let key: InspectionCache.Key
  private let condition: String
  private let cache: InspectionCache
  private let now: Duration

  /// `nil` if opening would fail: a link that leads out of the folder, a file without read permission.
  init?(
    _ candidate: Candidate, request: String, version: String, cache: InspectionCache, now: Duration
  ) {
    guard let stamp = FileStamp(of: candidate.path, beneath: candidate.folder) else { return nil }
    self.candidate = candidate
    self.stamp = stamp
    self.cache = cache
    self.now = now
    key = InspectionCache.Key(
      path: candidate.path.absolute(in: .currentFolder).pathBytes, request: request)
    let state = stamp.state
    condition =
      "\(state.device) \(state.inode) \(state.size) \(state.modified.attoseconds) "
      + "\(stamp.statusChanged.attoseconds) \(version)"
  }

  /// The stored result; `nil` if there is none for this state.
  var bytes: [UInt8]? { cache.outcome(for: key, condition: condition) }

  /// Stores a result obtained since this entry was made, unless the file has changed since then, or may change
  /// without a new time stamp.
  func keep(_ bytes: [UInt8]) {
    guard stamp.isSettled(at: now),
      FileStamp(of: candidate.path, beneath: candidate.folder) == stamp
    else { return }
    cache.keep(bytes, for: key, condition: condition)
  }
}
