/// A picture for judging a clip's seam by eye: the last and the first frames, a map of their differences, and the step
/// across the seam beside the clip's other steps.
package struct SeamPicture: Sendable {
  /// Up to three, in presentation order, all of one size.
  package var last: [SeamFrame]
  package var first: [SeamFrame]
  /// Steps from each frame of the clip to the next, in 8-bit code values.
  package var steps: [Double]
  package var seam: SeamJudgement
  /// The block to mark.
  package var worst: SeamMeasurement.WorstBlock?
  /// Printable ASCII; cut off if it does not fit.
  package var facts: String

  package init(
    last: [SeamFrame], first: [SeamFrame], steps: [Double], seam: SeamJudgement,
    worst: SeamMeasurement.WorstBlock?, facts: String
  ) {
    self.last = last
    self.first = first
    self.steps = steps
    self.seam = seam
    self.worst = worst
    self.facts = facts
  }

  /// The number of frames from each end.
  package static let endCount = 3
  /// Pictures should be reduced to fit inside this size before they are passed in.
  package static let frameSize = PixelSize(width: 400, height: 400)

  package static let width = 1240
  private static let margin = 28
  private static let tile = PixelSize(width: 180, height: 240)

  private var drawingColor: DrawingColor { seam.verdict.drawingColor }

  /// Draws the picture: 1240 pixels wide, and as high as the clip's shape requires.
  package func draw() -> PixelImage { layOut().canvas.image }

  /// The picture, and the frame around the worst block if there is one.
  func layOut() -> (canvas: Canvas, worst: PixelRectangle?) {
    let row = SeamRow(last: last, first: first, tile: Self.tile)
    let rowTop = 108
    let lowerTop = rowTop + row.height + 30
    let map = zip(last.suffix(1), first.prefix(1)).map { HeatMap.draw($0.image, $1.image) }.first
    let mapSize = map?.image.size.fitted(inside: Self.frameSize)
    let lowerHeight = max(330, (mapSize?.height ?? 0) + 34 + 60)
    var canvas = Canvas(
      size: PixelSize(width: Self.width, height: lowerTop + lowerHeight + Self.margin))
    let left = Self.margin
    canvas.fill(PixelRectangle(x: 0, y: 0, width: 8, height: 92), drawingColor)
    canvas.write(seam.verdict.rawValue, x: left, y: 14, drawingColor, scale: 3)
    canvas.write(seam.sentence, x: left, y: 47, .text)
    canvas.write(facts, x: left, y: 70, .quiet)
    row.draw(
      on: &canvas, x: (Self.width - row.width) / 2, y: rowTop, drawingColor: drawingColor)

    var chart = PixelRectangle(
      x: left, y: lowerTop, width: Self.width - 2 * Self.margin, height: lowerHeight)
    var worst: PixelRectangle?
    if let map, let mapSize {
      worst = drawMap(map.image, scale: map.scale, size: mapSize, on: &canvas, y: lowerTop)
      let taken = max(mapSize.width, 320) + 36
      chart.x += taken
      chart.width -= taken
    }
    StepCurve(
      steps: steps, seamStep: seam.seamStep, ownStep: seam.ownStep,
      start: first.first?.seconds ?? 0,
      end: last.last?.seconds ?? 0, drawingColor: drawingColor
    ).draw(on: &canvas, in: chart)
    return (canvas, worst)
  }

  private func drawMap(
    _ map: PixelImage, scale: Double, size: PixelSize, on canvas: inout Canvas, y: Int
  ) -> PixelRectangle? {
    canvas.write("Where last and first differ", x: Self.margin, y: y, .text)
    let picture = map.enlarged(to: size)
    let area = PixelRectangle(
      x: Self.margin, y: y + 34, width: picture.size.width, height: picture.size.height)
    canvas.frame(area.inset(by: -1), .grid)
    canvas.blit(picture, x: area.x, y: area.y)
    let worst = worst?.pixels(in: area)
    if let worst {
      // Dark lines on both sides keep the frame visible on light colours.
      canvas.frame(worst.inset(by: -3), .background)
      canvas.frame(worst.inset(by: -2), .mark, thickness: 2)
      canvas.frame(worst, .background)
    }
    // The colour scale, and the legend of the frame.
    let bar = PixelRectangle(x: area.x, y: area.bottom + 12, width: 150, height: 14)
    for x in 0..<bar.width {
      canvas.fill(
        PixelRectangle(x: bar.x + x, y: bar.y, width: 1, height: bar.height),
        HeatMap.drawingColor(Double(x) / Double(bar.width - 1)))
    }
    canvas.frame(bar.inset(by: -1), .grid)
    canvas.write("0", x: bar.x, y: bar.bottom + 6, .quiet)
    let high = decimal(scale, places: 0)
    canvas.write(
      high, x: bar.right - Canvas.width(of: high), y: bar.bottom + 6, .quiet)
    let label = worst == nil ? "nothing stands out" : "most surprising"
    if worst != nil {
      canvas.frame(
        PixelRectangle(x: bar.right + 22, y: bar.y, width: 14, height: 14), .mark, thickness: 2)
    }
    canvas.write(label, x: bar.right + (worst == nil ? 22 : 46), y: bar.y, .quiet)
    return worst
  }
}

extension SeamJudgement.Verdict {
  /// The colour of a seam.
  var drawingColor: DrawingColor {
    switch weight {
    case .good: .good
    case .doubtful: .warning
    case .bad: .bad
    }
  }
}

extension PixelImage {
  /// The picture with repeated pixels: for small pictures, whose pixels may be visible.
  package func enlarged(to target: PixelSize) -> PixelImage {
    guard target.width > size.width || target.height > size.height else {
      return reduced(to: target)
    }
    let depth = channels.rawValue
    var result: [UInt8] = []
    result.reserveCapacity(target.area * depth)
    for y in 0..<target.height {
      for x in 0..<target.width {
        let start =
          y * size.height / target.height * bytesPerRow + x * size.width / target.width * depth
        result += bytes[start..<start + depth]
      }
    }
    return PixelImage(size: target, channels: channels, bytes: result)
  }
}
