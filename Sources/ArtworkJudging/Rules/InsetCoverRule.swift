/// A tall video is a separate composition, not the square cover with something around it.
enum InsetCoverRule: ReleaseRule {
  static let id = "inset-cover"

  /// Chosen on the tuning half of the labelled pairs.
  private enum Limit {
    static let outline = 0.35
    static let surroundings = 0.6
    static let mirroring = 0.97
    static let likeness = 0.8
    /// The likeness from which it is a crop of the square instead, if that is more like it.
    static let cropped = 0.9
  }

  static func breach(_ video: Int, of release: Release, _ profile: Profile) -> Breach? {
    guard release.videos[video].key == .tall, let inspection = release.videos[video].inspection,
      let frame = inspection.firstFrame, let inset = inspection.looks?.inset,
      let around = around(inset)
    else { return nil }
    let whole = [
      release.video(.square)?.inspection?.firstFrame, release.coverPicture?.picture?.signature,
    ].compactMap(\.self)
    var area = inset
    if around == .mirror {
      let share = inspection.facts.displayAspect
      (area.left, area.side, area.top) = (0, 1, (1 - share) / 2)
    }
    let aspect = inspection.facts.displayAspect
    let inside = frame.square(area, aspect: aspect)
    // A crop of the square has no more of it in its middle than elsewhere, and plain ground mirrors itself.
    guard let likeness = whole.map({ $0.likeness(of: inside) }).max(), likeness >= Limit.likeness,
      !whole.contains(where: {
        PictureLikeness.of($0, aspect: 1, frame, aspect: aspect) > max(likeness, Limit.cropped)
      })
    else { return nil }
    let side = decimal(area.side * Double(inspection.facts.displayWidth), places: 0)
    return Breach(
      .warning, "the tall variant is the square cover with \(around.rawValue) around it",
      help:
        "compose it from the layers of the artwork, or crop it out of the square variant with artworkd derive",
      measured:
        "the whole cover in a square of \(side) px, likeness \(decimal(likeness, places: 2))",
      limit: "a picture that fills the frame")
  }

  private enum Around: String {
    case mirror = "its mirror image"
    case little = "a blurred or plain background"
  }

  private static func around(_ inset: Inset) -> Around? {
    if inset.outline >= Limit.outline, inset.surroundings <= Limit.surroundings { return .little }
    return inset.mirroring >= Limit.mirroring ? .mirror : nil
  }
}

extension PictureSignature {
  /// The luma of a square part, in as many cells.
  ///
  /// - Parameter aspect: width over height of the whole picture.
  fileprivate func square(_ area: Inset, aspect: Double) -> [Float] {
    let luma = luma
    let side = Self.side
    // For each row and column once: it is done for every pair of a catalogue.
    func places(from start: Double, length: Double) -> [(first: Int, share: Float)] {
      (0..<side).map { cell in
        let exact = (start + (Double(cell) + 0.5) / Double(side) * length) * Double(side) - 0.5
        let first = min(max(0, wholeNumber(exact.rounded(.down)) ?? 0), side - 2)
        return (first, Float(min(1, max(0, exact - Double(first)))))
      }
    }
    let rows = places(from: area.top, length: area.side * aspect)
    let columns = places(from: area.left, length: area.side)
    return (0..<side * side).map { cell in
      let ((y, down), (x, across)) = (rows[cell / side], columns[cell % side])
      let top = luma[y * side + x] * (1 - across) + luma[y * side + x + 1] * across
      let bottom = luma[(y + 1) * side + x] * (1 - across) + luma[(y + 1) * side + x + 1] * across
      return top * (1 - down) + bottom * down
    }
  }

  /// The correlation with the luma of as many cells, each at its place.
  fileprivate func likeness(of other: [Float]) -> Double {
    let luma = luma
    let count = Float(luma.count)
    let (mean, otherMean) = (luma.reduce(0, +) / count, other.reduce(0, +) / count)
    var (product, squares, otherSquares) = (Float(0), Float(0), Float(0))
    for (one, two) in zip(luma, other) {
      product += (one - mean) * (two - otherMean)
      squares += (one - mean) * (one - mean)
      otherSquares += (two - otherMean) * (two - otherMean)
    }
    return Double(product / max(1, (squares * otherSquares).squareRoot()))
  }
}
