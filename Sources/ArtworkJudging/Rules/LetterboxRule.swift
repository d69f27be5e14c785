/// Bars mean that the video was made for another shape.
package enum LetterboxRule: Rule {
  package static let id = "letterbox"

  /// Chosen on the tuning half of the labelled clips.
  private enum Limit {
    /// Least depth of a bar, as a share of the picture's side.
    static let depth = 0.01
    /// Shares of the length of the bar.
    static let straight = 0.75
    static let early = 0.2
    static let hardness = 0.33
    /// The smaller depth over the larger.
    static let symmetry = 0.6
    /// The limit of the contrast, in code values.
    static let contrast = 9.0
    static let texture = 2.5
    static let sameLevel = 8.0
    static let black = 40.0
    /// Depth of the bars in one direction over the depth in the other.
    static let deeper = 2.0
    /// Detail of blurred bars over that of the picture, and their smaller depth over the larger.
    static let (soft, even) = (0.15, 0.6)
  }

  package static func check(_ candidate: JudgedCandidate, profile: Profile) -> [Finding] {
    let looks = candidate.inspection.looks
    let found = looks?.borders.flatMap { plain($0, candidate, profile) }
    return [found ?? looks?.softBars.flatMap { soft($0, candidate, profile) }].compactMap(\.self)
  }

  private static func soft(
    _ bars: SoftBars, _ candidate: JudgedCandidate, _ profile: Profile
  ) -> Finding? {
    guard bars.detail <= Limit.soft,
      min(bars.first, bars.last) >= Limit.even * max(bars.first, bars.last)
    else { return nil }
    var crop = CropArea(candidate.facts)
    let side = Double(bars.areRows ? crop.height : crop.width)
    let (first, last) = (
      wholeNumber((bars.first * side).rounded()) ?? 0,
      wholeNumber((bars.last * side).rounded()) ?? 0
    )
    if bars.areRows {
      (crop.y, crop.height) = (first, crop.height - first - last)
    } else {
      (crop.x, crop.width) = (first, crop.width - first - last)
    }
    let words = bars.areRows ? ("above", "below") : ("left", "right")
    return finding(
      "blurred bars", ["\(first) px \(words.0) and \(last) px \(words.1)"], crop, candidate, profile
    )
  }

  private static func plain(
    _ borders: Borders, _ candidate: JudgedCandidate, _ profile: Profile
  ) -> Finding? {
    let facts = candidate.facts
    let rows = areBars(borders.top, borders.bottom, of: facts.displayHeight)
    // Lines inside the bars above and below have no end.
    let between = facts.displayHeight - (rows ? borders.top.depth + borders.bottom.depth : 0)
    let columns = areBars(
      borders.left, borders.right, of: facts.displayWidth,
      along: Double(between) / Double(facts.displayHeight))
    guard rows || columns,
      !isFramed(borders, width: facts.displayWidth, height: facts.displayHeight)
    else { return nil }
    var sides: [String] = []
    var crop = CropArea(facts)
    if rows {
      sides.append("\(borders.top.depth) px above and \(borders.bottom.depth) px below")
      crop.y = borders.top.depth
      crop.height -= borders.top.depth + borders.bottom.depth
    }
    if columns {
      sides.append(
        "\(borders.left.depth) px left and \(borders.right.depth) px right")
      crop.x = borders.left.depth
      crop.width -= borders.left.depth + borders.right.depth
    }
    let level = rows ? borders.top.level : borders.left.level
    let bars = level < Limit.black ? "black bars" : "bars of one colour"
    return finding(bars, sides, crop, candidate, profile)
  }

  private static func finding(
    _ bars: String, _ sides: [String], _ crop: CropArea, _ candidate: JudgedCandidate,
    _ profile: Profile
  ) -> Finding {
    let facts = candidate.facts
    let shape = profile.shape(nearestTo: facts.displayAspectRatio.value, key: candidate.key)
    let inside = shape.flatMap { crop.largest($0) }
    return finding(
      .warning, "the picture has \(bars): \(sides.joined(separator: ", "))",
      help:
        "export it in the shape of the artwork, or crop it to the picture inside the bars; ignore this if the bars are part of the design",
      shape.flatMap { inside?.repair(facts, shape: $0, for: profile) }, of: candidate,
      otherwise:
        "the picture inside the bars is too small to crop: export it in the shape of the artwork; ignore this if the bars are part of the design",
      measured: "a \(crop.width)x\(crop.height) picture in a \(facts.displayDescription) frame",
      limit: "no bars", profile: profile)
  }

  /// - Parameter share: the share of their length along which an edge is possible.
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

  /// Whether the borders are a design: one on all four sides, not black bars.
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
