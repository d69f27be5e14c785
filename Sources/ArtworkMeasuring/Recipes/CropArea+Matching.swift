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
    func likeness(_ area: CropArea) -> Double {
      PictureLikeness.of(
        first.part(area, of: size), aspect: Double(width) / Double(height), other, aspect: aspect)
    }
    let space = max(across, down)
    let step = max(2, space / Self.places / 2 * 2)
    let areas = stride(from: 0, through: space, by: step).map { at($0 / 2 * 2) }
    let rated = areas.map { (area: $0, likeness: likeness($0)) }
    guard let best = rated.max(by: { $0.likeness < $1.likeness }), best.likeness >= Self.alike,
      best.likeness > likeness(self) + Self.better
    else { return self }
    return best.area
  }

  /// Places that are compared, what is like enough, and what is more like.
  private static let (places, alike, better) = (24, 0.5, 0.02)
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
    return PictureSignature(
      cells: rows.flatMap { row in
        columns.flatMap { column in
          (0..<3).map { channel -> UInt8 in
            func value(_ y: Int, _ x: Int) -> Float { Float(cells[3 * (y * side + x) + channel]) }
            func mixed(_ y: Int) -> Float {
              value(y, column.0) + (value(y, column.1) - value(y, column.0)) * column.2
            }
            return UInt8(mixed(row.0) + (mixed(row.1) - mixed(row.0)) * row.2 + 0.5)
          }
        }
      })
  }
}
