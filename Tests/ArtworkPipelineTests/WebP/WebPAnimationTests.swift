@testable import ArtworkMedia

@Suite(.enabled(if: WebPAnimation.isAvailable, "this build lacks libwebp")) struct WebPAnimationTests {
  private static let (red, green, clear): ([UInt8], [UInt8], [UInt8]) = ([255, 0, 0, 255], [0, 255, 0, 255], [0, 0, 0, 0])

  struct Frame {
    var x = 0
    var size: Int
    var milliseconds: Int
    /// Blended over the canvas instead of replacing it.
    var blends = true
    /// Cleared before the next one.
    var clears = false
    var pixel: [UInt8]
  }

  /// An animation on a canvas of 4x4 pixels (WebP container specification).
  static func file(_ frames: [Frame]) throws -> [UInt8] {
    func number(_ value: Int, _ bytes: Int) -> [UInt8] { (0..<bytes).map { UInt8(value >> (8 * $0) & 255) } }
    func chunk(_ name: String, _ data: [UInt8]) -> [UInt8] {
      Array(name.utf8) + number(data.count, 4) + data + (data.count % 2 == 1 ? [0] : [])
    }
    var body = chunk("VP8X", [0x12, 0, 0, 0] + number(3, 3) + number(3, 3))
    body += chunk("ANIM", [0, 0, 255, 255, 0, 0])
    for frame in frames {
      let still = try WebPEncoder.encode(PixelImage(frame.size, frame.size, .rgba) { _, _ in frame.pixel })
      body += chunk(
        "ANMF",
        number(frame.x / 2, 3) + number(0, 3) + number(frame.size - 1, 3) + number(frame.size - 1, 3)
          + number(frame.milliseconds, 3) + [(frame.blends ? 0 : 2) | (frame.clears ? 1 : 0)] + still.dropFirst(12))
    }
    return Array("RIFF".utf8) + number(body.count + 4, 4) + Array("WEBP".utf8) + body
  }

  private static func rows(_ sequence: WebPAnimation, _ number: Int) throws -> [[UInt8]] {
    let bytes = try sequence.picture(number).bytes
    return (0..<4).map { Array(bytes[$0 * 4..<$0 * 4 + 4]) }
  }

  @Test func `frames are laid over, put in place and cleared as the file states, in any order`() throws {
    let frames = [
      Frame(size: 4, milliseconds: 100, pixel: Self.red), Frame(x: 2, size: 2, milliseconds: 40, pixel: Self.clear),
      Frame(x: 2, size: 2, milliseconds: 50, blends: false, pixel: Self.clear),
      Frame(x: 0, size: 2, milliseconds: 60, clears: true, pixel: Self.green),
      Frame(x: 2, size: 2, milliseconds: 70, pixel: Self.green),
    ]
    let sequence = try WebPAnimation(Self.file(frames), limits: Limits())
    #expect(sequence.layout.canvas == PixelSize(width: 4, height: 4))
    #expect(sequence.durations == [100, 40, 50, 60, 70].compactMap { Rational($0, 1000) })
    // The first row of each.
    let expected = [
      [Self.red, Self.red, Self.red, Self.red], [Self.red, Self.red, Self.red, Self.red],
      [Self.red, Self.red, Self.clear, Self.clear], [Self.green, Self.green, Self.clear, Self.clear],
      [Self.clear, Self.clear, Self.green, Self.green],
    ]
    for number in [0, 1, 2, 3, 4, 2, 0, 4] { #expect(try Self.rows(sequence, number) == expected[number], "picture \(number)") }
  }

  @Test func `0 and 10 ms are shown for 100 ms, and 11 ms for 11`() throws {
    let sequence = try WebPAnimation(
      Self.file([0, 10, 11].map { Frame(size: 4, milliseconds: $0, pixel: Self.red) }), limits: Limits())
    #expect(sequence.durations == [100, 100, 11].compactMap { Rational($0, 1000) })
    #expect(sequence.shortDelays == 2)
  }

  @Test func `an animation that is opaque everywhere has no alpha; one that leaves holes has`() throws {
    func channels(_ frames: [Frame]) throws -> PixelImage.Channels {
      try WebPAnimation(Self.file(frames), limits: Limits()).picture(0).channels
    }
    #expect(try channels([Frame(size: 4, milliseconds: 50, pixel: Self.red)]) == .rgb)
    #expect(try channels([Frame(size: 2, milliseconds: 50, pixel: Self.red)]) == .rgba)
  }

  @Test func `bounds are checked before anything is allocated, and cut files are reported`() throws {
    let good = try Self.file([Frame(size: 4, milliseconds: 50, pixel: Self.red)])
    var large = good
    // 24 bits each for the sides of the canvas, less one.
    for place in 24..<30 { large[place] = 0xfe }
    let tooLarge = #expect(throws: InspectionError.self) { try WebPAnimation(large, limits: Limits()) }
    #expect([.tooLarge, .decodeFailed].contains(tooLarge?.code))
    let cut = #expect(throws: InspectionError.self) { try WebPAnimation(Array(good.dropLast(8)), limits: Limits()) }
    #expect([.truncated, .decodeFailed].contains(cut?.code))
    var few = Limits()
    few.frames = 1
    let many = try Self.file((0..<3).map { _ in Frame(size: 4, milliseconds: 50, pixel: Self.red) })
    #expect(refusal { try WebPAnimation(many, limits: few) }?.code == .tooManyFrames)
  }
}
