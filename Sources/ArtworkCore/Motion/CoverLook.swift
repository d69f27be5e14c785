/// What a cover looks like, as far as it decides which motions suit it.
struct CoverLook {
  /// The share of the picture in its four most frequent colours, of 32768: with fewer, grey photographs look flat.
  private let flat: Double
  /// The mean light, in code values, and the mean difference of neighbours.
  private let (light, detail): (Double, Double)

  init(_ picture: PixelImage) {
    let (width, height, depth) = (
      picture.size.width, picture.size.height, picture.channels.rawValue
    )
    var counts = [Int](repeating: 0, count: 32_768)
    var (sum, steps, before) = (0, 0, 0)
    for y in 0..<height {
      for x in 0..<width {
        let place = (y * width + x) * depth
        let (red, green, blue) = (
          Int(picture.bytes[place]), Int(picture.bytes[place + 1]), Int(picture.bytes[place + 2])
        )
        counts[(red >> 3) << 10 | (green >> 3) << 5 | blue >> 3] += 1
        let light = (54 * red + 183 * green + 19 * blue) >> 8
        sum += light
        if x > 0 { steps += abs(light - before) }
        before = light
      }
    }
    let area = Double(max(1, picture.size.area))
    flat = Double(counts.sorted(by: >).prefix(4).reduce(0, +)) / area
    (light, detail) = (Double(sum) / area, Double(steps) / area)
  }

  /// The motions that suit it, the best first. A view that wanders makes letters and drawings look loose, and shows
  /// nothing where there is no detail.
  var motions: [Motion.Kind] {
    if flat > 0.6 { return [.breathe, .drift] }
    if detail < 1 { return [.light, .shimmer, .drift, .breathe] }
    return light < 50 ? [.parallax, .drift, .light] : [.parallax, .drift, .breathe, .light]
  }
}
