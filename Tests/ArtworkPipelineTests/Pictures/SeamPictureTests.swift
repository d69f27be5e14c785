import TestSupport

@testable import ArtworkCore
@testable import ArtworkModel
@testable import ArtworkPipeline

@Suite struct SeamPictureTests {
  /// A grey picture with a bright block at one of 8x8 places.
  static func picture(_ width: Int, _ height: Int, block: (x: Int, y: Int)? = nil) -> PixelImage {
    var canvas = Canvas(
      size: PixelSize(width: width, height: height), fill: DrawingColor(60, 60, 60))
    if let block {
      canvas.fill(
        PixelRectangle(
          x: block.x * width / 8, y: block.y * height / 8, width: width / 8, height: height / 8),
        DrawingColor(250, 250, 250))
    }
    return canvas.image
  }

  static func frames(_ images: [PixelImage], from number: Int) -> [SeamFrame] {
    images.enumerated().map {
      SeamFrame(image: $1, number: number + $0, seconds: Double(number + $0) / 30)
    }
  }

  @Test(
    "the worst block is framed where the difference is",
    arguments: [(320, 320), (240, 320), (320, 180)])
  func worst(width: Int, height: Int) throws {
    var picture = SeamPicture(
      last: Self.frames(
        Array(repeating: Self.picture(width, height, block: (5, 2)), count: 3), from: 97),
      first: Self.frames(Array(repeating: Self.picture(width, height), count: 3), from: 0),
      steps: Array(repeating: 3, count: 99), seam: .sample(.jump),
      worst: SeamMeasurement.WorstBlock(
        x: 5 / 8, y: 2 / 8, width: 1 / 8, height: 1 / 8, ratio: 2), facts: "facts")
    let (framed, found) = picture.layOut()
    let area = try #require(found)
    #expect(framed[area.x - 1, area.y - 1] == .mark)
    #expect(framed[area.right, area.bottom] == .mark)
    #expect(framed[area.x + area.width / 2, area.y - 2] == .mark)
    // Inside, the highest colour of the map; around it, the lowest.
    #expect(framed[area.x + area.width / 2, area.y + area.height / 2] == HeatMap.drawingColor(1))
    #expect(framed[area.x - 10, area.y - 10] == HeatMap.drawingColor(0))
    #expect(framed.size.width == SeamPicture.width)
    picture.worst = nil
    #expect(picture.layOut().worst == nil)
  }

  @Test(
    "a block is found again in the picture as it is shown",
    arguments: [
      [1, 0, 0, 1], [0, 1, -1, 0], [-1, 0, 0, -1], [0, -1, 1, 0], [-1, 0, 0, 1], [0, 1, 1, 0],
    ])
  func shown(matrix: [Int32]) {
    let orientation = Orientation(displayMatrix: [
      matrix[0], matrix[1], 0, matrix[2], matrix[3], 0, 0, 0, 1,
    ])
    let (width, height) = (320, 160)
    let block = SeamMeasurement.WorstBlock(
      x: 5 / 8, y: 2 / 8, width: 1 / 8, height: 1 / 8, ratio: 2)
    let image = orientation.applied(to: Self.picture(width, height, block: (5, 2)))
    let place = block.shown(
      of: PixelSize(width: width, height: height), crop: nil, orientation: orientation
    )
    .pixels(in: PixelRectangle(x: 0, y: 0, width: image.size.width, height: image.size.height))
    var canvas = Canvas(size: image.size)
    canvas.blit(image, x: 0, y: 0)
    for (x, y) in [(place.x, place.y), (place.right - 1, place.bottom - 1)] {
      #expect(canvas[x, y] == DrawingColor(250, 250, 250))
    }
    for (x, y) in [(place.x - 1, place.y), (place.right, place.y), (place.x, place.bottom)] {
      #expect(canvas[x, y] == DrawingColor(60, 60, 60))
    }
    let crop = CleanAperture(x: 200, y: 20, width: 100, height: 100)
    let cropped = block.shown(
      of: PixelSize(width: width, height: height), crop: crop, orientation: .upright)
    #expect(cropped.x == 0 && cropped.width == 0.4 && cropped.y == 0.2 && cropped.height == 0.2)
  }

