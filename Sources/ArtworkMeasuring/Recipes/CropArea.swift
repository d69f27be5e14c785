/// A part of the picture on screen, in pixels from the top left corner.
package struct CropArea: Sendable, Equatable, Codable {
  package var x: Int
  package var y: Int
  package var width: Int
  package var height: Int

  package init(x: Int, y: Int, width: Int, height: Int) {
    (self.x, self.y, self.width, self.height) = (x, y, width, height)
  }

  /// Creates the area of the whole picture.
  package init(_ facts: MediaFacts) {
    (x, y, width, height) = (0, 0, facts.displayWidth, facts.displayHeight)
  }

  package var size: PixelSize { PixelSize(width: width, height: height) }
}

/// Which part of a clip was chosen.
package struct CropReport: Sendable, Equatable, Codable {
  /// A part of the picture on screen, in pixels from the top left corner.
  package struct Window: Sendable, Equatable, Codable {
    package var x: Int
    package var y: Int
    package var width: Int
    package var height: Int
    /// The share of the whole picture's visual interest, from 0 to 1.
    package var score: Double

    package init(x: Int, y: Int, width: Int, height: Int, score: Double) {
      (self.x, self.y, self.width, self.height) = (x, y, width, height)
      self.score = score
    }

    package var area: CropArea { CropArea(x: x, y: y, width: width, height: height) }
  }

  package var window: Window
  /// The best part with a different subject; `nil` if there is no room for one.
  package var runnerUp: Window?
  /// The part in the middle.
  package var center: Window
  /// No part is clearly better than the others.
  package var isFlat: Bool
  /// Letters, or what looks like a line of them, are cut through.
  package var cutsLines = false
  package static let cutLines =
    "the crop cuts through letters, or what looks like them: look at it"
  /// The size of the new clip.
  package var size: PixelSize

  package init(
    window: Window, runnerUp: Window? = nil, center: Window, isFlat: Bool, size: PixelSize
  ) {
    (self.window, self.runnerUp, self.center) = (window, runnerUp, center)
    (self.isFlat, self.size) = (isFlat, size)
  }
}

extension CropArea {
  /// This area, at the place where it shows the same as another picture; where it is if no place shows that.
  ///
  /// It moves along the side on which it leaves more out.
  ///
  /// - Parameters:
  ///   - first: the whole picture.
  ///   - aspect: width over height of `other`.
  package func moved(
    in size: PixelSize, _ first: PictureSignature, like other: PictureSignature, aspect: Double
  ) -> CropArea {
    let (across, down) = (size.width - width, size.height - height)
    guard first.hasContrast, other.hasContrast, max(across, down) > 1, width > 0, height > 0 else {
      return self
    }
    let isAcross = across >= down
    func at(_ place: Int) -> CropArea {
      isAcross
        ? CropArea(x: place, y: y, width: width, height: height)
        : CropArea(x: x, y: place, width: width, height: height)
    }
    func likeness(_ area: CropArea, isQuick: Bool = false) -> Double {
      PictureLikeness.of(
        first.part(area, of: size), aspect: Double(width) / Double(height), other, aspect: aspect,
        isQuick: isQuick)
    }
    let space = max(across, down)
    let step = max(2, space / Self.places / 2 * 2)
    let areas = stride(from: 0, through: space, by: step).map { at($0 / 2 * 2) }
    let likely = areas.map { ($0, likeness($0, isQuick: true)) }.sorted { $0.1 > $1.1 }
    let rated = likely.prefix(Self.tried).map { (area: $0.0, likeness: likeness($0.0)) }
    guard let best = rated.max(by: { $0.likeness < $1.likeness }), best.likeness >= Self.alike,
      best.likeness > likeness(self) + Self.better
    else { return self }
    return best.area
  }

  /// Places that are compared at a glance, those of them that are compared closely, what is like enough, and what is more
  /// like.
  private static let (places, tried, alike, better) = (24, 3, 0.5, 0.02)
}

extension PictureSignature {
  /// The signature of a part of the picture, as far as this one tells.
  package func part(_ area: CropArea, of size: PixelSize) -> PictureSignature {
    let side = Self.side
    /// The cells on both sides of a place of the part, and the share of the second.
    func samples(_ start: Int, _ length: Int, of whole: Int) -> [(Int, Int, Float)] {
      (0..<side).map { number in
        let share = (Float(start) + (Float(number) + 0.5) * Float(length) / Float(side))
        let place = max(0, min(Float(side - 1), share / Float(whole) * Float(side) - 0.5))
        let cell = wholeNumber(Double(place.rounded(.down))) ?? 0
        return (cell, min(side - 1, cell + 1), place - Float(cell))
      }
    }
    let rows = samples(area.y, area.height, of: size.height)
    let columns = samples(area.x, area.width, of: size.width)
    var part: [UInt8] = []
    part.reserveCapacity(cells.count)
    for row in rows {
      for column in columns {
        for channel in 0..<3 {
          func mixed(_ y: Int) -> Float {
            let value = Float(cells[3 * (y * side + column.0) + channel])
            return value + (Float(cells[3 * (y * side + column.1) + channel]) - value) * column.2
          }
          part.append(UInt8(mixed(row.0) + (mixed(row.1) - mixed(row.0)) * row.2 + 0.5))
        }
      }
    }
    return PictureSignature(cells: part)
  }
}
