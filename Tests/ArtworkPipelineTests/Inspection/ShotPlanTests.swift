@testable import ArtworkMedia

@Suite struct ShotPlanTests {
  private static func plan(_ milliseconds: [Int64], _ change: (inout FrameSelection) -> Void = { _ in }) throws -> ShotPlan {
    var selection = FrameSelection()
    selection.adapts = true
    change(&selection)
    return try ShotPlan(milliseconds.map { Rational($0, 1000) ?? .one }, selection, limits: Limits())
  }

  @Test(
    "frames come in the order of the mode; each turn shows a frame once",
    arguments: [
      (FrameSelection.Order.loop, [0, 1, 2, 3]), (.once, [0, 1, 2, 3]), (.autoReverse, [0, 1, 2, 3, 2, 1]),
      (.repeated(2), [0, 1, 2, 3, 0, 1, 2, 3]), (.repeatedBack(2), [0, 1, 2, 3, 2, 1, 0, 1, 2, 3, 2, 1]),
    ])
  func order(_ mode: FrameSelection.Order, _ expected: [Int]) throws {
    let plan = try Self.plan([40, 40, 40, 40]) { $0.order = mode }
    #expect(plan.shots.map(\.frame) == expected)
    #expect(plan.timeBase == Rational(1, 25) && plan.shots.allSatisfy { $0.ticks == 1 })
  }

  @Test(
    "at a constant rate, each picture comes when and as long as before, and no picture is quicker than a screen",
    arguments: [
      ([100, 100, 700], [0, 1, 2, 2, 2, 2, 2, 2, 2], (1, 10)), ([40, 40], [0, 1], (1, 25)),
      // Steps of 10 ms would be too quick.
      ([30, 40, 30], [0, 0, 1, 1, 2, 2], (1, 60)), ([20, 30], [0, 1, 1], (1, 60)),
    ])
  func even(_ milliseconds: [Int64], _ frames: [Int], _ step: (Int64, Int64)) throws {
    let plan = try Self.plan(milliseconds).even(Limits())
    #expect(plan.shots.map(\.frame) == frames && plan.shots.allSatisfy { $0.ticks == 1 })
    #expect(plan.timeBase == Rational(step.0, step.1))
    #expect(abs(plan.durationSeconds - Double(milliseconds.reduce(0, +)) / 1000) < 1e-9)
  }

  @Test func `one frame and two frames turn around as well`() throws {
    #expect(try Self.plan([40]) { $0.order = .autoReverse }.shots.map(\.frame) == [0])
    #expect(try Self.plan([40, 40]) { $0.order = .autoReverse }.shots.map(\.frame) == [0, 1])
  }

  @Test func `every frame keeps its own time, whatever the order and the speed`() throws {
    let plan = try Self.plan([100, 30, 70]) { $0.order = .autoReverse }
    #expect(plan.shots.map(\.ticks) == [9000, 2700, 6300, 2700])
    #expect(plan.timeBase == Rational(1, 90_000))
    let slow = try Self.plan([100, 30, 70]) { $0.speed = Rational(1, 2) ?? .one }
    #expect(slow.durationSeconds == 0.4 && slow.rate == Rational(15, 2))
  }

  @Test func `a rate shows what is there at the start of each frame`() throws {
    let plan = try Self.plan([100, 50, 150]) { $0.rate = Rational(20) }
    #expect(plan.shots.map(\.frame) == [0, 0, 1, 2, 2, 2])
    #expect(plan.timeBase == Rational(1, 20) && plan.loweredRate == nil)
  }

  @Test func `more than 60 frames a second become every second one, or 60 where the rate varies`() throws {
    let steady = try Self.plan([Int64](repeating: 10, count: 10))
    #expect(steady.loweredRate == Rational(50))
    #expect(steady.shots.map(\.frame) == [0, 2, 4, 6, 8])
    let varying = try Self.plan([10, 40, 50])
    #expect(varying.loweredRate == Rational(60) && varying.shots.count == 6)
    #expect(try Self.plan([20, 20]).loweredRate == nil)
  }

