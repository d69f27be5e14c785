import FoundationEssentials

/// Returns the stored results of unchanged files, and passes new and changed files to another inspector.
///
/// An unchanged file costs one status call and a row of the cache, or two rows with report images; the result is the one
/// that the other inspector would return. Requests with a preview are always carried out, because previews are not
/// stored. Their inspections are.
package struct CachingInspector: CandidateInspector {
  private let inspector: any CandidateInspector
  private let cache: InspectionCache
  /// Everything else that results depend on: the kind of inspector, its window and its limits.
  private let setting: String
  private let version: String?
  private let isPortable: Bool
  private let now: @Sendable () -> Duration

  /// - Parameters:
  ///   - limits: those of `inspector`.
  ///   - isPortable: also finds results by the bytes of a file, at any path: for a cache that one CI machine passes to
  ///     the next, where every file is new. A new file costs a digest of all its bytes.
  package init(
    _ inspector: any CandidateInspector, limits: Limits, cache: InspectionCache,
    isPortable: Bool = false
  ) {
    self.init(inspector, limits: limits, cache: cache, isPortable: isPortable) { .sinceEpoch }
  }

  /// - Parameters:
  ///   - version: results of other versions are not used. `nil` stores nothing.
  ///   - now: since 1970.
  init(
    _ inspector: any CandidateInspector, limits: Limits, cache: InspectionCache,
    version: String? = MeasuringVersion.current, isPortable: Bool = false,
    now: @escaping @Sendable () -> Duration
  ) {
    self.inspector = inspector
    self.cache = cache
    self.version = version
    self.isPortable = isPortable
    self.now = now
    setting =
      "\(inspector.variant) \(limits.fileBytes) \(limits.pixels) "
      + "\(limits.durationSeconds) \(limits.frames) \(limits.streams) \(limits.cpuSeconds) "
      + "\(limits.cpuSecondsForEverything) \(limits.memoryBytes)"
  }

  package func inspect(
    _ candidate: Candidate, _ request: InspectionRequest
  ) throws(InspectionError) -> InspectedCandidate {
    let state = inPresentState(candidate)
    if request.preview == .none, let known = try stored(state, request) { return known }
    let content = request.preview == .none ? withTheSameBytes(candidate) : nil
    do throws(InspectionError) {
      let known = try stored(content, request)
      let result = if let known { known } else { try inspector.inspect(candidate, request) }
      for file in [state, content] {
        file?.keep(result.inspection, for: row(request.frames))
        if let reportImages = result.reportImages {
          file?.keep(reportImages, for: row(request.pictures))
        }
      }
      return result
    } catch {
      for file in [state, content] { file?.keep(refusal: error, for: row(request.frames)) }
      throw error
    }
  }

  /// The stored inspection of an unchanged file, without reading its contents.
  package func known(_ candidate: Candidate, _ request: InspectionRequest) -> Inspection? {
    try? inPresentState(candidate)?.value(for: row(request.frames))
  }

  package func inspectStill(_ still: Candidate) throws(InspectionError) -> StillPicture {
    try kept("still", of: still) { () throws(InspectionError) in
      try inspector.inspectStill(still)
    }
  }

  package func drawCrop(
    of candidate: Candidate, as key: ArtworkKey, _ facts: MediaFacts
  ) throws(InspectionError) -> [UInt8] {
    let request = InspectionCache.picturesPrefix + "crop " + key.rawValue
    return Array(
      try kept(request, of: candidate) { () throws(InspectionError) in
        Data(try inspector.drawCrop(of: candidate, as: key, facts))
      })
  }

  private func kept<Value: Codable>(
    _ request: String, of candidate: Candidate, _ make: () throws(InspectionError) -> Value
  ) throws(InspectionError) -> Value {
    let file = inPresentState(candidate)
    if let known: Value = try file?.value(for: row(request)) { return known }
    do throws(InspectionError) {
      let value = try make()
      file?.keep(value, for: row(request))
      return value
    } catch {
      file?.keep(refusal: error, for: row(request))
      throw error
    }
  }

  /// The stored result with everything that was requested; `nil` if a part is missing.
  private func stored(
    _ file: CachedFile?, _ request: InspectionRequest
  ) throws(InspectionError) -> InspectedCandidate? {
    // Who counted flashes has measured more.
    var counting = request
    counting.countsFlashes = true
    var known: Inspection? = try file?.value(for: row(request.frames))
    if known == nil { known = try file?.value(for: row(counting.frames)) }
    guard let file, let inspection = known else { return nil }
    guard request.reportImages else { return InspectedCandidate(inspection: inspection) }
    let images: ReportImages? = try file.value(for: row(request.pictures))
    return images.map { InspectedCandidate(inspection: inspection, reportImages: $0) }
  }

  private func inPresentState(_ candidate: Candidate) -> CachedFile? {
    version.flatMap { CachedFile(candidate, version: $0, in: cache, now: now()) }
  }

  private func withTheSameBytes(_ candidate: Candidate) -> CachedFile? {
    guard isPortable, let version = MeasuringVersion.ofContent else { return nil }
    return CachedFile(contentsOf: candidate, version: version, in: cache)
  }

  /// The request as a row states it.
  private func row(_ request: String) -> String { "\(request) \(setting)" }
}

extension InspectionRequest {
  /// Which frames are decoded, as far as the request determines it.
  var frames: String {
    if everyFrame { return "every-frame" }
    return "ends" + (settlesDoubts ? ", doubts settled" : "") + (countsFlashes ? ", flashes" : "")
  }

  /// Identifies the row of the report images, whose pictures depend on which frames are decoded.
  var pictures: String { InspectionCache.picturesPrefix + frames }
}
