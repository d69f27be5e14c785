/// Looks at one candidate: facts, measurements, and the file of its preview. ``Inspector`` does it
/// in this process, ``IsolatedInspector`` in a worker that the file cannot break out of.
public protocol CandidateInspector: Sendable {
  /// Names what results depend on besides the file, the request and the limits. A result of one
  /// variant is never taken for that of another.
  var variant: String { get }

  /// Blocks the calling thread until the candidate is inspected or refused.
  ///
  /// - Throws: ``InspectionError``; the same file gets the same code each time.
  func inspect(
    _ candidate: Candidate, _ request: InspectionRequest
  ) throws(InspectionError) -> InspectedCandidate

  /// The same, but gives up when `isWanted` returns false. An inspector that cannot stop half-way
  /// never asks.
  ///
  /// - Throws: as above; `worker-failed` when it gave up.
  func inspect(
    _ candidate: Candidate, _ request: InspectionRequest, isWanted: @escaping @Sendable () -> Bool
  ) throws(InspectionError) -> InspectedCandidate

  /// Looks at a PNG or JPEG file that lies beside candidates. Blocks the calling thread.
  ///
  /// - Throws: ``InspectionError``; `not-a-movie` for every other kind of file.
  func inspectStill(_ still: Candidate) throws(InspectionError) -> StillPicture
}

extension CandidateInspector {
  /// The name of the type.
  public var variant: String { "\(Self.self)" }

  public func inspect(
    _ candidate: Candidate, _ request: InspectionRequest, isWanted: @escaping @Sendable () -> Bool
  ) throws(InspectionError) -> InspectedCandidate {
    try inspect(candidate, request)
  }
}
