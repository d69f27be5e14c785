/// What a cover looks like, as far as it decides which motions suit it.
struct CoverLook {
  /// The share of the picture in its four most frequent colours, of 32768: with fewer, grey photographs look flat.
  private let flat: Double
  /// The mean light, in code values, and the mean difference of neighbours.
  private let (light, detail): (Double, Double)
  /// The share of what is nearly white or light grey.
  private let paper: Double
  private let isOneColor: Bool

  init(_ picture: PixelImage) {
    let (width, height, depth) = (
      picture.size.width, picture.size.height, picture.channels.rawValue
    )
    var counts = [Int](repeating: 0, count: 32_768)
    var (sum, steps, before, pale) = (0, 0, 0, 0)
    for y in 0..<height {
      for x in 0..<width {
        let place = (y * width + x) * depth
        let (red, green, blue) = (
          Int(picture.bytes[place]), Int(picture.bytes[place + 1]), Int(picture.bytes[place + 2])
        )
        counts[(red >> 3) << 10 | (green >> 3) << 5 | blue >> 3] += 1
        let light = (54 * red + 183 * green + 19 * blue) >> 8
        sum += light
        if light > 180, max(red, green, blue) - min(red, green, blue) < 40 { pale += 1 }
        if x > 0 { steps += abs(light - before) }
        before = light
      }
    }
    let area = Double(max(1, picture.size.area))
    isOneColor = counts.contains { $0 == picture.size.area }
    flat = Double(counts.sorted(by: >).prefix(4).reduce(0, +)) / area
    (light, detail, paper) = (Double(sum) / area, Double(steps) / area, Double(pale) / area)
  }

  /// The motions that suit it, the best first. A view that wanders makes letters and drawings look loose, and shows
  /// nothing where there is no detail.
  var motions: [Motion.Kind] {
    let all: [Motion.Kind] =
      if flat > 0.6 || paper > 0.5 {
        [.breathe, .drift, .light]
      } else if detail < 1 {
        [.light, .drift, .breathe]
      } else if light < 50 {
        [.parallax, .drift, .light]
      } else {
        [.parallax, .drift, .breathe, .light]
      }
    return all.filter(isFit)
  }

  /// On paper, a shadow looks like a stain, and lines of text would bend.
  func isFit(for motion: Motion.Kind) -> Bool {
    !isOneColor && (paper <= 0.5 || [.drift, .breathe].contains(motion))
  }
}
