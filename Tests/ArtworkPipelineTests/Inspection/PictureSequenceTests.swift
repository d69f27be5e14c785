import Synchronization

@testable import ArtworkMedia
@testable import ArtworkPipeline

@Suite struct PictureSequenceTests {
  /// Every frame at its own size.
  private struct Collector: FrameReducer {
    let endCount = 1
    var pictures: [PixelImage] = []

    mutating func reduce(_ frame: borrowing some SourceFrame & ~Copyable, at place: FramePlace) throws(InspectionError) {
      pictures.append(try frame.picture { $0 })
    }
  }

  /// A fixture's frames as pictures, each with the duration that it has in the video.
  static func sequence(_ fixture: Fixture) throws -> PictureSequence { try sequence(fixture.path) }

  static func sequence(_ file: FilePath) throws -> PictureSequence {
    let input = try InputFile.open(file)
    return try input.withClip(limits: Limits()) { clip throws(InspectionError) in
      var collector = Collector()
      let read = try clip.readFrames(everyFrame: true, into: &collector)
      let clock = read.clock
      // Containers may leave the last duration out.
      let last = clock.lastDuration > 0 ? clock.lastDuration : max(1, clock.medianStep)
      let ends = clock.timestamps.dropFirst() + [(clock.timestamps.last ?? 0) + last]
      let durations = zip(clock.timestamps, ends).map { Rational($1 - $0).multiplied(by: clock.timeBase) ?? .one }
      return try PictureSequence(collector.pictures, durations: durations)
    }
  }

  static let looping = ["good-1x1.mp4", "loop-seamless-fast.mp4", "loop-seamless-slow.mp4"]
  static let others = ["loop-jump.mp4", "loop-held.mp4", "loop-static.mp4", "loop-fade-in.mp4", "loop-fade-out.mp4"]

  @Test(arguments: looping + others + ["good-3x4.mp4", "rotate-90.mp4"])
  func `the preview has the same pixels`(file: String) throws {
    let fixture = Fixture.named(file)
    let video = try Inspector().inspect(fixture.path, preview: .original)
    #expect(try Inspector().inspect(try Self.sequence(fixture), preview: .original).preview == video.preview)
  }

  /// Luma survives 8-bit RGB: rounding moves Y' by at most 219/255 of half a code value, which is less than half, so
  /// that it rounds back to where it was. Only colours that RGB cannot hold are clipped.
  static let lumaTolerance = 0.01
  /// Chroma is interpolated to full size and rounded, which moves a sample by a third of a code value (root mean
  /// square; at most 0.94) and the mean of the nine samples of a cell by a ninth. A step compares two frames and
  /// counts chroma half: 0.08.
  static let stepTolerance = 0.1

