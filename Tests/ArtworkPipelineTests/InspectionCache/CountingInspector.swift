import Synchronization

/// Inspects, and counts the calls.
final class CountingInspector: CandidateInspector {
  private let inspector = Inspector()
  private let counts = Mutex((inspections: 0, stills: 0))
  /// Runs before each inspection.
  private let before: @Sendable () throws(InspectionError) -> Void

  init(_ before: @escaping @Sendable () throws(InspectionError) -> Void = {}) { self.before = before }

  var inspections: Int { counts.withLock(\.inspections) }
  var stills: Int { counts.withLock(\.stills) }

  func inspect(_ candidate: Candidate, _ request: InspectionRequest) throws(InspectionError) -> InspectedCandidate {
    counts.withLock { $0.inspections += 1 }
    try before()
    return try inspector.inspect(candidate, request)
  }

  func inspectStill(_ still: Candidate) throws(InspectionError) -> StillPicture {
    counts.withLock { $0.stills += 1 }
    return try inspector.inspectStill(still)
  }

  func drawCrop(of candidate: Candidate, as key: ArtworkKey, _ facts: MediaFacts) throws(InspectionError) -> [UInt8] {
    try inspector.drawCrop(of: candidate, as: key, facts)
  }
}
