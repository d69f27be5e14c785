extension Inspector: CandidateInspector {
  public var variant: String { "Inspector \(window)" }

  public func inspect(
    _ candidate: Candidate, _ request: InspectionRequest
  ) throws(InspectionError) -> InspectedCandidate {
    try candidate.whileUnchanged(limits: limits) { input throws(InspectionError) in
      try inspect(input, request)
    }
  }

  public func inspectStill(_ still: Candidate) throws(InspectionError) -> StillPicture {
    try still.whileUnchanged(limits: limits) { input throws(InspectionError) in
      try inspectStill(input)
    }
  }

  /// The same for an open file. It does not notice whether the file changes meanwhile: a worker
  /// lacks the rights for that.
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
        try request.previewFormat.encode(image)
      },
      exhibit: look.exhibit)
  }

  /// The same for an open file.
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
