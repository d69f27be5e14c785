/// The visual interest of a clip: a number for each cell of a grid over the coded picture.
///
/// Three things draw the eye: edges, motion, and colours unlike any at the border of the picture, where the
/// background is. Each is compared with its own median, so that an even texture draws none, and with its own mean, so
/// that none of them counts for more because of its unit. `Scripts/accuracy/derive` has the pictures on which the
/// numbers were chosen.
package struct FocusMap {
  /// The number of cells in each direction.
  package static let side = Thumbnail.detailSide

  /// `side * side` numbers of at least zero, row by row.
  private(set) var cells: [Double]
  /// How many lines of letters, or things as low and as rich in edges, run across the left edge of each column.
  package private(set) var lines: [Int]

  /// The levels that count as no interest, in code values.
  private enum Floor {
    static let edges = 0.5
    static let motion = 0.5
    static let color = 1.0
  }

  /// - Parameter frames: of all over the clip; at least one.
  package init(_ frames: [Thumbnail]) {
    let (mean, motion) = Self.meanAndMotion(frames)
    cells = [Double](repeating: 0, count: Self.side * Self.side)
    lines = Self.lines(mean)
    add(Self.edges(mean), floor: Floor.edges)
    add(motion, floor: Floor.motion)
    let color = Self.unlikeBorder(
      luma: mean, blue: Self.mean(frames.map(\.blue)), red: Self.mean(frames.map(\.red)))
    add(Self.enlarged(color), floor: Floor.color)
  }

  /// How much there is to see in each column, or in each row.
  package func profile(columns: Bool) -> [Double] {
    var sums = [Double](repeating: 0, count: Self.side)
    for y in 0..<Self.side {
      for x in 0..<Self.side { sums[columns ? x : y] += cells[y * Self.side + x] }
    }
    return sums
  }

  private enum Line {
    /// Columns on either side in which there is a strong edge, and edges in both on average.
    static let (reach, edges) = (8, 3.0)
    /// Rows of a line, and of the calm above and below it.
    static let (rows, calm) = (2...32, 3)
    /// A strong edge in code values, and as a share of the picture's strongest ones.
    static let (least, share, strongest) = (12.0, 0.35, 0.99)
  }

  /// Counts runs of rows with strong edges on both sides of a place, between calm rows: what is drawn there goes on beyond it.
  private static func lines(_ luma: [Double]) -> [Int] {
    let steps = luma.indices.map { $0 % side == side - 1 ? 0 : abs(luma[$0 + 1] - luma[$0]) }
    let strong = max(Line.least, Line.share * (steps.quantile(Line.strongest) ?? 0))
    let words = words(luma, strong)
    // Running counts along each row.
    var sums = [Int](repeating: 0, count: side * (side + 1))
    for place in luma.indices {
      let at = place / side * (side + 1) + place % side
      sums[at + 1] = sums[at] + (steps[place] > strong ? 1 : 0)
    }
    return (0..<side).map { column in
      guard column > 0 else { return 0 }
      let crossing = (0..<side).map { row -> Int in
        let start = row * (side + 1)
        let left = sums[start + column] - sums[start + max(0, column - Line.reach)]
        let right = sums[start + min(side, column + Line.reach)] - sums[start + column]
        return min(left, right) > 0 ? left + right : 0
      }
      var (count, row) = (0, 0)
      while row < side {
        let run = crossing[row...].prefix { $0 > 0 }
        let around =
          crossing[max(0, row - Line.calm)..<row]
          + crossing[run.endIndex..<min(side, run.endIndex + Line.calm)]
        if Line.rows.contains(run.count), around.allSatisfy({ $0 == 0 }),
          Double(run.reduce(0, +)) >= Line.edges * Double(run.count)
        {
          count += 1
        }
        row = run.endIndex + 1
      }
      return count + words.count { $0.contains(column) }
    }
  }

  private enum Letter {
    /// Cells left and right that are the surroundings, and rows of a letter that is too large for ``Line/reach``.
    static let (around, rows) = (20, 8...48)
    /// Its width over its height, and how far the ends of two may be from one line, as a share of that.
    static let (width, offLine) = (1.6, 0.15)
    /// So many in a row, each less than its height from the next, are a word.
    static let fewest = 3
  }

  /// The columns inside large words: parts of one height on one line, lighter than their surroundings or darker.
  private static func words(_ luma: [Double], _ strong: Double) -> [Range<Int>] {
    let above = luma.indices.map { place in
      let (row, x) = (place / side * side, place % side)
      let around = luma[row + max(0, x - Letter.around)...row + min(side - 1, x + Letter.around)]
      return luma[place] - around.reduce(0, +) / Double(around.count)
    }
    return [1.0, -1].flatMap { sign -> [Range<Int>] in
      var letters = parts(above.map { sign * $0 > strong })
        .filter {
          Letter.rows.contains($0.rows.count)
            && Double($0.columns.count) <= Letter.width * Double($0.rows.count)
        }.sorted { $0.columns.lowerBound < $1.columns.lowerBound }
      var words: [Range<Int>] = []
      while let first = letters.first {
        let height = first.rows.count
        let off = max(1, wholeNumber(Letter.offLine * Double(height)) ?? 1)
        var word = [first]
        for next in letters.dropFirst()
        where abs(next.rows.lowerBound - first.rows.lowerBound) <= off
          && abs(next.rows.upperBound - first.rows.upperBound) <= off
          && next.columns.lowerBound - (word.last ?? first).columns.upperBound < height
        {
          word.append(next)
        }
        letters.removeAll { word.contains($0) }
        guard word.count >= Letter.fewest, let last = word.map(\.columns.upperBound).max()
        else { continue }
        words.append(first.columns.lowerBound + 1..<last)
      }
      return words
    }
  }

  private struct Part: Equatable {
    var (columns, rows): (Range<Int>, Range<Int>)
  }

  /// The areas around each connected part of a plane.
  private static func parts(_ marked: [Bool]) -> [Part] {
    var (marked, found) = (marked, [Part]())
    for start in marked.indices where marked[start] {
      var (part, open) = (Part(columns: start % side..<start % side, rows: start / side..<start / side), [start])
      marked[start] = false
      while let place = open.popLast() {
        let (x, y) = (place % side, place / side)
        part.columns = min(part.columns.lowerBound, x)..<max(part.columns.upperBound, x + 1)
        part.rows = min(part.rows.lowerBound, y)..<max(part.rows.upperBound, y + 1)
        let beside = [
          x > 0 ? place - 1 : place, x < side - 1 ? place + 1 : place, place - side, place + side,
        ]
        for next in beside where marked.indices.contains(next) && marked[next] {
          marked[next] = false
          open.append(next)
        }
      }
      found.append(part)
    }
    return found
  }

  private mutating func add(_ part: [Double], floor: Double) {
    // A few strong cells count more than many weak ones.
    func strength(_ value: Double) -> Double { value * value.squareRoot() }
    let middle = Self.median(part)
    let above = part.map { strength(max(0, $0 - middle)) }
    let scale = 1 / max(strength(floor), above.reduce(0, +) / Double(above.count))
    for index in cells.indices { cells[index] += above[index] * scale }
  }

  private static func mean(_ planes: [[Float]]) -> [Double] {
    var sum = [Double](repeating: 0, count: planes.first?.count ?? 0)
    for plane in planes {
      for index in sum.indices { sum[index] += Double(plane[index]) }
    }
    return sum.map { $0 / Double(max(1, planes.count)) }
  }

  /// The mean picture, and how far luma is from it on average.
  private static func meanAndMotion(_ frames: [Thumbnail]) -> ([Double], [Double]) {
    let mean = mean(frames.map(\.detail))
    var motion = [Double](repeating: 0, count: mean.count)
    for frame in frames {
      for index in motion.indices {
        motion[index] += abs(Double(frame.detail[index]) - mean[index])
      }
    }
    return (mean, motion.map { $0 / Double(max(1, frames.count)) })
  }

  private static func edges(_ luma: [Double]) -> [Double] {
    var edges = [Double](repeating: 0, count: luma.count)
    for y in 0..<side {
      for x in 0..<side {
        let place = y * side + x
        let across = x > 0 && x < side - 1 ? luma[place + 1] - luma[place - 1] : 0
        let down = y > 0 && y < side - 1 ? luma[place + side] - luma[place - side] : 0
        edges[place] = (across * across + down * down).squareRoot()
      }
    }
    return edges
  }

  /// How far each chroma cell's colour is from the nearest one at the border of the picture. Luma counts half.
  private static func unlikeBorder(luma: [Double], blue: [Double], red: [Double]) -> [Double] {
    let (small, times) = (Thumbnail.chromaSide, side / Thumbnail.chromaSide)
    var light = [Double](repeating: 0, count: small * small)
    for place in luma.indices {
      light[place / side / times * small + place % side / times] += luma[place]
    }
    let share = 0.5 / Double(times * times)
    let colors = light.indices.map { SIMD3(light[$0] * share, blue[$0], red[$0]) }
    let border = colors.indices.filter { place in
      [place / small, place % small].contains { $0 == 0 || $0 == small - 1 }
    }.map { colors[$0] }
    return colors.map { color in
      border.reduce(Double.infinity) { nearest, other in
        let difference = color - other
        return min(nearest, (difference * difference).sum())
      }.squareRoot()
    }
  }

  private static func median(_ values: [Double]) -> Double {
    values.sorted()[values.count / 2]
  }

  /// Chroma cells as cells of the map.
  private static func enlarged(_ chroma: [Double]) -> [Double] {
    let times = side / Thumbnail.chromaSide
    return (0..<side * side).map { place in
      chroma[place / side / times * Thumbnail.chromaSide + place % side / times]
    }
  }
}

