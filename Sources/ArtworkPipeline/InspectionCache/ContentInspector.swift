/// Finds earlier results by the bytes of a file, at any path: for a cache that one CI machine passes to the next,
/// where every file is new. A new file costs a digest of all its bytes.
///
/// Use it behind a ``CachingInspector``, which recognises unchanged files without reading them.
package struct ContentInspector: CandidateInspector {
  private let inspector: any CandidateInspector
  private let cache: InspectionCache
  private let digester: CachingDigester
  private let setting: String

  /// - Parameter limits: those of `inspector`.
  package init(_ inspector: any CandidateInspector, limits: Limits, cache: InspectionCache) {
    self.inspector = inspector
    self.cache = cache
    digester = CachingDigester(cache: cache)
    setting = CachingInspector.setting(inspector, limits)
  }

  package var variant: String { inspector.variant }

  package func inspect(
    _ candidate: Candidate, _ request: InspectionRequest
  ) throws(InspectionError) -> InspectedCandidate {
    let before = FileStamp(of: candidate)
    guard request.preview == .none, let version = MeasuringVersion.ofContent, before != nil,
      let digest = digester.digest(of: candidate)
    else { return try inspector.inspect(candidate, request) }
    func key(_ what: String) -> InspectionCache.Key {
      InspectionCache.Key(path: digest, request: "\(what) \(setting)")
    }
    func kept(_ what: String) -> CachedOutcome? {
      cache.outcome(for: key(what), condition: version).flatMap(CachedOutcome.init(bytes:))
    }
    func keep(_ outcome: CachedOutcome, _ what: String) {
      // Else the bytes that were inspected may be others than those of the digest.
      guard FileStamp(of: candidate) == before, let bytes = outcome.bytes else { return }
      cache.keep(bytes, for: key(what), condition: version)
    }
    switch (kept(request.frames), request.reportImages ? kept(request.pictures) : nil) {
    case (.inspection(let inspection), .reportImages(let reportImages)):
      return InspectedCandidate(inspection: inspection, reportImages: reportImages)
    case (.inspection(let inspection), _) where !request.reportImages:
      return InspectedCandidate(inspection: inspection)
    case (.refusal(let error), _): throw error
    default: break
    }
    do throws(InspectionError) {
      let result = try inspector.inspect(candidate, request)
      keep(.inspection(result.inspection), request.frames)
      if let reportImages = result.reportImages {
        keep(.reportImages(reportImages), request.pictures)
      }
      return result
    } catch {
      if error.isOfTheFile { keep(.refusal(error), request.frames) }
      throw error
    }
  }

  package func inspectStill(_ still: Candidate) throws(InspectionError) -> StillPicture {
    try inspector.inspectStill(still)
  }
}