  @Test func `a range is counted in frames, parts and seconds`() throws {
    let times = [Int64](repeating: 100, count: 10)
    #expect(try Self.plan(times) { ($0.start, $0.end) = (.frame(2), .frame(5)) }.frames == 2..<5)
    #expect(try Self.plan(times) { ($0.start, $0.end) = (.progress(0.2), .progress(1)) }.frames == 2..<10)
    #expect(try Self.plan(times) { ($0.start, $0.end) = (.seconds(0.3), .seconds(0.75)) }.frames == 3..<8)
    let error = #expect(throws: InspectionError.self) { try Self.plan(times) { ($0.start, $0.end) = (.frame(5), .frame(5)) } }
    #expect(error?.code == .noFrames)
    #expect(try Self.plan(times) { $0.end = .frame(11) }.frames == 0..<10)
    let missing = #expect(throws: InspectionError.self) { try Self.plan(times) { ($0.end, $0.adapts) = (.frame(11), false) } }
    #expect(missing?.code == .notCopied)
  }

  @Test func `a video beyond a limit is refused before anything is listed`() {
    let many = #expect(throws: InspectionError.self) { try Self.plan([40, 40]) { $0.order = .repeated(.max) } }
    #expect(many?.code == .tooManyFrames)
    #expect(refusal { try Self.plan([500_000, 500_000]) }?.code == .tooLong)
  }

  @Test(
    "pictures of another shape are placed as the mode states",
    arguments: [
      (Drawing.ContentMode.fit, PixelSize(width: 100, height: 50), 0, 25), (.fill, PixelSize(width: 200, height: 100), -50, 0),
      (.stretch, PixelSize(width: 100, height: 100), 0, 0), (.center, PixelSize(width: 40, height: 20), 30, 40),
      (.topLeft, PixelSize(width: 40, height: 20), 0, 0), (.bottomRight, PixelSize(width: 40, height: 20), 60, 80),
      (.right, PixelSize(width: 40, height: 20), 60, 40),
    ])
  func places(_ mode: Drawing.ContentMode, _ size: PixelSize, _ x: Int, _ y: Int) {
    let place = PicturePlace(of: PixelSize(width: 40, height: 20), on: PixelSize(width: 100, height: 100), mode)
    #expect(place.size == size && place.x == x && place.y == y)
  }

  @Test func `a picture is cut off at the canvas, and its holes show the background`() throws {
    let red: [UInt8] = [255, 0, 0, 255]
    let hole: [UInt8] = [9, 9, 9, 0]
    let picture = PixelImage(size: PixelSize(width: 2, height: 2), channels: .rgba, bytes: red + hole + hole + red)
    var drawing = Drawing()
    drawing.contentMode = .right
    drawing.background = PixelColor(red: 1, green: 2, blue: 3)
    let size = PixelSize(width: 4, height: 2)
    let made = try Encoding(form: .drawn(drawing), size: size).prepared(picture, drawing, on: size)
    let (r, b): ([UInt8], [UInt8]) = ([255, 0, 0], [1, 2, 3])
    #expect(made.isTransparent && made.image.bytes == b + b + r + b + b + b + b + r)
    let cut = made.image.placed(on: PixelSize(width: 2, height: 1), x: -2, y: -1, background: .black)
    #expect(cut.bytes == b + r)
  }

  @Test func `a part of a drawing is the same part at the size that it is drawn at`() throws {
    var drawing = Drawing()
    drawing.contentMode = .stretch
    let size = PixelSize(width: 40, height: 40)
    let part = CropArea(x: 10, y: 0, width: 20, height: 20)
    let encoding = Encoding(form: .drawn(drawing), area: .part(part, of: PixelSize(width: 30, height: 20)), size: size)
    let drawn = encoding.drawnSize(of: PixelSize(width: 30, height: 20))
    #expect(drawn == PixelSize(width: 60, height: 40))
    // Columns count from 0: the part begins with the 20th.
    let picture = PixelImage(drawn.width, drawn.height, .rgba) { x, _ in [UInt8(x), 0, 0, 255] }
    let made = try encoding.prepared(picture, drawing, on: size).image
    #expect(made.size == size && made.bytes.first == 20)
  }
}
