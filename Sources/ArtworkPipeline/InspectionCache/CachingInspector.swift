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
  private let now: @Sendable () -> Duration

  /// - Parameter limits: those of `inspector`.
  package init(_ inspector: any CandidateInspector, limits: Limits, cache: InspectionCache) {
    self.init(inspector, limits: limits, cache: cache, now: { .sinceEpoch })
  }

  /// - Parameters:
  ///   - version: results of other versions are not used. `nil` stores nothing.
  ///   - now: since 1970.
  init(
    _ inspector: any CandidateInspector, limits: Limits, cache: InspectionCache,
    version: String? = MeasuringVersion.current, now: @escaping @Sendable () -> Duration
  ) {
    self.inspector = inspector
    self.cache = cache
    self.version = version
    self.now = now
    setting = Self.setting(inspector, limits)
  }

  /// Everything besides the file, the request and the version that results depend on.
  static func setting(_ inspector: any CandidateInspector, _ limits: Limits) -> String {
    "\(inspector.variant) \(limits.fileBytes) \(limits.pixels) "
      + "\(limits.durationSeconds) \(limits.frames) \(limits.streams) \(limits.cpuSeconds) "
      + "\(limits.cpuSecondsForEverything) \(limits.memoryBytes)"
  }

  package func inspect(
    _ candidate: Candidate, _ request: InspectionRequest
  ) throws(InspectionError) -> InspectedCandidate {
    let entry = entry(candidate, request.frames)
    let pictures = request.reportImages ? self.entry(candidate, request.pictures) : nil
    if request.preview == .none {
      switch (entry?.kept, pictures?.kept) {
      case (.inspection(let inspection), .reportImages(let reportImages)):
        return InspectedCandidate(inspection: inspection, reportImages: reportImages)
      case (.inspection(let inspection), _) where !request.reportImages:
        return InspectedCandidate(inspection: inspection)
      case (.refusal(let error), _): throw error
      default: break
      }
    }
    let result = try keeping(entry) {
      .inspection($0.inspection)
    } inspect: {
      () throws(InspectionError) in
      try inspector.inspect(candidate, request)
    }
    if let reportImages = result.reportImages { pictures?.keep(.reportImages(reportImages)) }
    return result
  }

  /// The stored inspection of an unchanged file, without reading its contents.
  package func known(_ candidate: Candidate, _ request: InspectionRequest) -> Inspection? {
    guard case .inspection(let inspection)? = entry(candidate, request.frames)?.kept else {
      return nil
    }
    return inspection
  }

  package func inspectStill(_ still: Candidate) throws(InspectionError) -> StillPicture {
    let entry = entry(still, "still")
    switch entry?.kept {
    case .still(let picture): return picture
    case .refusal(let error): throw error
    case .inspection, .reportImages, nil: break
    }
    return try keeping(entry) {
      .still($0)
    } inspect: { () throws(InspectionError) in
      try inspector.inspectStill(still)
    }
  }

  private func entry(_ candidate: Candidate, _ request: String) -> CacheEntry? {
    version.flatMap {
      CacheEntry(
        candidate, request: "\(request) \(setting)", version: $0, cache: cache, now: now())
    }
  }

  /// Inspects a file, and stores the result if it depends on nothing but the file.
  private func keeping<Result>(
    _ entry: CacheEntry?, as kept: (Result) -> CachedOutcome,
    inspect: () throws(InspectionError) -> Result
  ) throws(InspectionError) -> Result {
    do throws(InspectionError) {
      let result = try inspect()
      entry?.keep(kept(result))
      return result
    } catch {
      if error.isOfTheFile { entry?.keep(.refusal(error)) }
      throw error
    }
  }
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

extension CacheEntry {
  /// The stored result for the present state of the file.
  fileprivate var kept: CachedOutcome? { bytes.flatMap(CachedOutcome.init(bytes:)) }

  fileprivate func keep(_ outcome: CachedOutcome) {
    if let bytes = outcome.bytes { keep(bytes) }
  }
}
