/// Draws a candidate's seam. The answer's bytes are the picture.
package struct SeamJob: Job {
  package static let name = "seam"

  package init() {}

  package func cpuSeconds(_ limits: Limits) -> Int { limits.cpuSecondsForEverything }

  package func mostBytes(_ limits: Limits) -> Int64 {
    PictureBytes.png(pixels: LoopPictures.largest.area)
  }

  package func run(
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

  package func outcome(of answer: JobAnswer<SeamFacts>) -> DrawnSeam? {
    guard PNGFile.isWellFormed(answer.bytes) else { return nil }
    return DrawnSeam(facts: answer.value, picture: answer.bytes)
  }
}

package struct DrawnSeam: Sendable {
  package var facts: SeamFacts
  /// The bytes of a PNG file.
  package var picture: [UInt8]
}
