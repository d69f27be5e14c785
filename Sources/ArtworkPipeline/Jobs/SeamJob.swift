/// Draws a candidate's seam. The answer's bytes are the picture.
public struct SeamJob: Job {
  public static let name = "seam"

  public init() {}

  public func cpuSeconds(_ limits: Limits) -> Int { limits.cpuSecondsForEverything }

  public func mostBytes(_ limits: Limits) -> Int64 {
    PictureBytes.png(pixels: LoopPictures.largest.area)
  }

  public func run(
    on file: InputFile, limits: Limits, progress: @escaping JobProgress
  ) throws(InspectionError) -> JobAnswer<SeamFacts> {
    let drawn: DrawnSeam
    if let pictures = try PictureFile.open(file, limits: limits) {
      drawn = try SeamDrawer.draw(pictures, limits: limits)
    } else {
      drawn = try file.withClip(limits: limits) { clip throws(InspectionError) in
        try SeamDrawer.draw(clip, limits: limits)
      }
    }
    return JobAnswer(value: drawn.facts, bytes: drawn.picture)
  }

  public func outcome(of answer: JobAnswer<SeamFacts>) -> DrawnSeam? {
    guard PNGFile.isWellFormed(answer.bytes) else { return nil }
    return DrawnSeam(facts: answer.value, picture: answer.bytes)
  }
}

public struct DrawnSeam: Sendable {
  public var facts: SeamFacts
  /// The bytes of a PNG file.
  public var picture: [UInt8]
}
