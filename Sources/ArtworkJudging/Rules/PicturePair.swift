/// How the pictures of the square and the tall video of a release relate, by their first frames.
package struct PicturePair: Equatable {
  package enum Relation: Equatable {
    /// They show the same, or cannot be compared.
    case same
    /// They do not.
    case other
    /// The one shows what the other shows, if it is displayed by this orientation of Exif, from 2 to 8.
    case turned(exif: Int)
    /// The one shows what the other shows, and is this much narrower.
    case squeezed(Double)
  }

  /// What ``odd``, or else the tall one, shows, seen from the other.
  package var relation: Relation
  /// The likeness of the pictures as they are.
  package var likeness: Double
  /// The one that is wrong, by the cover, or by a shape that only a turn gives it; `nil` if nothing tells.
  package var odd: ArtworkKey?

  /// Turned or squeezed pictures are as like as this, and more like by ``margin`` than the pictures as they are. Nothing
  /// that is as like as ``alike`` is compared any further.
  private static let (least, margin, alike) = (0.8, 0.12, 0.9)
  /// Forms that are compared at every position: those that are most like it in the middle.
  private static let tried = 3
  /// How much narrower or wider a squeezed picture may be.
  private static let squeezes = [0.5625, 0.65, 0.75, 0.85, 1.18, 1.333, 1.54, 1.778]

  private struct Picture {
    var cells: PictureSignature
    var aspect: Double

    func likeness(
      _ other: Picture, enough: Double = .infinity, isQuick: Bool = false
    ) -> Double {
      PictureLikeness.of(
        cells, aspect: aspect, other.cells, aspect: other.aspect, enough: enough, isQuick: isQuick)
    }

    /// The likeness to a narrower picture at every place of it: a crop near one side is no squeeze.
    func alignedLikeness(_ other: Picture) -> Double {
      guard aspect > other.aspect else { return -1 }
      let side = 240
      let width = wholeNumber(Double(side) * other.aspect / aspect) ?? side
      let size = PixelSize(width: side, height: side)
      let area = CropArea(x: (side - width) / 2, y: 0, width: width, height: side)
        .moved(in: size, cells, like: other.cells, aspect: other.aspect)
      return Picture(cells: cells.part(area, of: size), aspect: other.aspect).likeness(other)
    }

    func displayed(exif: Int) -> Picture {
      guard let matrix = Orientation.matrix(exif: exif) else { return self }
      let orientation = Orientation(displayMatrix: matrix)
      return Picture(
        cells: cells.displayed(by: orientation),
        aspect: orientation.swapsAxes ? 1 / aspect : aspect)
    }
  }

  /// - Returns: `nil` if one of them cannot be compared.
  package init?(
    _ square: Inspection, _ tall: Inspection, cover: StillPicture?, profile: Profile = .nowPlaying
  ) {
    func picture(_ inspection: Inspection) -> Picture? {
      inspection.firstFrame.flatMap {
        $0.hasContrast ? Picture(cells: $0, aspect: inspection.facts.displayAspect) : nil
      }
    }
    guard let square = picture(square), let tall = picture(tall) else { return nil }
    let enough = max(Self.alike, profile.variantLikeness)
    likeness = square.likeness(tall, enough: enough)
    relation = .same
    if likeness >= enough { return }
    // The pictures of one release may differ in their crop, and then no cover decides.
    if let cover {
      let still = Picture(cells: cover.signature, aspect: cover.aspect)
      let (one, two) = (still.likeness(square), still.likeness(tall))
      if max(one, two) >= profile.coverLikeness, abs(one - two) >= Self.margin {
        odd = one < two ? .square : .tall
      }
    }
    let (judged, good) = odd == .square ? (square, tall) : (tall, square)
    let forms =
      (2...8).map { (Relation.turned(exif: $0), judged.displayed(exif: $0)) }
      + Self.squeezes.map { share in
        (Relation.squeezed(share), Picture(cells: judged.cells, aspect: judged.aspect / share))
      }
    let likely = forms.map { ($0, $0.1.likeness(good, isQuick: true)) }
      .sorted { $0.1 > $1.1 }.prefix(Self.tried)
    let found = likely.map { ($0.0.0, $0.0.1.likeness(good)) }
    if let best = found.max(by: { $0.1 < $1.1 }), best.1 >= Self.least,
      best.1 >= likeness + Self.margin,
      best.1 >= square.alignedLikeness(tall) + Self.margin
    {
      relation = best.0
      // A tall video that lies on its side.
      if case .turned(let exif) = best.0, exif > 4, odd == nil, tall.aspect > 1 { odd = .tall }
    } else if likeness < profile.variantLikeness {
      relation = .other
    }
    if relation == .same { odd = nil }
  }

  /// Degrees by which the odd one has to be turned clockwise; `nil` if a turn alone does not make it right.
  package var clockwiseTurn: Int? {
    guard case .turned(let exif) = relation else { return nil }
    return [3: 180, 6: 90, 8: 270][exif]
  }

  /// What is wrong, as a predicate.
  var words: String? {
    switch relation {
    case .same: nil
    case .other: "shows another picture"
    case .turned(3): "is upside down"
    case .turned(2), .turned(4): "is mirrored"
    case .turned(6), .turned(8): "is turned by 90 degrees"
    case .turned: "is turned and mirrored"
    case .squeezed(let share):
      "is squeezed: \(share < 1 ? "narrower" : "wider") than the picture"
    }
  }
}

extension PictureSignature {
  /// The signature of the picture as it is displayed by this orientation.
  func displayed(by orientation: Orientation) -> PictureSignature {
    let size = PixelSize(width: Self.side, height: Self.side)
    let image = PixelImage(size: size, channels: .rgb, bytes: cells)
    return PictureSignature(cells: orientation.applied(to: image).bytes)
  }
}
