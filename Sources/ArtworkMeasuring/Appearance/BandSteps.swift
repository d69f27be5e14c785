/// Measures how much of a picture is stairs: flat bands with even small steps between them, where a smooth change was meant.
enum BandSteps {
  /// Rows and columns that are measured, evenly spaced.
  private static let lines = 96
  /// Steps from a band to the next, in 8-bit code values. Smaller ones hardly show, and larger ones are drawn.
  private static let steps: ClosedRange<Float> = 2...8
  /// How much larger one of two steps may be.
  private static let evenness: Float = 1.4
  /// The width of a band, in samples.
  private static let widths: ClosedRange<Float> = 8...128
  /// Bands between steps of one sign that make stairs.
  private static let leastBands = 3
  /// The most variance of four neighbours in a band.
  private static let grain: Float = 0.3

  /// The share of rows and columns in stairs, from 0 to 1.
  ///
  /// - Returns: `nil` for less than 160 samples a side: nothing smaller was labelled.
  static func share(_ luma: PlanarPixels.Plane, bitDepth: Int) -> Double? {
    guard min(luma.width, luma.height) >= 160 else { return nil }
    var (found, all) = (Float(0), 0)
    for down in [false, true] {
      let room = down ? luma.width : luma.height
      let count = min(lines, room)
      var line = [Float](repeating: 0, count: down ? luma.height : luma.width)
      for number in 0..<count {
        let place = (2 * number + 1) * room / (2 * count)
        LumaLine.read(
          luma, bitDepth: bitDepth, x: down ? place : 0, y: down ? 0 : place, down: down,
          to: &line, at: line.indices)
        found += stairs(line)
        all += line.count
      }
    }
    return Double(found) / Double(all)
  }

  /// An edge between two bands.
  private struct Step {
    var first: Int
    var last: Int
    var size: Float
    var place: Float { Float(first + last) / 2 }
  }

  /// The samples of a line in stairs.
  private static func stairs(_ line: [Float]) -> Float {
    // Means of four samples, from each sample on.
    var means = [Float](repeating: 0, count: line.count - 3)
    for place in means.indices {
      means[place] = (line[place] + line[place + 1] + line[place + 2] + line[place + 3]) / 4
    }
    let found = steps(line, means)
    var (total, run, bands) = (Float(0), Float(0), 0)
    for (before, after) in zip(found, found.dropFirst()) {
      if isBand(from: before, to: after, means) {
        run += after.place - before.place
        bands += 1
      } else {
        if bands >= leastBands { total += run }
        (run, bands) = (0, 0)
      }
    }
    return bands >= leastBands ? total + run : total
  }

  /// Steps with something flat on both sides, from left to right.
  private static func steps(_ line: [Float], _ means: [Float]) -> [Step] {
    var found: [Step] = []
    for place in 8..<means.count - 8 {
      let (before, after) = (means[place - 4], means[place + 2])
      let size = after - before
      guard steps.contains(abs(size)) else { continue }
      let most = 0.2 * abs(size) + 0.05
      guard abs(before - means[place - 8]) <= most, abs(means[place + 6] - after) <= most,
        [place - 8, place - 4, place + 2, place + 6].allSatisfy({
          variance(line, means, $0) < grain
        })
      else { continue }
      if let last = found.last, place - last.last <= 2, last.size * size > 0 {
        found[found.count - 1].last = place
        if abs(size) > abs(last.size) { found[found.count - 1].size = size }
      } else {
        found.append(Step(first: place, last: place, size: size))
      }
    }
    return found
  }

  private static func variance(_ line: [Float], _ means: [Float], _ place: Int) -> Float {
    var sum = Float(0)
    for sample in line[place..<place + 4] {
      sum += (sample - means[place]) * (sample - means[place])
    }
    return sum / 4
  }

  /// Whether one band is between two steps of the same stairs.
  private static func isBand(from before: Step, to after: Step, _ means: [Float]) -> Bool {
    let (one, other) = (abs(before.size), abs(after.size))
    guard before.size * after.size > 0, max(one, other) <= evenness * min(one, other),
      widths.contains(after.place - before.place)
    else { return false }
    let start = means[min(means.count - 1, (before.first + before.last) / 2 + 6)]
    let end = means[max(0, (after.first + after.last) / 2 - 8)]
    return abs(start - end) <= 0.25 * one + 0.1
  }
}
