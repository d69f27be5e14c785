/// A slow drift of light or colour from the first frame of a part to its last, which is taken out as a ramp.
///
/// Both ends show the same if the part is a loop, so what differs between their means and contrasts is drift. A gain of each
/// channel of RGB makes the means equal, then the contrast of luma is made equal. Both are one affine map of luma and chroma;
/// a frame inside gets its share of it, and the first frame stays.
package struct LightDrift: Sendable, Equatable, Codable {
  package var frames: Range<Int>
  /// Luma, blue and red of the result: the factors of those of a sample at the end, and what is added; 12 values.
  private var end: [Float]

  /// Frames whose means are taken at each end.
  private let reach: Int

  /// A difference in code values, and one of contrast, that is seen.
  private static let (leastShift, leastContrast): (Float, Float) = (1.5, 0.04)
  /// Half way, this much of the drift is reached: a sudden change is none.
  private static let halfWay: ClosedRange<Float> = 0.2...0.8

  /// `nil` if the ends show the same light, if the light changes suddenly, or if the part is short.
  init?(_ frames: Range<Int>, of clip: ReducedClip) {
    guard frames.count >= 4 * LoopReport.fewestFrames else { return nil }
    let reach = min(3, frames.count / 8)
    let middle = frames.lowerBound + (frames.count - reach) / 2
    let places = [frames.lowerBound, middle, frames.upperBound - reach]
    let light = places.map { start in
      Self.means((start..<start + reach).map(clip.colors))
    }
    let (first, last) = (light[0], light[2])
    let changes = zip(first.values, last.values).map { $1 - $0 }
    guard let largest = changes.indices.max(by: { abs(changes[$0]) < abs(changes[$1]) }) else {
      return nil
    }
    let isSeen =
      abs(changes[largest]) >= Self.leastShift
      || abs(last.contrast / max(1, first.contrast) - 1) >= Self.leastContrast
    let half = light[1].values[largest] - first.values[largest]
    guard isSeen,
      abs(changes[largest]) < Self.leastShift || Self.halfWay.contains(half / changes[largest])
    else { return nil }
    let least = SIMD3<Float>(repeating: 8 / 219)
    let (one, other) = (
      Self.codes.signal(SIMD3(first.values)), Self.codes.signal(SIMD3(last.values))
    )
    let gains = one / pointwiseMax(other, least)
    var end = Self.map(
      gains: gains.clamped(
        lowerBound: SIMD3(repeating: 0.5), upperBound: SIMD3(repeating: 2)))
    // What the gains leave of the contrast and of the means.
    let colors = (places[2]..<places[2] + reach).map {
      clip.colors($0).map { [end] in Self.applied(end, $0) }
    }
    let left = Self.means(colors)
    let contrast = min(2, max(0.5, first.contrast / max(1, left.contrast)))
    for column in 0..<3 { end[column] *= contrast }
    end[3] = contrast * (end[3] - left.values[0]) + first.values[0]
    for row in 1..<3 { end[4 * row + 3] += first.values[row] - left.values[row] }
    (self.frames, self.end, self.reach) = (frames, end, reach)
  }

  /// Whether it can be taken out of a clip of so many frames.
  package func isConsistent(with frameCount: Int) -> Bool {
    end.count == 12 && reach > 0 && reach < frames.count && frames.lowerBound >= 0
      && frames.upperBound <= frameCount
  }

  /// The map of a frame of the clip, by its number.
  package func map(at number: Int) -> [Float] {
    let share = Float(number - frames.lowerBound) / Float(frames.count - reach)
    return end.indices.map { place in
      let same: Float = place == 0 || place == 5 || place == 10 ? 1 : 0
      return same + (end[place] - same) * share
    }
  }

  /// Luma, blue and red after a map.
  package static func applied(_ map: [Float], _ sample: [Float]) -> [Float] {
    (0..<3).map { row in
      map[4 * row] * sample[0] + map[4 * row + 1] * sample[1] + map[4 * row + 2] * sample[2]
        + map[4 * row + 3]
    }
  }

  private static func means(_ frames: [[[Float]]]) -> (values: [Float], contrast: Float) {
    let samples = frames.flatMap(\.self)
    let count = Float(max(1, samples.count))
    let values = (0..<3).map { plane in samples.reduce(0) { $0 + $1[plane] } / count }
    let squares = samples.reduce(Float(0)) { $0 + ($1[0] - values[0]) * ($1[0] - values[0]) }
    return (values, (squares / count).squareRoot())
  }

  private static var codes: LightCodes {
    LightCodes(.video, pixelFormat: "yuv420p", isConverted: false)
  }

  /// The map of code values that multiplies red, green and blue.
  private static func map(gains: SIMD3<Float>) -> [Float] {
    func changed(_ sample: SIMD3<Float>) -> SIMD3<Float> {
      codes.sample(codes.signal(sample) * gains)
    }
    // Affine: its value at black, and what a code value more of each plane changes.
    let black: SIMD3<Float> = [16, 128, 128]
    let origin = changed(black)
    let columns = (0..<3).map { plane in
      var sample = black
      sample[plane] += 1
      return changed(sample) - origin
    }
    return (0..<3).flatMap { row -> [Float] in
      let factors = columns.map { $0[row] }
      return factors + [origin[row] - (0..<3).reduce(0) { $0 + factors[$1] * black[$1] }]
    }
  }
}

extension Thumbnail {
  package func levelled(by map: [Float]) -> Thumbnail {
    let (side, small) = (Self.detailSide, Self.chromaSide)
    let scale = side / small
    var detail = detail
    for y in 0..<side {
      for x in 0..<side {
        let cell = y / scale * small + x / scale
        let place = y * side + x
        detail[place] = map[0] * detail[place] + map[1] * blue[cell] + map[2] * red[cell] + map[3]
      }
    }
    var (blues, reds) = (blue, red)
    for cell in blue.indices {
      let corner = cell / small * scale * side + cell % small * scale
      var sum: Float = 0
      for y in 0..<scale { for x in 0..<scale { sum += self.detail[corner + y * side + x] } }
      let luma = sum / Float(scale * scale)
      blues[cell] = map[4] * luma + map[5] * blue[cell] + map[6] * red[cell] + map[7]
      reds[cell] = map[8] * luma + map[9] * blue[cell] + map[10] * red[cell] + map[11]
    }
    return Thumbnail(detail: detail, blue: blues, red: reds)
  }
}
