extension IsolatedInspector: CandidateInspector {
  /// Workers inspect as a new ``Inspector`` does.
  public var variant: String { "Isolated\(Inspector().variant)" }

  public func inspect(
    _ candidate: Candidate, _ request: InspectionRequest
  ) throws(InspectionError) -> InspectedCandidate {
    try inspect(candidate, request, isWanted: { true })
  }

  public func inspect(
    _ candidate: Candidate, _ request: InspectionRequest, isWanted: @escaping @Sendable () -> Bool
  ) throws(InspectionError) -> InspectedCandidate {
    var (inspected, cost) = try perform(
      InspectJob(request: request), on: candidate, isWanted: isWanted)
    inspected.cost = cost
    return inspected
  }

  public func inspectStill(_ still: Candidate) throws(InspectionError) -> StillPicture {
    try perform(StillJob(), on: still).outcome
  }
}

extension IsolatedInspector: LoopInspector {
  public func findLoops(
    _ candidate: Candidate, _ request: TrimRequest, withPictures: Bool
  ) throws(InspectionError) -> FoundLoops {
    try perform(LoopJob(request: request, withPictures: withPictures), on: candidate).outcome
  }

  public func drawSeam(_ candidate: Candidate) throws(InspectionError) -> DrawnSeam {
    try perform(SeamJob(), on: candidate).outcome
  }

  public func importMovie(
    _ candidate: Candidate, _ request: ImportRequest,
    progress: @escaping (_ done: Int, _ count: Int) -> Void
  ) throws(InspectionError) -> ImportedMovie {
    try perform(ImportJob(request: request), on: candidate, progress: progress).outcome
  }
}
