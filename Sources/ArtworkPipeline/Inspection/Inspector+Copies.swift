import ArtworkModel

extension Inspector {
  /// Copies the clip in an open file; see ``OpenClip/copy(_:)``.
  func copy(_ input: InputFile, _ request: CopyRequest) throws(InspectionError) -> [UInt8] {
    #if DEBUG
      try DecoderFault(askedForBy: input)?.strike()
    #endif
    return try input.withClip(limits: limits) { clip throws(InspectionError) in
      try clip.copy(request)
    }
  }

  /// Decodes every frame of the clip in an open file.
  func shownFrames(of input: InputFile) throws(InspectionError) -> ShownFrames {
    #if DEBUG
      try DecoderFault(askedForBy: input)?.strike()
    #endif
    return try input.withClip(limits: limits) { clip throws(InspectionError) in
      try clip.shownFrames()
    }
  }

  /// A worker holds the file in memory, an eighth of what it has (``Limits/memoryBytes``): it grows by doubling and is
  /// copied once.
  static let mostDerivedBytes = 128 << 20

  /// Makes the other variant of the clip in an open file.
  func derive(
    _ input: InputFile, _ request: DeriveRequest
  ) throws(InspectionError) -> (report: DeriveReport, bytes: [UInt8]) {
    #if DEBUG
      try DecoderFault(askedForBy: input)?.strike()
    #endif
    return try input.withClip(limits: limits) { clip throws(InspectionError) in
      try clip.derive(request, mostBytes: Self.mostDerivedBytes)
    }
  }
}
