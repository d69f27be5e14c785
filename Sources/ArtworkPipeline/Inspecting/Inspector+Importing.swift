extension Inspector {
  public func importMovie(
    _ candidate: Candidate, _ request: ImportRequest,
    progress: @escaping (_ done: Int, _ count: Int) -> Void
  ) throws(InspectionError) -> ImportedMovie {
    try candidate.whileUnchanged(limits: limits) { input throws(InspectionError) in
      try importMovie(input, request, progress: progress)
    }
  }

  /// The same for an open file. It does not notice whether the file changes meanwhile.
  func importMovie(
    _ input: InputFile, _ request: ImportRequest,
    progress: @escaping (_ done: Int, _ count: Int) -> Void
  ) throws(InspectionError) -> ImportedMovie {
    #if DEBUG
      try DecoderFault(askedForBy: input)?.strike()
    #endif
    return try request.make(from: input, limits: limits, progress: progress)
  }
}
