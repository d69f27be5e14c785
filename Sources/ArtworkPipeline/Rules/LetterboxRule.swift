/// Bars beside the picture mean that it was made for another shape.
enum LetterboxRule: Rule {
  static let id = "letterbox"
  static let title = "the picture fills its frame"
  static let explanation = Explanation(
    meaning: """
      The picture reaches its sides: there are no bars above and below it, nor to its left and right. **Warning**; \
      **error** for deliveries to Apple.
      """,
    why: """
      bars show that a video of another shape was put into the square (or tall) one. They look like a mistake beside \
      other artwork, stores refuse them, and a third of the screen stays empty.
      """,
    measured: """
      from each side inwards over the luma of all frames that are looked at, at full size: how far it keeps the colour \
      of the outermost line. Bars lie on two opposite sides, are about equally deep, reach at least 1 % into the \
      picture, end in a straight hard edge along most of their length, and have behind that edge a picture that is not \
      made of plain bands. A border of any colour all round is taken for design, unless it is black and at least twice as deep one \
      way as the other. [looks.md](looks.md) has the accuracy and the limits.
      """,
    fix: """
      crop the bars off, and more of the picture until it is square (or 3:4); the finding has the filter. Better, \
      export it in the right shape.
      """,
    source: """
      what delivery pages of Apple's partners ask for album motion; the measurement is ours.
      """)

  /// Chosen on the tuning half of the labelled set.
  private enum Limit {
    /// Of the picture's side.
    static let depth = 0.01
    /// Shares of the bar's length.
    static let straight = 0.75
    static let early = 0.2
    static let hardness = 0.33
    /// Of the smaller depth to the larger.
    static let symmetry = 0.6
    /// Code values.
    static let contrast = 9.0
    static let texture = 2.5
    static let sameLevel = 8.0
    static let black = 40.0
    /// How much deeper the bars are than those across.
    static let deeper = 2.0
  }

  static func check(_ candidate: JudgedCandidate, profile: Profile) -> [Finding] {
    guard let borders = candidate.inspection.looks?.borders else { return [] }
    let facts = candidate.facts
    let rows = areBars(borders.top, borders.bottom, of: facts.displayHeight)
    // Lines inside of the bars above and below end nowhere.
    let between = facts.displayHeight - (rows ? borders.top.depth + borders.bottom.depth : 0)
    let columns = areBars(
      borders.left, borders.right, of: facts.displayWidth,
      along: Double(between) / Double(facts.displayHeight))
    guard rows || columns else { return [] }
    if isFramed(borders, width: facts.displayWidth, height: facts.displayHeight) { return [] }
    var sides: [String] = []
    var crop = (
      x: 0, y: 0, width: facts.displayWidth, height: facts.displayHeight
    )
    if rows {
      sides.append("\(borders.top.depth) px above and \(borders.bottom.depth) px below")
      crop.y = borders.top.depth
      crop.height -= borders.top.depth + borders.bottom.depth
    }
    if columns {
      sides.append(
        "\(borders.left.depth) px to the left and \(borders.right.depth) px to the right of")
      crop.x = borders.left.depth
      crop.width -= borders.left.depth + borders.right.depth
    }
    let level = rows ? borders.top.level : borders.left.level
    let bars = level < Limit.black ? "black bars" : "bars of one colour"
    return [
      finding(
        .warning, "there are \(bars) \(sides.joined(separator: ", and ")) the picture",
        help:
          "export it in the shape of the artwork; or crop=\(crop.width):\(crop.height):\(crop.x):\(crop.y) leaves the picture, of which a part of the right shape can be cut",
        measured: "a picture of \(crop.width)x\(crop.height) in \(facts.displayDescription)",
        limit: "no bars", profile: profile)
    ]
  }

  /// - Parameter share: the part of their length along which they can end.
  private static func areBars(
    _ a: Borders.Side, _ b: Borders.Side, of length: Int, along share: Double = 1
  ) -> Bool {
    let (less, more) = (min(a.depth, b.depth), max(a.depth, b.depth))
    return Double(less) >= max(2, Limit.depth * Double(length))
      && Double(less) >= Limit.symmetry * Double(more)
      && abs(a.level - b.level) <= Limit.sameLevel && hasEdge(a, share) && hasEdge(b, share)
      && max(a.texture, b.texture) >= Limit.texture
  }

  private static func hasEdge(_ side: Borders.Side, _ share: Double) -> Bool {
    side.straight >= Limit.straight * share && side.hardness >= Limit.hardness
      && side.early <= Limit.early && side.contrast >= Limit.contrast
  }

  /// Whether a border goes all round and is no mistake.
  private static func isFramed(_ borders: Borders, width: Int, height: Int) -> Bool {
    let rows = Double(min(borders.top.depth, borders.bottom.depth)) / Double(height)
    let columns = Double(min(borders.left.depth, borders.right.depth)) / Double(width)
    guard min(rows, columns) >= Limit.depth else { return false }
    let isBlack = [borders.top, borders.bottom, borders.left, borders.right].allSatisfy {
      $0.level < Limit.black
    }
    return !isBlack || max(rows, columns) < Limit.deeper * min(rows, columns)
  }
}
