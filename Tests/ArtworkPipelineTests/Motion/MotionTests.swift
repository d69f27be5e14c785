@testable import ArtworkMeasuring

@Suite struct MotionTests {
  /// A picture with edges, slopes, black and white.
  private static func cover() -> PixelImage {
    PixelImage(60, 45) { x, y in
      let inside = (x - 35) * (x - 35) + (y - 20) * (y - 20) < 120
      return [inside ? 255 : UInt8(x * 4), inside ? 255 : UInt8(y * 4), x < 10 ? 0 : UInt8((x * 7 + y * 3) % 200)]
    }
  }

  /// The mean difference of two pictures in code values, at every seventh sample, which takes all channels in turn.
  private static func difference(_ one: PixelImage, _ other: PixelImage) -> Double {
    let samples = stride(from: 0, to: one.bytes.count, by: 7)
    return samples.reduce(0) { $0 + Double(abs(Int(one.bytes[$1]) - Int(other.bytes[$1]))) } * 7 / Double(one.bytes.count)
  }

  @Test(arguments: Motion.Kind.allCases)
  func `the first picture is the cover, the end is the begin, and no step is as large as a jump`(kind: Motion.Kind) throws {
    // Parallax needs a subject.
    let cover = kind == .parallax ? Self.portrait() : Self.cover()
    let motion = Motion(kind, seconds: 4)
    let clip = try PictureSequence(setting: cover, in: motion)
    #expect(clip.durations == Array(repeating: try #require(Rational(1, 30)), count: 120))
    let pictures = try (0..<120).map(clip.picture)
    #expect(pictures[0] == cover)
    #expect(try Self.difference(motion.effect(on: Self.whole(cover)).picture(at: 1), cover) < 0.01)
    let steps = (0..<120).map { Self.difference(pictures[$0], pictures[($0 + 1) % 120]) }
    let inside = try #require(steps.dropLast().max())
    #expect(inside > 0.05, "something moves")
    #expect(steps[119] <= inside)
    #expect(inside < 6, "gentle: \(inside)")
    let again = try PictureSequence(setting: cover, in: motion).picture(31)
    #expect(again == pictures[31], "any picture can be drawn again")
  }

  @Test func `speed is continuous all around the curve, and the view never leaves the picture`() {
    for path in [
      MotionPath(depth: 0.06, direction: 1), MotionPath(depth: 0.04, turn: 0.44),
      MotionPath(depth: 0.1, direction: 4, turn: 0.3),
    ] {
      let count = 2000
      // The middle of the view, in widths of the picture, and its width.
      func place(_ index: Int) -> SIMD3<Double> {
        let view = path.view(at: Double((index + count) % count) / Double(count))
        let room = (1 - 1 / view.zoom) / 2
        #expect(view.zoom >= 1 && abs(view.x) <= 1.0001 && abs(view.y) <= 1.0001)
        return SIMD3(room * view.x, room * view.y, 1 / view.zoom)
      }
      func velocity(_ index: Int) -> SIMD3<Double> { place(index + 1) - place(index) }
      func length(_ vector: SIMD3<Double>) -> Double { (vector * vector).sum().squareRoot() }
      let fastest = (0..<count).map { length(velocity($0)) }.max() ?? 0
      for index in 0..<count {
        // A kink would change it by its own size.
        #expect(length(velocity(index) - velocity(index - 1)) < 0.03 * fastest)
      }
      #expect(path.view(at: 0).zoom == 1 && path.view(at: 1).zoom < 1.000001)
    }
  }

  @Test func `a view lies where it states, to a fraction of a pixel`() throws {
    // A gradient reveals where each pixel comes from.
    let slope = PixelImage(200, 100) { x, y in [UInt8(x), UInt8(2 * y), 128] }
    let drawn = try Self.whole(slope).draw(MotionPath.View(zoom: 1.25, x: 0.5, y: -1))
    for (x, y) in [(20, 20), (100, 50), (150, 70)] {
      let place = (y * 200 + x) * 3
      // 160 of 200 columns, three quarters of the room of 40 to their left; the top rows.
      let across = 30 + (Double(x) + 0.5) * 0.8 - 0.5
      let down = (Double(y) + 0.5) * 0.8 - 0.5
      #expect(abs(Double(drawn.bytes[place]) - across) <= 1)
      #expect(abs(Double(drawn.bytes[place + 1]) - 2 * down) <= 1)
      #expect(drawn.bytes[place + 2] == 128)
    }
  }

  @Test func `light neither clips nor tints: black and white stay within their range, grey stays grey`() throws {
    let grey = PixelImage(64, 64) { _, y in [UInt8](repeating: UInt8(y * 4), count: 3) }
    let clip = try PictureSequence(setting: grey, in: Motion(.light, seconds: 2, strength: 2))
    for number in [7, 20, 41] {
      let picture = try clip.picture(number)
      for pixel in stride(from: 0, to: picture.bytes.count, by: 3) {
        #expect(picture.bytes[pixel] == picture.bytes[pixel + 1])
        #expect(picture.bytes[pixel] == picture.bytes[pixel + 2])
      }
      #expect(picture.bytes[..<192].allSatisfy { $0 == 0 }, "black stays black")
    }
  }

  /// A disc with edges before a soft background.
  private static func portrait(_ side: Int = 256) -> PixelImage {
    PixelImage(side, side) { x, y in
      let (across, down) = (Double(x) / Double(side) - 0.5, Double(y) / Double(side) - 0.55)
      let inside = across * across + down * down < 0.05
      let line = inside && (x / 6 + y / 9).isMultiple(of: 2)
      return inside ? [line ? 250 : 190, line ? 220 : 90, 60] : [UInt8(40 + x / 8), 60, 90]
    }
  }

