/// Draws a candidate's seam. The answer's bytes are the picture.
struct SeamJob: WorkerJob {
  static let name = "seam"

  func cpuSeconds(_ limits: Limits) -> Int { limits.cpuSecondsForEverything }

  func mostBytes(_ limits: Limits) -> Int64 {
    PictureBytes.png(pixels: LoopPictures.largest.area)
  }

  func run(on file: InputFile, limits: Limits) throws(InspectionError) -> WorkerAnswer<SeamFacts> {
    let drawn = try Inspector(limits: limits).drawSeam(file)
    return WorkerAnswer(value: drawn.facts, bytes: drawn.picture)
  }

  func outcome(of answer: WorkerAnswer<SeamFacts>) -> DrawnSeam? {
    guard PNGFile.isWellFormed(answer.bytes) else { return nil }
    return DrawnSeam(facts: answer.value, picture: answer.bytes)
  }
}
