internal import CKernels

/// Measures how far one colour extends inwards from the sides of a picture, in all displayed frames.
///
/// Each line across the border has a run of samples of the border's colour; the shortest of all frames counts. Reads
/// the border itself and hardly more: a few microseconds for pictures without one.
struct BorderScan {
  /// One side as coded. Lengths in samples of luma.
  struct Side {
    /// Length of the run of border colour in each line, from the side inwards.
    fileprivate(set) var runs: [Int32]
    /// Luma of the border, 8-bit code values.
    fileprivate(set) var level: Float
    /// Contrast of the line behind the edge: see ``Borders/Side``.
    fileprivate(set) var contrast: Float = 0
    fileprivate(set) var texture: Float = 0
    fileprivate(set) var hardness: Float = 0
    /// The length that these belong to, and the depth of the sharpest edge.
    private var depth = 0
    private var sharpest = 0
    /// The picture's length across the border.
    let length: Int

    fileprivate init(lines: Int, length: Int, level: Float) {
      runs = Array(repeating: Int32(clamping: length), count: lines)
      self.length = length
      self.level = level
    }

    /// How far coarse coding and scalers blur an edge.
    var near: Int { max(6, length / 60) }

    /// How far the border may reach.
    var limit: Int { length * 45 / 100 }

    /// The sharpest edge seen, near the depth where half of the lines have ended; and the shares of lines that end
    /// there and before. `nil` if they do not end.
    var edge: (depth: Int, straight: Double, early: Double)? {
      ending.map { ($0.depth == depth ? sharpest : $0.depth, $0.straight, $0.early) }
    }

    /// The edge exactly where half of the lines have ended, and its shares of lines; `nil` if they do not end.
    fileprivate var ending: (depth: Int, straight: Double, early: Double)? {
      var endings = [Int](repeating: 0, count: limit)
      for run in runs where Int(run) < limit { endings[Int(run)] += 1 }
      var ended = 0
      guard
        let depth = endings.firstIndex(where: { count in
          ended += count
          return 2 * ended >= runs.count
        })
      else { return nil }
      let from = max(0, depth - near)
      let early = endings[..<from].reduce(0, +)
      let straight = endings[from..<min(limit, depth + near + 1)].reduce(0, +)
      return (depth, Double(straight) / Double(runs.count), Double(early) / Double(runs.count))
    }

    /// Searches one frame for the edge near `depth`, where coarse coding may end lines early.
    ///
    /// - Parameter line: mean and deviation of a line across, counted from the side.
    fileprivate mutating func record(
      _ line: (Int) -> artwork_line_statistics, scale: Float, depth: Int
    ) {
      if depth != self.depth {
        (contrast, texture, hardness, self.depth, sharpest) = (0, 0, 0, depth, depth)
      }
      let from = max(1, depth - near)
      let means = (from - 1...min(length - 1, depth + near)).map { line($0).mean }
      let steps = zip(means, means.dropFirst()).map { abs($1 - $0) }
      guard let step = steps.indices.max(by: { steps[$0] < steps[$1] }) else { return }
      let place = from + step
      let behind = line(min(place + 2, length - 1))
      let found = abs(behind.mean - line(max(place - 3, 0)).mean) * scale
      if found > contrast {
        (contrast, hardness, sharpest) = (found, min(1, steps[step] * scale / found), place)
      }
      // The area behind the edge may be plain, such as sky or ground: the picture is farther in.
      let inside = [(place + length / 2) / 2, length / 2].map { line($0).deviation }
      texture = max(texture, max(behind.deviation, inside.max() ?? 0) * scale)
    }
  }

  /// The allowed variation of the border's luma, in 8-bit code values: the residue of coarse coding on one colour.
  private static let tolerance = 8

  /// `nil` before the first frame.
  private(set) var top, bottom, left, right: Side?

  /// The next frame's luma: of one size for all.
  mutating func add(_ luma: PlanarPixels.Plane, bitDepth: Int) {
    guard luma.width > 8, luma.height > 8 else { return }
    if bitDepth > 8 {
      add(luma, bitDepth, UInt16.self, artwork_column_runs_16, artwork_row_runs_16, artwork_line_16)
    } else {
      add(luma, 8, UInt8.self, artwork_column_runs_8, artwork_row_runs_8, artwork_line_8)
    }
  }

  private typealias ColumnRuns<Sample> = (
    UnsafePointer<Sample>?, Int, Int32, Int32, Int32, Int32, UnsafeMutablePointer<Int32>?
  ) -> Void
  private typealias RowRuns<Sample> = (
    UnsafePointer<Sample>?, Int, Int32, Int32, Int32, Int32, Int32, UnsafeMutablePointer<Int32>?
  ) -> Void
  private typealias Line<Sample> = (UnsafePointer<Sample>?, Int, Int32) -> artwork_line_statistics

  private mutating func add<Sample>(
    _ luma: PlanarPixels.Plane, _ bitDepth: Int, _ sample: Sample.Type,
    _ columnRuns: ColumnRuns<Sample>, _ rowRuns: RowRuns<Sample>, _ line: Line<Sample>
  ) {
    let (width, height, rowBytes) = (luma.width, luma.height, luma.bytesPerRow)
    let size = MemoryLayout<Sample>.stride
    let scale = 1 / Float(1 << (bitDepth - 8))
    let tolerance = Int32(Self.tolerance << (bitDepth - 8))

    /// - Parameters:
    ///   - inwards, along: bytes from a sample to the next in these directions.
    func scan(
      _ side: inout Side?, x: Int, y: Int, inwards: Int, along: Int, lines: Int, length: Int,
      _ run: (UnsafePointer<Sample>, Int32, Int32, UnsafeMutablePointer<Int32>?) -> Void
    ) {
      let corner = (luma.start + y * rowBytes + x * size).assumingMemoryBound(to: Sample.self)
      var now =
        side
        ?? Side(
          lines: lines, length: length, level: line(corner, along, Int32(lines)).mean * scale)
      guard now.runs.count == lines, now.length == length else { return }
      run(corner, Int32((now.level / scale).rounded()), Int32(now.limit), &now.runs)
      if let depth = now.ending?.depth, depth > 0 {
        now.record(
          { number in
            let start = UnsafeRawPointer(corner) + inwards * number
            return line(start.assumingMemoryBound(to: Sample.self), along, Int32(lines))
          }, scale: scale, depth: depth)
      }
      side = now
    }

    scan(&top, x: 0, y: 0, inwards: rowBytes, along: size, lines: width, length: height) {
      columnRuns($0, rowBytes, Int32(width), $2, $1, tolerance, $3)
    }
    scan(
      &bottom, x: 0, y: height - 1, inwards: -rowBytes, along: size, lines: width, length: height
    ) { columnRuns($0, -rowBytes, Int32(width), $2, $1, tolerance, $3) }
    scan(&left, x: 0, y: 0, inwards: size, along: rowBytes, lines: height, length: width) {
      rowRuns($0, rowBytes, 1, Int32(height), $2, $1, tolerance, $3)
    }
    scan(
      &right, x: width - 1, y: 0, inwards: -size, along: rowBytes, lines: height, length: width
    ) { rowRuns($0, rowBytes, -1, Int32(height), $2, $1, tolerance, $3) }
  }
}
