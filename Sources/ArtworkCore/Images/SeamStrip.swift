/// The seam of a trimmed part as a strip: its last frames, then its first.
package struct SeamStrip: Sendable {
  /// The last frames in presentation order, all of one size.
  package var last: [SeamFrame]
  package var first: [SeamFrame]
  package var verdict: SeamJudgement.Verdict
  /// The title, in printable ASCII.
  package var title: String

  /// The number of frames from each end.
  package static let endCount = 4
  private static let margin = 28
  /// The largest size of a picture in the strip.
  package static let frameSize = PixelSize(width: 180, height: 240)

  package init(
    last: [SeamFrame], first: [SeamFrame], verdict: SeamJudgement.Verdict, title: String
  ) {
    self.last = last
    self.first = first
    self.verdict = verdict
    self.title = title
  }

  /// Draws the strip, as wide as its frames.
  package func draw() -> PixelImage {
    let row = SeamRow(last: last, first: first, tile: Self.frameSize)
    let width = max(row.width, Canvas.width(of: title)) + 2 * Self.margin
    var canvas = Canvas(size: PixelSize(width: width, height: 62 + row.height + 20))
    canvas.fill(PixelRectangle(x: 0, y: 0, width: 8, height: 48), verdict.drawingColor)
    canvas.write(title, x: Self.margin, y: 20, .text)
    row.draw(on: &canvas, x: (width - row.width) / 2, y: 62, drawingColor: verdict.drawingColor)
    return canvas.image
  }
}
