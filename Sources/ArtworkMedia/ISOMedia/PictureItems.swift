/// The picture of a file without a movie: an item, or a grid of them (ISO/IEC 23008-12, HEIF).
struct PictureItems {
  /// The properties of an item, in the file.
  struct Properties {
    var turnsBack = 0
    var mirror: Int?
    var aperture: Box?
    /// Colours by code points: primaries, transfer, matrix, and whether the range is full.
    var codes: (primaries: Int, transfer: Int, matrix: Int, isFullRange: Bool)?
    var icc: [UInt8]?
    /// The brightest light, and that of the display on which it was made, in 0.0001 cd/m².
    var (light, display): (Int?, Int?)
    /// What an auxiliary picture holds, as a URN.
    var auxiliary: String?

    var displayMatrix: [Int32]? {
      turnsBack == 0 && mirror == nil
        ? nil : Orientation.matrix(quarterTurnsBack: turnsBack, mirroring: mirror)
    }
  }

  /// A coded picture.
  typealias Tile = [UInt8]

  private(set) var properties = Properties()
  /// Row by row; one for a picture that is no grid.
  private(set) var tiles: [Tile] = []
  /// The transparency of each tile; empty for none.
  private(set) var alpha: [Tile] = []
  private(set) var columns = 1
  /// The size of a grid; `nil` for a picture that is none.
  private(set) var canvas: PixelSize?

  private let input: InputFile
  private let reader: BoxReader
  private let limits: Limits
  private var places: [Int: Place] = [:]
  private var types: [Int: BoxType] = [:]
  private var references: [(type: BoxType, from: Int, to: [Int])] = []
  private var owned: [Int: [Int]] = [:]
  private var stored: [Box] = []
  private var itemData: Box?

  private struct Place {
    var inItemData: Bool
    var extents: [Range<Int64>]
  }

  /// Items, entries and boxes that are followed.
  private static let most = 4096
  private static let damaged = InspectionError.damagedStill

  /// - Throws: `not-a-movie` for a file without such a picture, `unsupported-codec` for another codec than AV1,
  ///   `decode-failed` for a damaged one.
  init(of input: InputFile, limits: Limits) throws(InspectionError) {
    (self.input, self.limits) = (input, limits)
    reader = BoxReader(input)
    guard let meta = boxes(0, reader.fileSize).first(where: { $0.type == "meta" }) else {
      throw InspectionError(
        .notAMovie, "this is not a picture that can be read",
        advice: "use a \(FileFormat.stillTitles) file")
    }
    var primary: Int?
    for box in boxes(meta.start + 4, meta.end) {
      switch box.type {
      case "pitm": primary = number(box.start + 4, isLong(box) ? 4 : 2)
      case "iinf": readTypes(box)
      case "iloc": readPlaces(box)
      case "iref": readReferences(box)
      case "idat": itemData = box
      case "iprp": readProperties(box)
      default: break
      }
    }
    guard let primary else {
      throw InspectionError(
        .decodeFailed, "the picture is damaged: it does not say which item it is (pitm)")
    }
    properties = properties(of: primary)
    (tiles, columns, canvas) = try picture(primary)
    let transparency = references.lazy.filter { $0.type == "auxl" && $0.to.contains(primary) }
      .map(\.from).first { isAlpha($0) }
    if let transparency {
      let other = try picture(transparency)
      guard other.tiles.count == tiles.count else { throw Self.damaged }
      alpha = other.tiles
    }
  }

  private func isAlpha(_ item: Int) -> Bool {
    properties(of: item).auxiliary?.contains("alpha") == true
  }

  private func picture(
    _ item: Int
  ) throws(InspectionError) -> (tiles: [Tile], columns: Int, canvas: PixelSize?) {
    switch types[item] {
    case "av01": return ([try data(of: item)], 1, nil)
    case "grid":
      let grid = try data(of: item).map { Int($0) }
      let size = grid.count > 1 && grid[1] & 1 == 1 ? 4 : 2
      guard grid.count >= 4 + 2 * size else { throw Self.damaged }
      func side(_ place: Int) -> Int { grid[place..<place + size].reduce(0) { $0 << 8 | $1 } }
      let canvas = PixelSize(width: side(4), height: side(4 + size))
      let (rows, columns) = (grid[2] + 1, grid[3] + 1)
      let parts = references.first { $0.type == "dimg" && $0.from == item }?.to ?? []
      guard parts.count == rows * columns, canvas.width > 0, canvas.height > 0,
        parts.allSatisfy({ types[$0] == "av01" })
      else { throw Self.damaged }
      guard Int64(clamping: canvas.area) <= limits.pixels else {
        throw InspectionError(
          .tooLarge, "the picture has \(canvas) pixels (limit \(limits.pixels))")
      }
      return (try parts.map { part throws(InspectionError) in try data(of: part) }, columns, canvas)
    case nil: throw Self.damaged
    default:
      throw InspectionError(
        .unsupportedCodec, "this picture is not coded with AV1, so it is no AVIF picture",
        advice: "use a \(FileFormat.stillTitles) file")
    }
  }

