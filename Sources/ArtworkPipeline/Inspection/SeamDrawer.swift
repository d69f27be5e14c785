import ArtworkModel

/// Decodes a clip and draws its seam.
enum SeamDrawer {
  static func draw(_ clip: borrowing OpenClip) throws(InspectionError) -> DrawnSeam {
    let all = try clip.readEverything()
    let count = all.frames.count
    guard let measurement = all.measurement(of: 0..<count) else {
      throw InspectionError(.noFrames, "a clip of a single frame has no seam")
    }
    let each = min(SeamPicture.endCount, count)
    let numbers = (first: 0..<each, last: count - each..<count)
    let known = try CutPlaces(demuxer: clip.demuxer, stream: clip.stream, table: clip.table)
    let pictures = try PictureReader.read(
      Set(numbers.first).union(numbers.last), clip, all: all,
      places: known.starts.count == count + 1 ? known : CutPlaces(frameCount: count),
      inside: SeamPicture.frameSize)
    func frames(_ numbers: Range<Int>) -> [SeamFrame] {
      numbers.compactMap { number in
        pictures[number].map {
          SeamFrame(image: $0, number: number, seconds: all.times[number])
        }
      }
    }
    let facts = SeamFacts(
      frameCount: count, durationSeconds: (all.times.last ?? 0) - (all.times.first ?? 0),
      seam: SeamJudgement(measurement), damagedFrames: all.damagedFrames)
    let picture = SeamPicture(
      last: frames(numbers.last), first: frames(numbers.first), steps: all.seamFrames.steps,
      seam: facts.seam, worst: worstBlock(measurement, facts.seam, clip, all),
      facts:
        "\(count) frames, \(decimal(facts.durationSeconds, places: 3)) s; \(facts.seam.numbers)"
    )
    return DrawnSeam(facts: facts, picture: try PNGEncoder.encode(picture.draw()))
  }

  /// The block that surprises most, where it shows in the picture; `nil` where nothing stands out.
  private static func worstBlock(
    _ measurement: SeamMeasurement, _ seam: SeamJudgement, _ clip: borrowing OpenClip,
    _ all: OpenClip.Everything
  ) -> SeamMeasurement.WorstBlock? {
    guard !seam.verdict.loops, let block = measurement.prediction?.worstBlock, block.surprise > 1
    else { return nil }
    let (width, height) = (all.format.width, all.format.height)
    let crop = clip.demuxer.layout?.cleanAperture(
      track: clip.stream.identifier, width: width, height: height)
    return block.shown(
      of: PixelSize(width: width, height: height), crop: crop, orientation: all.format.orientation)
  }
}
