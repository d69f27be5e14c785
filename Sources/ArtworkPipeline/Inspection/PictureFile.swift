import ArtworkModel

/// Files whose pictures come from a reader other than FFmpeg. Each becomes a ``PictureSequence``, so that everything
/// that works on a video works on them.
enum PictureFile {
  /// The pictures in a file; `nil` for a file of another kind. Reads the headers; pictures are decoded when they are
  /// asked for.
  ///
  /// - Throws: what the reader says of a file of its kind that is damaged, too large, or not for this build.
  static func open(
    _ input: InputFile, limits: Limits
  ) throws(InspectionError) -> PictureSequence? {
    let start = input.bytes(at: 0, count: MediaSignature.length)
    if MediaSignature.isAnimatedWebP(start), WebPAnimation.isAvailable {
      let pictures = try WebPAnimation.open(contents(of: input, limits), limits: limits)
      try limits.check(pictures)
      return pictures
    }
    return nil
  }

  /// The whole file, of which a worker has room for a quarter of its memory.
  private static func contents(
    of input: InputFile, _ limits: Limits
  ) throws(InspectionError) -> [UInt8] {
    let most = limits.memoryBytes / 4
    guard input.size <= most else {
      throw InspectionError(
        .tooLarge, "the file has \(input.size) bytes; at most \(most) are read of this kind")
    }
    return input.bytes(at: 0, count: Int(input.size))
  }
}
