public import ArtworkModel

/// Looks at one candidate: facts, measurements, and its preview as a PNG file. ``Inspector`` does it in
/// this process, ``IsolatedInspector`` in a worker that the file cannot break out of.
public protocol CandidateInspector: Sendable {
  /// Blocks the calling thread until the candidate is inspected or refused.
  ///
  /// - Throws: ``InspectionError``; the same file earns the same code each time.
  func inspect(
    _ candidate: Candidate, _ request: InspectionRequest
  ) throws(InspectionError) -> InspectedCandidate

  /// The same, given up when `isWanted` says no: at once where that is asked now and then, else never.
  ///
  /// - Throws: as above; `worker-failed` when it was given up.
  func inspect(
    _ candidate: Candidate, _ request: InspectionRequest, isWanted: @escaping @Sendable () -> Bool
  ) throws(InspectionError) -> InspectedCandidate

  /// Looks at a PNG or JPEG file that lies beside candidates. Blocks the calling thread.
  ///
  /// - Throws: ``InspectionError``; `not-a-movie` for every other kind of file.
  func inspectStill(_ still: Candidate) throws(InspectionError) -> StillPicture
}

extension CandidateInspector {
  public func inspect(
    _ candidate: Candidate, _ request: InspectionRequest, isWanted: @escaping @Sendable () -> Bool
  ) throws(InspectionError) -> InspectedCandidate {
    try inspect(candidate, request)
  }
}

public struct InspectedCandidate: Sendable {
  public var inspection: Inspection
  /// The bytes of a PNG file; `nil` when none was asked for.
  public var preview: [UInt8]?
  /// `nil` when none was asked for.
  public var exhibit: Exhibit?
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

  public init(
    inspection: Inspection, preview: [UInt8]? = nil, exhibit: Exhibit? = nil, cost: Cost? = nil
  ) {
    self.inspection = inspection
    self.preview = preview
    self.exhibit = exhibit
    self.cost = cost
  }
}

extension Inspector: CandidateInspector {
  public func inspect(
    _ candidate: Candidate, _ request: InspectionRequest
  ) throws(InspectionError) -> InspectedCandidate {
    let input = try InputFile.open(candidate.path, beneath: candidate.folder, limits: limits)
    return try input.whileUnchanged { () throws(InspectionError) in try inspect(input, request) }
  }

  public func inspectStill(_ still: Candidate) throws(InspectionError) -> StillPicture {
    let input = try InputFile.open(still.path, beneath: still.folder, limits: limits)
    return try input.whileUnchanged { () throws(InspectionError) in try inspectStill(input) }
  }

  /// As above, for a file that is open; without a look at whether it changes meanwhile, which takes
  /// rights that a worker does not have.
  func inspect(
    _ input: InputFile, _ request: InspectionRequest
  ) throws(InspectionError) -> InspectedCandidate {
    #if DEBUG
      try DecoderFault(askedForBy: input)?.strike()
    #endif
    let look = try examine(input, request)
    return InspectedCandidate(
      inspection: look.inspection,
      preview: try look.preview.map { image throws(InspectionError) in
        try PNGEncoder.encode(image)
      },
      exhibit: look.exhibit)
  }

  /// As above, for a file that is open.
  func inspectStill(_ input: InputFile) throws(InspectionError) -> StillPicture {
    #if DEBUG
      try DecoderFault(askedForBy: input)?.strike()
    #endif
    return try input.withClip(limits: limits, formats: ContainerFormat.stills) {
      clip throws(InspectionError) in
      try clip.readStill()
    }
  }
}
