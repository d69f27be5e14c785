extension Inspector: LoopInspector {
  public func findLoops(
    _ candidate: Candidate, _ request: TrimRequest, withPictures: Bool
  ) throws(InspectionError) -> FoundLoops {
    try candidate.whileUnchanged(limits: limits) { input throws(InspectionError) in
      try findLoops(input, request, withPictures: withPictures)
    }
  }

  public func drawSeam(_ candidate: Candidate) throws(InspectionError) -> DrawnSeam {
    try candidate.whileUnchanged(limits: limits) { input throws(InspectionError) in
      try drawSeam(input)
    }
  }

  /// The same for an open file. It does not notice whether the file changes meanwhile.
  func findLoops(
    _ input: InputFile, _ request: TrimRequest, withPictures: Bool
  ) throws(InspectionError) -> FoundLoops {
    #if DEBUG
      try DecoderFault(askedForBy: input)?.strike()
    #endif
    if let pictures = try PictureFile.open(input, limits: limits) {
      return try LoopFinder.find(pictures, request, withPictures: withPictures, limits: limits)
    }
    return try input.withClip(limits: limits) { clip throws(InspectionError) in
      try LoopFinder.find(clip, request, withPictures: withPictures, limits: limits)
    }
  }

  /// The same for an open file.
  func drawSeam(_ input: InputFile) throws(InspectionError) -> DrawnSeam {
    #if DEBUG
      try DecoderFault(askedForBy: input)?.strike()
    #endif
    if let pictures = try PictureFile.open(input, limits: limits) {
      return try SeamDrawer.draw(pictures, limits: limits)
    }
    return try input.withClip(limits: limits) { clip throws(InspectionError) in
      try SeamDrawer.draw(clip, limits: limits)
    }
  }
}
