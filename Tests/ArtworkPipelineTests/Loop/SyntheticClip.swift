@testable import ArtworkMeasuring
@testable import ArtworkMedia
@testable import ArtworkPipeline

/// Reduced frames with known motion: no codec, and no rounding but that to bytes.
enum SyntheticClip {
  /// A soft hill of light on a slope, at `x`, `y` (0...1), which a viewer follows by eye.
  static func frame(x: Double, y: Double = 0.5, size: Double = 0.15, noise: Int = 0) -> Thumbnail {
    func plane(_ side: Int, _ scale: Double, _ offset: Double) -> [Float] {
      var random = Noise(seed: UInt64(noise))
      return (0..<side * side).map { index in
        let (column, row) = (Double(index % side) / Double(side), Double(index / side) / Double(side))
        let distance = ((column - x) * (column - x) + (row - y) * (row - y)) / (size * size)
        let hill = distance < 4 ? (1 - distance / 4) * (1 - distance / 4) : 0
        let grain = noise == 0 ? 0 : Double(Int(random.next() >> 40) % 5 - 2)
        return Float(offset + scale * hill + 20 * column + grain)
      }
    }
    return Thumbnail(luma: plane(64, 180, 30), blue: plane(32, -40, 120), red: plane(32, 40, 120))
  }

  /// A circle with a period of `period` frames, starting anywhere.
  static func circle(_ phase: Int, period: Int, noise: Int = 0) -> Thumbnail {
    // Sixths of a turn from a table would be exact; a polynomial is smooth enough and repeats exactly.
    let turn = Double(((phase % period) + period) % period) / Double(period)
    return frame(x: 0.5 + 0.3 * wave(turn), y: 0.5 + 0.3 * wave(turn + 0.25), noise: noise)
  }

  /// Between -1 and 1 with a period of 1: half waves of parabolas.
  private static func wave(_ turn: Double) -> Double {
    let place = turn - turn.rounded(.down)
    let half = place < 0.5 ? place * 2 : place * 2 - 1
    return (place < 0.5 ? 4 : -4) * half * (1 - half)
  }

  static func search(
    _ frames: [Thumbnail], times: [Double]? = nil, starts: [Bool] = [], ends: [Bool] = [], request: TrimRequest = TrimRequest()
  ) -> TrimSearch.Outcome {
    let reduced = ReducedClip(frames)
    let clip = SeamClip()
    for (number, frame) in frames.enumerated() { clip.add(frame, number: number) }
    clip.finish(
      ClipClock(timestamps: frames.indices.map(Int64.init), lastDuration: 1, timeBase: Rational(1, 30) ?? .one, medianStep: 1))
    return TrimSearch(
      frames: reduced, times: times ?? (0...frames.count).map { Double($0) / 30 }, starts: starts, ends: ends, request: request
    ).run { range in
      let part = range.count == frames.count ? clip : clip.part(range, of: reduced)
      do throws(MissingFrames) { return try SeamMeasurement(part).map(SeamJudgement.init) } catch {
        Issue.record("frames \(error.numbers.sorted()) of a part that is known")
        return nil
      }
    }
  }
}
