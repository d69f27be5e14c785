extension Inspector {
  /// Copies the clip in an open file; see ``OpenClip/copy(_:)``.
  func copy(_ input: InputFile, _ request: CopyRequest) throws(InspectionError) -> CopiedPackets {
    try withClip(in: input) { clip throws(InspectionError) in
      try clip.copy(request)
    }
  }

  /// Reads every packet of the clip in an open file; see ``OpenClip/packets()``.
  func packets(in input: InputFile) throws(InspectionError) -> ReadPackets? {
    try withClip(in: input) { clip throws(InspectionError) in
      try clip.packets()
    }
  }

  /// Facts of the clip in an open file; see ``OpenClip/glance()``.
  func glance(at input: InputFile) throws(InspectionError) -> MediaFacts? {
    try withClip(in: input) { clip throws(InspectionError) in
      try clip.glance()
    }
  }

  /// Decodes every frame of the clip in an open file.
  func shown(in input: InputFile) throws(InspectionError) -> ShownClip {
    try withClip(in: input) { clip throws(InspectionError) in
      try clip.shown()
    }
  }

  /// Makes the other variant of the clip in an open file.
  func derive(
    _ input: InputFile, _ request: DeriveRequest,
    progress: @escaping (_ done: Int, _ count: Int) -> Void
  ) throws(InspectionError) -> (report: DeriveReport, bytes: [UInt8]) {
    try withClip(in: input) { clip throws(InspectionError) in
      try clip.derive(request, mostBytes: ImportedMovie.mostBytes, progress: progress)
    }
  }

  /// Encodes the clip in an open file again.
  func encode(
    _ input: InputFile, _ request: EncodeRequest,
    progress: @escaping (_ done: Int, _ count: Int) -> Void
  ) throws(InspectionError) -> [UInt8] {
    try withClip(in: input) { clip throws(InspectionError) in
      try clip.encode(request, mostBytes: ImportedMovie.mostBytes, progress: progress)
    }
  }

  private func withClip<Result>(
    in input: InputFile, _ body: (borrowing OpenClip) throws(InspectionError) -> Result
  ) throws(InspectionError) -> Result {
    #if DEBUG
      try DecoderFault(askedForBy: input)?.strike()
    #endif
    return try input.withClip(limits: limits, body)
  }
}
