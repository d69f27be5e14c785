/// The curve of a clip's steps from frame to frame, with the step across the seam at its end.
struct StepCurve {
  /// Steps from each frame to the next, in 8-bit code values.
  var steps: [Double]
  var seamStep: Double
  /// The clip's own step near the seam.
  var ownStep: Double
  /// Seconds from the first frame to the last.
  var start: Double
  var end: Double
  /// The colour of the seam.
  var drawingColor: DrawingColor

  private static let axis = 74
  private static let seamWidth = 84

  /// The axis ends at this multiple of the clip's highest step, and a higher bar for the seam is broken. Otherwise the
  /// clip's own curve would be a line at the bottom.
  private static let mostOfSteps = 5.0

  private var highest: Double { max(steps.max() ?? 0, 0.2) }

  func draw(on canvas: inout Canvas, in area: PixelRectangle) {
    canvas.write("Step from frame to frame, in 8-bit code values", x: area.x, y: area.y, .text)
    let plot = PixelRectangle(
      x: area.x + Self.axis, y: area.y + 34,
      width: area.width - Self.axis - Self.seamWidth, height: area.height - 34 - 52)
    canvas.fill(
      PixelRectangle(
        x: plot.x, y: plot.y, width: plot.width + Self.seamWidth, height: plot.height), .panel)
    let high = min(max(seamStep, highest), max(highest, ownStep) * Self.mostOfSteps)
    let unit = Self.tick(for: max(high, 1), parts: 5)
    let top = Self.top(max(high, 1), unit: unit)
    func height(_ value: Double) -> Int {
      plot.bottom - 1
        - (wholeNumber((min(1, max(0, value / top)) * Double(plot.height - 1)).rounded()) ?? 0)
    }
    for mark in 0...(wholeNumber((top / unit).rounded()) ?? 0) {
      let value = Double(mark) * unit
      let y = height(value)
      canvas.fill(
        PixelRectangle(x: plot.x, y: y, width: plot.width + Self.seamWidth, height: 1), .grid)
      let text = decimal(value, places: 2)
      canvas.write(text, x: plot.x - 10 - Canvas.width(of: text), y: y - 7, .quiet)
    }
    drawTimes(on: &canvas, plot)
    drawSteps(on: &canvas, plot, height)
    drawSeam(on: &canvas, plot, height, isBroken: seamStep > top)
  }

  private func drawTimes(on canvas: inout Canvas, _ plot: PixelRectangle) {
    let length = max(end - start, 0.001)
    let unit = Self.tick(for: length, parts: 6)
    var mark = 0.0
    while mark <= length + unit / 1000 {
      let x = plot.x + (wholeNumber(mark / length * Double(plot.width - 1)) ?? 0)
      canvas.fill(PixelRectangle(x: x, y: plot.bottom, width: 1, height: 5), .quiet)
      let text = decimal(start + mark, places: 3) + (mark == 0 ? " s" : "")
      let left = min(x - Canvas.width(of: text) / 2, plot.right - Canvas.width(of: text))
      canvas.write(text, x: max(plot.x - 20, left), y: plot.bottom + 10, .quiet)
      mark += unit
    }
  }

  /// Each column of pixels spans its lowest and its highest step.
  private func drawSteps(
    on canvas: inout Canvas, _ plot: PixelRectangle, _ height: (Double) -> Int
  ) {
    guard !steps.isEmpty else { return }
    if steps.count < plot.width / 2 {
      let places = steps.enumerated().map { index, step in
        (x: plot.x + (2 * index + 1) * plot.width / (2 * steps.count), y: height(step))
      }
      for (one, next) in zip(places, places.dropFirst()) {
        for offset in 0...1 {
          canvas.line(from: (one.x, one.y - offset), to: (next.x, next.y - offset), .curve)
        }
      }
      if places.count < plot.width / 12 {
        for place in places {
          canvas.fill(
            PixelRectangle(x: place.x - 2, y: place.y - 3, width: 5, height: 5), .curve)
        }
      }
      return
    }
    var before: Int?
    for column in 0..<plot.width {
      let from = column * steps.count / plot.width
      let to = max(from + 1, (column + 1) * steps.count / plot.width)
      let part = steps[from..<to]
      let (high, low) = (height(part.max() ?? 0), height(part.min() ?? 0))
      let (upper, lower) = (min(high, before ?? high), max(low, before ?? low))
      canvas.fill(
        PixelRectangle(x: plot.x + column, y: upper - 1, width: 1, height: lower - upper + 2),
        .curve)
      before = height(part.last ?? 0)
    }
  }

  private func drawSeam(
    on canvas: inout Canvas, _ plot: PixelRectangle, _ height: (Double) -> Int, isBroken: Bool
  ) {
    let right = plot.right + Self.seamWidth
    let own = height(ownStep)
    for y in [own, own + 1] {
      canvas.line(from: (plot.x, y), to: (right - 1, y), .text, dash: 6)
    }
    canvas.fill(PixelRectangle(x: plot.right, y: plot.y, width: 2, height: plot.height), .quiet)
    let y = height(seamStep)
    let center = plot.right + Self.seamWidth / 2
    canvas.fill(
      PixelRectangle(x: center - 9, y: y, width: 18, height: plot.bottom - y), drawingColor)
    if isBroken {
      for offset in -13...12 {
        let middle = plot.y + plot.height / 3 - offset / 3
        canvas.fill(PixelRectangle(x: center + offset, y: middle - 4, width: 1, height: 8), .panel)
      }
    }
    let value = decimal(seamStep, places: 2)
    // Above the bar, or above the plot if the bar reaches the top.
    let isInside = y - 20 < plot.y
    canvas.write(
      value, x: center - Canvas.width(of: value) / 2, y: isInside ? plot.y - 20 : y - 20,
      drawingColor)
    canvas.write(
      "seam", x: center - Canvas.width(of: "seam") / 2, y: plot.bottom + 10, drawingColor)
    canvas.write(
      "- - the clip's own step near the seam: \(decimal(ownStep, places: 2))", x: plot.x,
      y: plot.bottom + 34, .quiet)
  }

  /// 1, 2 or 5 times a power of ten, which divides `length` into about `parts` parts.
  static func tick(for length: Double, parts: Double) -> Double {
    var unit = 0.001
    while unit * 10 <= length / parts { unit *= 10 }
    return [unit, 2 * unit, 5 * unit, 10 * unit].first { length / $0 <= parts } ?? 10 * unit
  }

  /// The first tick above `value`.
  private static func top(_ value: Double, unit: Double) -> Double {
    (value / unit * 1.02).rounded(.up) * unit
  }
}
