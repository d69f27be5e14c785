/// Returns the stored digests of unchanged files, and stores those of others.
package struct CachingDigester: ContentDigester {
  private let digester = FileDigester()
  private let cache: InspectionCache
  private let now: @Sendable () -> Duration

  package init(cache: InspectionCache) { self.init(cache: cache) { .sinceEpoch } }

  /// - Parameter now: since 1970.
  init(cache: InspectionCache, now: @escaping @Sendable () -> Duration) {
    (self.cache, self.now) = (cache, now)
  }

  package func digest(of candidate: Candidate) -> [UInt8]? {
    kept("sha256", of: candidate, digester.digest)
  }

  package func sample(of candidate: Candidate) -> [UInt8]? {
    kept("sha256-sample", of: candidate, digester.sample)
  }

  private func kept(
    _ request: String, of candidate: Candidate, _ compute: (Candidate) -> [UInt8]?
  ) -> [UInt8]? {
    // A digest is the same in every version.
    let file = CachedFile(candidate, version: "", in: cache, now: now())
    // Any other length was not written by this code.
    if let known = file?.bytes(for: request), known.count == 32 { return known }
    let digest = compute(candidate)
    if let digest { file?.keep(bytes: digest, for: request) }
    return digest
  }
}
