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
    let gains = zip(Self.rgb(first.values), Self.rgb(last.values)).map {
      min(2, max(0.5, $0 / max(8, $1)))
    }
    var end = Self.map(gains: gains)
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

  // MARK: BT.709, limited range

  private static let (redOfRed, blueOfBlue): (Float, Float) = (1.5748, 1.8556)
  private static let weights: [Float] = [0.2126, 0.7152, 0.0722]

  private static func rgb(_ sample: [Float]) -> [Float] {
    let luma = (sample[0] - 16) / 219
    let (blue, red) = ((sample[1] - 128) / 224, (sample[2] - 128) / 224)
    let (r, b) = (luma + redOfRed * red, luma + blueOfBlue * blue)
    return [r, (luma - weights[0] * r - weights[2] * b) / weights[1], b].map { 219 * $0 }
  }

  /// The map of code values that multiplies red, green and blue.
  private static func map(gains: [Float]) -> [Float] {
    func changed(_ sample: [Float]) -> [Float] {
      let rgb = zip(rgb(sample), gains).map { $0 / 219 * $1 }
      let luma = zip(rgb, weights).reduce(0) { $0 + $1.0 * $1.1 }
      return [
        16 + 219 * luma, 128 + 224 * (rgb[2] - luma) / blueOfBlue,
        128 + 224 * (rgb[0] - luma) / redOfRed,
      ]
    }
    // Affine: its value at black, and what a code value more of each plane changes.
    let black: [Float] = [16, 128, 128]
    let origin = changed(black)
    let columns = (0..<3).map { plane in
      var sample = black
      sample[plane] += 1
      return zip(changed(sample), origin).map { $0 - $1 }
    }
    return (0..<3).flatMap { row -> [Float] in
      let factors = columns.map { $0[row] }
      return factors + [origin[row] - zip(factors, black).reduce(0) { $0 + $1.0 * $1.1 }]
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