  private func data(of item: Int) throws(InspectionError) -> [UInt8] {
    guard let place = places[item] else { throw Self.damaged }
    var bytes: [UInt8] = []
    let most = limits.memoryBytes / 4
    let base = place.inItemData ? itemData?.start ?? reader.fileSize : 0
    for extent in place.extents {
      let start = base.addingClamped(extent.lowerBound)
      let count = extent.isEmpty ? reader.fileSize - start : Int64(extent.count)
      guard Int64(bytes.count).addingClamped(count) <= most else {
        throw InspectionError(.tooLarge, "its picture has more than \(most) bytes")
      }
      let part = input.bytes(at: start, count: Int(clamping: count))
      guard part.count == count, count > 0 else {
        throw InspectionError(.truncated, "the picture is cut: the file ends inside it")
      }
      bytes += part
    }
    return bytes
  }

  // MARK: Boxes

  private func boxes(_ start: Int64, _ end: Int64) -> [Box] {
    reader.boxes(start, end, most: Self.most)
  }

  private func number(_ place: Int64, _ size: Int) -> Int {
    size == 0 ? 0 : Int(clamping: reader.unsigned(at: place, size: size) ?? 0)
  }

  /// The version of a full box is above 0.
  private func isLong(_ box: Box) -> Bool { number(box.start, 1) > 0 }

  private mutating func readTypes(_ box: Box) {
    for entry in boxes(box.start + (isLong(box) ? 8 : 6), box.end) where entry.type == "infe" {
      let size = number(entry.start, 1) == 3 ? 4 : 2
      guard number(entry.start, 1) >= 2 else { continue }
      types[number(entry.start + 4, size)] = BoxType(
        code: UInt32(truncatingIfNeeded: number(entry.start + 6 + Int64(size), 4)))
    }
  }

  /// ISO/IEC 14496-12, 8.11.3.
  private mutating func readPlaces(_ box: Box) {
    let version = number(box.start, 1)
    let (sizes, more) = (number(box.start + 4, 1), number(box.start + 5, 1))
    let (offsetSize, lengthSize, baseSize) = (sizes >> 4, sizes & 15, more >> 4)
    let indexSize = version > 0 ? more & 15 : 0
    guard [offsetSize, lengthSize, baseSize, indexSize].allSatisfy({ $0 <= 8 }) else { return }
    var place = box.start + 6
    func next(_ size: Int) -> Int {
      defer { place += Int64(size) }
      return place + Int64(size) <= box.end ? number(place, size) : 0
    }
    let count = next(version < 2 ? 2 : 4)
    for _ in 0..<min(count, Self.most) {
      let item = next(version < 2 ? 2 : 4)
      let method = version > 0 ? next(2) & 15 : 0
      _ = next(2)
      let base = Int64(next(baseSize))
      let extents = (0..<min(next(2), Self.most)).map { _ -> Range<Int64> in
        _ = next(indexSize)
        let start = base.addingClamped(Int64(next(offsetSize)))
        return start..<start.addingClamped(Int64(next(lengthSize)))
      }
      // Method 2 builds one item of others.
      if method < 2 { places[item] = Place(inItemData: method == 1, extents: extents) }
    }
  }

  private mutating func readReferences(_ box: Box) {
    let size = isLong(box) ? 4 : 2
    for entry in boxes(box.start + 4, box.end) {
      let (from, count) = (number(entry.start, size), number(entry.start + Int64(size), 2))
      let first = entry.start + Int64(size) + 2
      references.append(
        (
          entry.type, from,
          (0..<min(count, Self.most)).map { number(first + Int64($0 * size), size) }
        ))
    }
  }

  private mutating func readProperties(_ box: Box) {
    for part in boxes(box.start, box.end) {
      if part.type == "ipco" { stored = boxes(part.start, part.end) }
      guard part.type == "ipma" else { continue }
      let (item, index) = (isLong(part) ? 4 : 2, number(part.start + 3, 1) & 1 == 1 ? 2 : 1)
      var place = part.start + 8
      for _ in 0..<min(number(part.start + 4, 4), Self.most) where place < part.end {
        let identifier = number(place, item)
        let count = number(place + Int64(item), 1)
        place += Int64(item) + 1
        // The highest bit says that a reader must know the property.
        owned[identifier, default: []] += (0..<count).map {
          number(place + Int64($0 * index), index) & (index == 2 ? 0x7fff : 0x7f) - 1
        }
        place += Int64(count * index)
      }
    }
  }

  private func properties(of item: Int) -> Properties {
    var result = Properties()
    for index in owned[item] ?? [] where stored.indices.contains(index) {
      let box = stored[index]
      switch box.type {
      case "irot": result.turnsBack = number(box.start, 1) & 3
      case "imir": result.mirror = number(box.start, 1) & 1
      case "clap": result.aperture = box
      case "auxC":
        result.auxiliary = String(
          decoding: input.bytes(at: box.start + 4, count: Int(clamping: min(box.payload - 4, 256)))
            .prefix { $0 != 0 }, as: UTF8.self)
      case "clli": result.light = number(box.start, 2) * 10000
      case "mdcv": result.display = number(box.start + 16, 4)
      case "colr":
        switch BoxType(code: UInt32(truncatingIfNeeded: number(box.start, 4))) {
        case "nclx":
          result.codes = (
            number(box.start + 4, 2), number(box.start + 6, 2), number(box.start + 8, 2),
            number(box.start + 10, 1) >> 7 == 1
          )
        case "prof", "rICC":
          result.icc = input.bytes(
            at: box.start + 4, count: Int(clamping: min(box.payload - 4, 1 << 24)))
        default: break
        }
      default: break
      }
    }
    return result
  }

  /// The visible part of a picture; `nil` for all of it.
  func crop(width: Int, height: Int) -> CleanAperture? {
    properties.aperture.flatMap { CleanAperture($0, reader, width: width, height: height) }
  }
}