/// The choice of a window along the one axis on which it can move.
package struct WindowSearch {
  package struct Choice: Equatable {
    /// Its place in the room that it has, from 0 to 1.
    package var place: Double
    /// The share of the visual interest inside.
    package var score: Double

    package init(
      place: Double, score: Double
    ) {
      self.place = place
      self.score = score
    }
  }

  package var best: Choice
  package var runnerUp: Choice?
  package var center: Choice
  package var isFlat: Bool
  /// Whether the best place cuts through a line of letters.
  package var cutsLines = false

  /// How many places are tried besides the first.
  private static let steps = 64
  /// The weight of the part of the score that favours interest in the middle of the window over interest at its edge.
  private static let middleWeight = 0.7
  /// The penalty of a window at an end of the range relative to one in its middle, if it moves sideways.
  private static let centerBias = 0.01
  /// The penalty of a window in the middle of the range relative to one at the top: heads are rarely low.
  private static let topBias = 0.05
  /// The penalty for each edge that cuts through average interest.
  private static let cutBias = 0.025
  /// How many cells on either side of an edge are cut through.
  private static let reach = 2.0
  /// The penalty for each line of letters that an edge cuts through.
  private static let lineBias = 0.08
  /// A runner-up is at least this part of the room away.
  private static let apart = 0.25
  /// Scores that differ less than this do not choose.
  private static let flat = 0.05
  /// A place and its mirror image that differ less than this are equally good.
  private static let tie = 0.005

  /// - Parameters:
  ///   - profile: the visual interest along the axis.
  ///   - length: of the window, as a share of the axis: above 0, at most 1.
  ///   - top: the end that is the top of the displayed picture, 0 or 1; `nil` if the window moves sideways.
  ///   - lines: see ``FocusMap/lines``; empty if they do not run along the axis.
  package init(_ profile: [Double], length: Double, top: Double? = nil, lines: [Int] = []) {
    let total = profile.reduce(0, +)
    let count = Double(profile.count)
    let (window, room) = (length * count, (1 - length) * count)
    /// The visual interest from one point to another.
    func seen(_ first: Double, _ last: Double) -> Double {
      profile.enumerated().reduce(0) { sum, item in
        let (start, end) = (Double(item.offset), Double(item.offset + 1))
        return sum + item.element * max(0, min(end, last) - max(start, first))
      }
    }
    /// How much the window cuts through, the mean of the axis being 1.
    func cut(_ step: Int) -> Double {
      let start = Double(step) / Double(Self.steps) * room
      let edges = (step > 0 ? [start] : []) + (step < Self.steps ? [start + window] : [])
      let through = edges.reduce(0) { $0 + seen($1 - Self.reach, $1 + Self.reach) }
      return total > 0 ? through / (2 * Self.reach) * count / total : 0
    }
    func cutLines(_ place: Double) -> Int {
      let edges = [place * room, place * room + window].map { wholeNumber($0.rounded()) ?? 0 }
      return edges.reduce(0) { $0 + ($1 > 0 && $1 < lines.count ? lines[$1] : 0) }
    }
    func choice(_ step: Int) -> (choice: Choice, merit: Double) {
      let place = Double(step) / Double(Self.steps)
      let start = place * room
      var soft = 0.0
      for (index, value) in profile.enumerated() {
        let distance = (Double(index) + 0.5 - start - window / 2) / (window / 2)
        soft += value * max(0, 1 - distance * distance)
      }
      let share = total > 0 ? seen(start, start + window) / total : length
      let middle = total > 0 ? soft / total : 0
      let offset = 2 * (place - (top ?? 0.5))
      let bias = top == nil ? Self.centerBias : Self.topBias
      let merit =
        share * (1 - Self.middleWeight) + middle * Self.middleWeight
        - bias * offset * offset - Self.cutBias * cut(step)
        - Self.lineBias * Double(cutLines(place))
      return (Choice(place: place, score: share), merit)
    }
    let center = choice(Self.steps / 2)
    self.center = center.choice
    guard room > 0.01, total > 0 else {
      (best, runnerUp, isFlat) = (center.choice, nil, room > 0.01)
      return
    }
    let all = (0...Self.steps).map(choice)
    let first = all.max { $0.merit < $1.merit } ?? center
    best = first.choice
    runnerUp =
      all.filter { abs($0.choice.place - first.choice.place) >= Self.apart }
      .max { $0.merit < $1.merit }?.choice
    let scores = all.map(\.choice.score)
    // The mirror image of the best place, at the same distance from the middle.
    let mirror = choice(
      Self.steps - (wholeNumber((first.choice.place * Double(Self.steps)).rounded()) ?? 0))
    let isTie =
      top == nil && first.choice != center.choice
      && abs(first.merit - mirror.merit) < Self.tie
      && abs(first.choice.score - mirror.choice.score) < Self.tie
    isFlat =
      cutLines(first.choice.place) >= cutLines(center.choice.place)
      && ((scores.max() ?? 0) - (scores.min() ?? 0) < Self.flat || isTie
        || first.choice.score < center.choice.score + Self.flat)
    // If no position stands out, or hardly keeps more than the middle, the middle is the least surprising.
    if isFlat { best = center.choice }
    cutsLines = cutLines(best.place) > 0
  }
}
