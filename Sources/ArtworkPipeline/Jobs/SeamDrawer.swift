/// Decodes a clip and draws its seam.
enum SeamDrawer {
  static func draw(
    _ clip: borrowing some SearchableClip & ~Copyable, limits: Limits
  ) throws(InspectionError) -> DrawnSeam {
    let decoded = try DecodedClip(reading: clip, limits: limits, expectedCount: clip.expectedCount)
    let count = decoded.frames.count
    guard let measurement = decoded.measurement(of: 0..<count) else {
      throw InspectionError(.noFrames, "a clip of a single frame has no seam")
    }
    let each = min(SeamPicture.endCount, count)
    let numbers = (first: 0..<each, last: count - each..<count)
    let known = try clip.cutPlaces()
    let pictures = try clip.pictures(
      Set(numbers.first).union(numbers.last), of: decoded,
      places: known.starts.count == count + 1 ? known : CutPlaces(frameCount: count),
      inside: SeamPicture.frameSize)
    func frames(_ numbers: Range<Int>) -> [SeamFrame] {
      numbers.compactMap { number in
        pictures[number].map {
          SeamFrame(image: $0, number: number, seconds: decoded.times[number])
        }
      }
    }
    let facts = SeamFacts(
      frameCount: count, durationSeconds: (decoded.times.last ?? 0) - (decoded.times.first ?? 0),
      seam: SeamJudgement(measurement), damagedFrames: decoded.damagedFrames)
    let picture = SeamPicture(
      last: frames(numbers.last), first: frames(numbers.first), steps: decoded.steps,
      seam: facts.seam, worst: worstBlock(measurement, facts.seam, decoded),
      facts:
        "\(count) frames, \(decimal(facts.durationSeconds, places: 3)) s; \(facts.seam.numbers)"
    )
    return DrawnSeam(facts: facts, picture: try PNGEncoder.encode(picture.draw()))
  }

  /// The block with the largest surprise, in picture coordinates; `nil` if none stands out.
  private static func worstBlock(
    _ measurement: SeamMeasurement, _ seam: SeamJudgement, _ decoded: DecodedClip
  ) -> SeamMeasurement.WorstBlock? {
    guard !seam.verdict.loops, let block = measurement.prediction?.worstBlock, block.ratio > 1
    else { return nil }
    let size = PixelSize(width: decoded.facts.codedWidth, height: decoded.facts.codedHeight)
    return block.shown(
      of: size, crop: decoded.facts.cleanAperture, orientation: decoded.orientation)
  }
}