  @Test("every shape, length and number of frames gives a picture")
  func shapes() {
    for (width, height) in [(1, 1), (400, 1), (1, 400), (7, 5), (225, 400)] {
      for count in [1, 2, 3, 500, 20_000] {
        let size = PixelSize(width: width, height: height)
        let images = (0..<min(3, count)).map { _ in Self.picture(size.width, size.height) }
        let image = SeamPicture(
          last: Self.frames(images, from: 0), first: Self.frames(images, from: 0),
          steps: (1..<count).map { Double($0 % 7) }, seam: .sample(), worst: nil,
          facts: ""
        ).draw()
        #expect(image.size.width == SeamPicture.width)
        #expect(image.size.height <= LoopPictures.largest.height)
      }
    }
  }

  @Test("strips are no larger than what is taken from a worker")
  func strips() {
    for (width, height) in [(180, 240), (180, 10), (1, 240)] {
      let images = (0..<4).map { _ in Self.picture(width, height) }
      let strip = SeamStrip(
        last: Self.frames(images, from: 19_990), first: Self.frames(images, from: 0),
        verdict: .jump,
        title:
          "seamless: frames 10000 to 19999; change at the loop point 123.4; usual nearby 100.1; jump score 12.3"
      ).draw()
      #expect(strip.size.width <= LoopPictures.largest.width)
      #expect(strip.size.height <= LoopPictures.largest.height)
    }
  }

  @Test("the highest step decides the scale, and the axis has round numbers")
  func ticks() {
    for (length, parts) in [(0.5, 5.0), (1, 5), (7, 5), (99, 5), (255, 6), (600, 6)] {
      let tick = StepCurve.tick(for: length, parts: parts)
      #expect(length / tick <= parts && length / tick > parts / 3)
    }
  }

  @Test("letters: all of ASCII is there, different, and five dots wide")
  func font() {
    let glyphs = (0x20...0x7e).map { BitmapFont.rows(of: Unicode.Scalar(UInt8($0))) }
    #expect(glyphs.allSatisfy { $0.count == BitmapFont.height && $0.allSatisfy { $0 < 32 } })
    #expect(Set(glyphs).count == glyphs.count)
    #expect(BitmapFont.rows(of: "ü") == BitmapFont.rows(of: "?"))
    // "L" is a stroke down and one to the right.
    #expect(BitmapFont.rows(of: "L") == [16, 16, 16, 16, 16, 16, 31])
  }

  @Test("heat rises evenly: lighter colours for larger differences")
  func heat() {
    let shades = (0...64).map { HeatMap.drawingColor(Double($0) / 64) }
    let luma = shades.map {
      0.2126 * Double($0.red) + 0.7152 * Double($0.green) + 0.0722 * Double($0.blue)
    }
    #expect(zip(luma, luma.dropFirst()).allSatisfy { $0 <= $1 })
    // Noise is dark, whatever its relative size is.
    let quiet = HeatMap.draw(Self.picture(8, 8), Self.picture(8, 8))
    #expect(quiet.image.bytes == (0..<64).flatMap { _ in [UInt8(0), 0, 4] })
  }

  @Test("drawing outside of the canvas is cut off")
  func outside() {
    var canvas = Canvas(size: PixelSize(width: 4, height: 3))
    canvas.fill(PixelRectangle(x: -5, y: -5, width: 100, height: 6), .text)
    canvas.fill(PixelRectangle(x: 9, y: 9, width: 3, height: 3), .bad)
    canvas.line(from: (-3, 1), to: (9, 1), .good)
    canvas.write("W", x: 3, y: 2, .bad)
    canvas.blit(Self.picture(9, 9), x: 2, y: 2)
    #expect(canvas[0, 0] == .text && canvas[3, 0] == .text)
    #expect(canvas[0, 1] == .good && canvas[3, 1] == .good)
    #expect(canvas[2, 2] == DrawingColor(60, 60, 60) && canvas[1, 2] == .background)
  }
}
