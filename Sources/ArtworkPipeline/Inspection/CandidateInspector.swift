/// Looks at one candidate: facts, measurements, and its preview as a PNG file. ``Inspector`` does it in
/// this process, ``IsolatedInspector`` in a worker that the file cannot break out of.
public protocol CandidateInspector: Sendable {
  /// Blocks the calling thread until the candidate is inspected or refused.
  ///
  /// - Parameter everyFrame: decode every frame instead of those at the ends.
  /// - Throws: ``InspectionError``; the same file earns the same code each time.
  func inspect(
    _ candidate: Candidate, preview: Inspector.PreviewRequest, everyFrame: Bool
  ) throws(InspectionError) -> InspectedCandidate
}

public struct InspectedCandidate: Sendable {
  public var inspection: Inspection
  /// The bytes of a PNG file; `nil` when none was asked for.
  public var preview: [UInt8]?
  /// What the worker used; `nil` in this process.
  public var cost: Cost?

  public struct Cost: Sendable, Equatable {
    /// Processor time, user and system.
    public var cpuMicroseconds: Int64
    /// The most memory that was resident at once, in bytes.
    public var peakBytes: Int64

    func adding(_ other: Cost?) -> Cost {
      guard let other else { return self }
      return Cost(
        cpuMicroseconds: cpuMicroseconds + other.cpuMicroseconds,
        peakBytes: max(peakBytes, other.peakBytes))
    }
  }

  public init(inspection: Inspection, preview: [UInt8]? = nil, cost: Cost? = nil) {
    self.inspection = inspection
    self.preview = preview
    self.cost = cost
  }
}

extension Inspector: CandidateInspector {
  public func inspect(
    _ candidate: Candidate, preview: PreviewRequest, everyFrame: Bool
  ) throws(InspectionError) -> InspectedCandidate {
    let input = try InputFile.open(candidate.path, beneath: candidate.folder, limits: limits)
    return try input.whileUnchanged { () throws(InspectionError) in
      try inspect(input, preview: preview, everyFrame: everyFrame)
    }
  }

  /// As above, for a file that is open; without a look at whether it changes meanwhile, which takes
  /// rights that a worker does not have.
  func inspect(
    _ input: InputFile, preview: PreviewRequest, everyFrame: Bool
  ) throws(InspectionError) -> InspectedCandidate {
    #if DEBUG
      try DecoderFault(askedForBy: input)?.strike()
    #endif
    let (inspection, image) = try examine(input, preview: preview, everyFrame: everyFrame)
    return InspectedCandidate(
      inspection: inspection,
      preview: try image.map { image throws(InspectionError) in try PNGEncoder.encode(image) })
  }
}