  private static let noise: PixelImage = {
    var random = Noise(seed: 5)
    return PixelImage(128, 128) { _, _ in (0..<3).map { _ in UInt8(random.next() >> 56) } }
  }()

  private static func whole(_ picture: PixelImage) -> CoverView {
    let size = picture.size
    return CoverView(picture, area: CropArea(x: 0, y: 0, width: size.width, height: size.height), size: size)
  }

  @Test func `parallax moves what is near more, bends nothing visibly, and never leaves the picture`() throws {
    for strength in [0.25, 1, 2] {
      let motion = Motion(.parallax, strength: strength)
      let effect = try #require(try ParallaxEffect(Self.whole(Self.portrait()), motion), "the disc is near")
      let side = DepthMap.side
      for step in 0...24 {
        let places = effect.places(at: Double(step) / 24)
        for node in places.indices {
          let (x, y) = (node % side, node / side)
          let own = SIMD2(Double(x), Double(y)) / Double(side - 1)
          let place = own + places[node]
          #expect(place.x >= -1e-6 && place.x <= 1.000001)
          #expect(place.y >= -1e-6 && place.y <= 1.000001)
          guard x > 0, y > 0 else { continue }
          // Besides the motion of the whole view, neighbours keep their distance: 5 percent at strength 1, and the
          // view's own zoom.
          for other in [node - 1, node - side] {
            let stretch = (places[node] - places[other]) * Double(side - 1)
            #expect(abs(stretch.x) < 0.005 + 0.12 * strength)
            #expect(abs(stretch.y) < 0.005 + 0.12 * strength)
          }
        }
      }
      let most = effect.places(at: 1.0 / 3)
      let (middle, corner) = (most[(side / 2 + 4) * side + side / 2], most[side * 4 + side / 2])
      #expect(abs(middle.x - corner.x) > 0.002 * strength, "the disc moves beside what is behind")
      #expect(effect.places(at: 0).allSatisfy { $0 == .zero })
    }
  }

  @Test func `light darkens no paper, and rests where the loop begins`() throws {
    let paper = PixelImage(64, 64) { x, _ in [UInt8](repeating: x < 32 ? 246 : 120, count: 3) }
    let clip = try PictureSequence(setting: paper, in: Motion(.light, seconds: 4, strength: 2))
    for number in 0..<120 { #expect(try zip(clip.picture(number).bytes, paper.bytes).allSatisfy { $1 != 246 || $0 >= 246 }) }
    let pictures = try [0, 1, 59, 60].map(clip.picture)
    #expect(4 * Self.difference(pictures[0], pictures[1]) < Self.difference(pictures[2], pictures[3]))
  }

  @Test func `what does not suit a drawing on paper is refused, and a motion that works is named`() throws {
    let lines = PixelImage(64, 64) { x, _ in [UInt8](repeating: x % 9 == 3 ? 0 : 240, count: 3) }
    for kind in [Motion.Kind.light, .parallax] {
      let error = try #require(throws: InspectionError.self) { try Motion(kind).effect(on: Self.whole(lines)) }
      #expect(error.code == .videoNotWritten && error.advice == "use --motion breathe")
    }
    #expect(try Motion(.auto).effect(on: Self.whole(lines)).kind == .breathe)
  }

  @Test(arguments: Motion.Kind.allCases)
  func `where nothing would be seen to move, no other motion is advised`(kind: Motion.Kind) throws {
    let grey = PixelImage(64, 64) { _, _ in [128, 128, 128] }
    let error = try #require(throws: InspectionError.self) { try Motion(kind).effect(on: Self.whole(grey)) }
    #expect(error.code == .videoNotWritten && error.advice == "use a cover with more detail")
  }

  @Test func `without a depth that can be measured, parallax is refused, and auto is a drift`() throws {
    let noise = Self.noise
    #expect(throws: InspectionError.self) { try Motion(.parallax).effect(on: Self.whole(noise)) }
    #expect(try Motion(.auto).effect(on: Self.whole(noise)).kind == .drift)
    #expect(try Motion(.parallax).effect(on: Self.whole(Self.portrait())).kind == .parallax)
  }

  @Test func `auto takes a motion that suits every shape of a cover, and differs only if none does`() throws {
    func kind(on view: CoverView, alike shapes: [CoverView]) throws -> Motion.Kind {
      try Motion(.auto).effect(on: view, alike: shapes).kind
    }
    let noise = Self.whole(Self.noise)
    let grey = Self.whole(PixelImage(128, 128) { _, _ in [128, 128, 128] })
    let lines = Self.whole(PixelImage(128, 128) { x, y in [UInt8](repeating: (128 * y + x) % 9 == 3 ? 0 : 240, count: 3) })
    for (shapes, kinds) in [([noise, lines], [Motion.Kind.drift, .drift]), ([lines, noise], [.breathe, .breathe])] {
      #expect(try shapes.map { try kind(on: $0, alike: shapes) } == kinds)
    }
    #expect(try [noise, lines].map { try kind(on: $0, alike: [$0, grey]) } == [.drift, .breathe])
  }

  @Test func `a picture that is not bent is copied`() throws {
    let motion = Motion(.parallax)
    let cover = Self.portrait(101)
    let effect = try #require(try ParallaxEffect(Self.whole(cover), motion))
    #expect(try effect.picture(at: 0) == cover)
    let drawn = try effect.picture(at: 0.4)
    #expect(Self.difference(drawn, cover) > 0.2 && Self.difference(drawn, cover) < 20)
  }
}
