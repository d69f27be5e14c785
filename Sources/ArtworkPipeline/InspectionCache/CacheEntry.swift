import SystemPackage

/// The place in the cache for one question about one file in the state that it is in.
struct CacheEntry {
  private let candidate: Candidate
  private let stamp: FileStamp
  private let key: InspectionCache.Key
  private let condition: String
  private let cache: InspectionCache
  private let now: Duration

  /// `nil` for what an opening would refuse: a link that leads out of the folder, a file that may not be read.
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

  /// What was kept.
  var bytes: [UInt8]? { cache.outcome(for: key, condition: condition) }

  /// Keeps what was found since this was made, unless the file has changed meanwhile, or could without showing it.
  func keep(_ bytes: [UInt8]) {
    guard stamp.isSettled(at: now),
      FileStamp(of: candidate.path, beneath: candidate.folder) == stamp
    else { return }
    cache.keep(bytes, for: key, condition: condition)
  }
}