  @Test(
    "the seam measures the same within what 8-bit RGB rounds, and is judged the same", arguments: looping + others,
    [false, true])
  func seam(file: String, everyFrame: Bool) throws {
    let fixture = Fixture.named(file)
    let video = try Inspector().inspect(fixture.path, everyFrame: everyFrame).inspection
    let pictures = try Inspector().inspect(try Self.sequence(fixture), everyFrame: everyFrame).inspection
    let (a, b) = (try #require(video.seam), try #require(pictures.seam))
    #expect(a.window == b.window)
    #expect(!everyFrame || a.scope == .everyFrame && b.scope == .everyFrame)
    #expect(abs(a.seamStep - b.seamStep) <= Self.stepTolerance)
    #expect(a.headSteps.count == b.headSteps.count && a.tailSteps.count == b.tailSteps.count)
    for (one, other) in zip(a.headSteps + a.tailSteps, b.headSteps + b.tailSteps) {
      #expect(abs(one - other) <= Self.stepTolerance)
    }
    for (one, other) in zip(a.headLuma + a.tailLuma, b.headLuma + b.tailLuma) {
      #expect(abs(one - other) <= Self.lumaTolerance)
    }
    #expect(Rules.seam(of: pictures, profile: .nowPlaying)?.verdict == Rules.seam(of: video, profile: .nowPlaying)?.verdict)
  }

  @Test(arguments: [
    "look-flash.mp4", "look-flash-three.mp4", "look-letterbox.mp4", "look-framed.mp4", "look-blank-first.mp4", "good-1x1.mp4",
  ])
  func `flashes, borders and the first frame are found as in the video`(file: String) throws {
    let fixture = Fixture.named(file)
    func findings(_ inspection: Inspection) -> [String] {
      Rules.judge(inspection, key: .square, profile: .web).findings.map(\.rule).filter(
        ["flash", "letterbox", "blank-first-frame", "fade"].contains)
    }
    let video = try Inspector().inspect(fixture.path, everyFrame: true).inspection
    let pictures = try Inspector().inspect(try Self.sequence(fixture), everyFrame: true).inspection
    #expect(findings(pictures) == findings(video))
    let (a, b) = (try #require(video.looks), try #require(pictures.looks))
    #expect(a.scope == b.scope && a.flash?.general?.flashes == b.flash?.general?.flashes)
    for side in [\Borders.top, \.bottom, \.left, \.right] {
      let depths = [a, b].map { $0.borders?[keyPath: side].depth ?? -1 }
      #expect(abs(depths[0] - depths[1]) <= 1 && depths[1] >= 0)
    }
    // Black borders hold coding noise below black, which RGB cuts off: an eighth of a code value in the mean.
    #expect(abs(a.firstFrame.luma - b.firstFrame.luma) <= 0.2)
  }

  @Test(arguments: ["good-3x4.mp4", "rate-30000-1001.mp4", "vfr-one-drop.mp4", "frames-1.mp4"])
  func `sizes and times are facts as of the video`(file: String) throws {
    let fixture = Fixture.named(file)
    let video = try Inspector().inspect(fixture.path).inspection.facts
    let pictures = try Inspector().inspect(try Self.sequence(fixture)).inspection.facts
    #expect(pictures.container == "pictures" && pictures.codec == "rawvideo")
    #expect(pictures.displayDescription == video.displayDescription)
    #expect(pictures.displayAspectRatio == video.displayAspectRatio)
    #expect(pictures.frameCount == video.frameCount)
    #expect(pictures.frameRateRatio == video.frameRateRatio)
    #expect(pictures.frameRateMode == video.frameRateMode)
    #expect(abs(pictures.durationSeconds - video.durationSeconds) < 1e-4)
  }

  /// A picture of one colour that differs from number to number.
  private static func plain(_ number: Int, size: PixelSize = PixelSize(width: 20, height: 10)) -> PixelImage {
    PixelImage(size.width, size.height, .rgba) { _, _ in [UInt8(40 + 5 * number), 90, 200, 255] }
  }

  /// Stripes that move by two pixels a picture; they may fade in.
  private static func stripes(_ number: Int, fadesIn: Bool) -> PixelImage {
    let contrast = fadesIn ? min(150, 20 * number) : 150
    return PixelImage(60, 20, .rgba) { x, _ in
      let grey = UInt8((x + 2 * number) % 30 < 15 ? 200 - contrast : 200)
      return [grey, grey, grey, 255]
    }
  }

  @Test(
    "pictures between the ends are only drawn where a question is left, and few of them twice",
    arguments: [
      // A loop, a fade,  all pictures, and fewer than there are at the ends.
      (30, false, false, 16), (30, true, false, 30), (30, false, true, 30), (5, false, false, 5),
    ])
  func lazy(count: Int, fadesIn: Bool, everyFrame: Bool, drawn: Int) throws {
    let asked = Mutex<[Int]>([])
    let sequence = try PictureSequence(
      size: PixelSize(width: 60, height: 20), durations: Array(repeating: Rational(1, 25) ?? .one, count: count)
    ) { number in
      asked.withLock { $0.append(number) }
      return Self.stripes(number, fadesIn: fadesIn)
    }
    let seen = try Inspector().inspect(sequence, everyFrame: everyFrame).inspection
    let numbers = asked.withLock { $0 }
    #expect(numbers.first == 0 && Set(numbers).count == drawn, "\(numbers)")
    // The steps beside pictures that were let go take these once more.
    #expect(numbers.count <= drawn + (fadesIn ? 4 : 0), "\(numbers)")
    #expect(seen.decoding.packetsDecoded == drawn && seen.facts.frameCount == count)
    #expect(seen.facts.hasAlpha && seen.facts.frameRateRatio == Rational(25))
    #expect(seen.seam?.scope == (drawn == count ? .everyFrame : .ends))
  }

  @Test func `a preview alone needs the first picture and, for the facts, the last`() throws {
    let asked = Mutex<Set<Int>>([])
    let sequence = try PictureSequence(
      size: PixelSize(width: 60, height: 20), durations: Array(repeating: Rational(1, 25) ?? .one, count: 30)
    ) { number in
      _ = asked.withLock { $0.insert(number) }
      return Self.stripes(number, fadesIn: true)
    }
    let found = try Inspector().examination(at: sequence, InspectionRequest(preview: .original, onlyPreview: true))
    #expect(asked.withLock { $0 } == [0, 29])
    #expect(found.preview == Self.stripes(0, fadesIn: true))
    #expect(found.inspection.seam == nil)
    #expect(found.inspection.facts.frameCount == 30)
  }

  @Test("a smaller preview keeps colours and transparency")
  func fitted() throws {
    let pixel: [UInt8] = [200, 30, 90, 128]
    let image = PixelImage(40, 20, .rgba) { _, _ in pixel }
    let sequence = try PictureSequence([image], durations: [.one])
    let small = try #require(try Inspector().inspect(sequence, preview: .fitted(PixelSize(width: 10, height: 10))).preview)
    #expect(small.size == PixelSize(width: 10, height: 5))
    #expect(zip(small.bytes, (0..<50).flatMap { _ in pixel }).allSatisfy { abs(Int($0) - Int($1)) <= 1 })
  }

  @Test func `times are exact for every rate that pictures are exported at`() throws {
    for (numerator, denominator) in [(1, 24), (1001, 24000), (1001, 30000), (1, 60), (7, 100)] {
      let duration = try #require(Rational(Int64(numerator), Int64(denominator)))
      let clock = PictureSequence.Clock([duration, duration, duration])
      #expect(clock.timeBase.multiplied(by: Rational(clock.timestamps[2])) == duration.multiplied(by: Rational(2)))
      #expect(clock.timeBase.multiplied(by: Rational(clock.lastDuration)) == duration)
    }
    // No common clock is fine enough: rounded to microseconds.
    let odd = [Rational(1, 999_983), Rational(1, 7), Rational(1, 3)].compactMap(\.self)
    let clock = PictureSequence.Clock(odd)
    #expect(clock.timeBase == Rational(1, 1_000_000))
    #expect(clock.timestamps == [0, 1, 142_858] && clock.lastDuration == 333_333)
  }

  @Test func `a sequence that is no clip, and one beyond a limit, are refused with a code`() throws {
    let size = PixelSize(width: 20, height: 10)
    func code(_ inspector: Inspector = Inspector(), _ make: () throws -> PictureSequence) -> InspectionError.Code? {
      refusal { try inspector.inspect(try make()) }?.code
    }
    func two(_ durations: [Rational] = [.one, .one], second: PixelSize? = nil) -> () throws -> PictureSequence {
      { try PictureSequence([Self.plain(0), Self.plain(1, size: second ?? size)], durations: durations) }
    }
    #expect(code(Inspector(), two()) == nil)
    #expect(code { try PictureSequence([], durations: []) } == .noFrames)
    #expect(code(Inspector(), two([.one, Rational(0)])) == .decodeFailed)
    #expect(code(Inspector(), two(second: size.transposed)) == .decodeFailed)
    #expect(
      code { try PictureSequence(size: size, durations: [.one]) { Self.plain($0, size: size.transposed) } } == .decodeFailed)
    var limits = Limits()
    limits.pixels = 199
    #expect(code(Inspector(limits: limits), two()) == .tooLarge)
    limits = Limits()
    limits.frames = 1
    #expect(code(Inspector(limits: limits), two()) == .tooManyFrames)
    limits = Limits()
    limits.durationSeconds = 1.5
    #expect(code(Inspector(limits: limits), two()) == .tooLong)
    #expect(code(Inspector(), two([.one, Rational(.max)])) == .tooLong)
  }
}
