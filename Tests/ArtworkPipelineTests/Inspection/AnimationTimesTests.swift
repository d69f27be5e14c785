@testable import ArtworkMedia

/// The times of animated pictures, and how often they play, with files that are changed at known bytes.
@Suite struct AnimationTimesTests {
  /// `image-anim.gif` with the delay of each picture in hundredths of a second; `nil` drops its control extension.
  private static func gif(_ delay: (_ number: Int, _ count: Int) -> Int?) throws -> [UInt8] {
    let bytes = [UInt8](try Data(contentsOf: Fixture.named("image-anim.gif").url))
    let controls = bytes.indices.dropLast(8).filter {
      bytes[$0] == 0x21 && bytes[$0 + 1] == 0xf9 && bytes[$0 + 2] == 4 && bytes[$0 + 7] == 0
        && [0x21, 0x2c].contains(bytes[$0 + 8])
    }
    var changed = bytes
    for (number, start) in controls.enumerated().reversed() {
      if let delay = delay(number, controls.count) {
        changed.replaceSubrange(start + 4..<start + 6, with: [UInt8(delay & 255), UInt8(delay >> 8)])
      } else {
        changed.removeSubrange(start..<start + 8)
      }
    }
    return changed
  }

  private static func facts(_ bytes: [UInt8], _ name: String) throws -> MediaFacts {
    let folder = try TemporaryFolder()
    try Data(bytes).write(to: folder.url(name))
    return try Inspector().inspect(folder.path(name)).inspection.facts
  }

  @Test func `a GIF that rests at its end keeps the rest in a video, where it is no gap`() throws {
    let folder = try TemporaryFolder()
    let bytes = try Self.gif { number, count in number == count - 1 ? 200 : 10 }
    try Data(bytes).write(to: folder.url("a.gif"))
    let input = try InputFile.open(folder.path("a.gif"))
    var recipe = Recipe(drawing: Drawing(), size: PixelSize(width: 64, height: 64))
    recipe.frames.adapts = true
    for container in [MovieContainer.mp4, .mov] {
      recipe.container = container
      let made = try recipe.make(from: input, limits: Limits()) { _, _ in }
      let name = "a.\(container.rawValue)"
      try Data(made.bytes).write(to: folder.url(name))
      let seconds = try folder.ffprobe(name, "packet=duration_time").compactMap { Double($0) }
      #expect(seconds.last == 2 && seconds.dropLast().allSatisfy { $0 == 0.1 }, "\(seconds)")
      let inspection = try Inspector().inspect(folder.path(name)).inspection
      #expect(inspection.facts.restsAtEnd == true)
      let found = Rules.judge(inspection, key: .square, profile: .nowPlaying).findings
      #expect(!found.contains { $0.rule == "loop-gap" })
    }
  }

  @Test func `pictures without a control extension last a tenth of a second, as in browsers`() throws {
    for missing in [0, 1, -1] {
      let bytes = try Self.gif { number, count in number == (missing + count) % count ? nil : 20 }
      let facts = try Self.facts(bytes, "a.gif")
      let wanted = 0.2 * Double(facts.frameCount - 1) + 0.1
      #expect(abs(facts.durationSeconds - wanted) < 0.001, "\(missing): \(facts.durationSeconds)")
      #expect(abs((facts.lastFrameSeconds ?? 0) - (missing == -1 ? 0.1 : 0.2)) < 0.001)
    }
  }

  @Test func `how often a picture plays is a fact, and a copy without end has the same pictures`() throws {
    func bytes(_ name: String) throws -> [UInt8] { [UInt8](try Data(contentsOf: Fixture.named(name).url)) }
    func place(_ text: String, in bytes: [UInt8]) -> Int? { bytes.indices.first { bytes[$0...].starts(with: text.utf8) } }
    var gif = try bytes("image-anim.gif")
    let netscape = try #require(place("NETSCAPE", in: gif))
    gif[netscape + 13] = 2
    var webp = try bytes("image-anim.webp")
    let anim = try #require(place("ANIM", in: webp))
    webp[anim + 12] = 2
    var once = gif
    once.removeSubrange(netscape - 3..<netscape + 16)
    let cases: [([UInt8], FileFormat, Int)] = [(gif, .gif, 3), (once, .gif, 1), (webp, .webp, 2)]
    let folder = try TemporaryFolder()
    for (number, (bytes, format, count)) in cases.enumerated() where format.isAvailable {
      let name = "\(number).\(format.rawValue)"
      try Data(bytes).write(to: folder.url(name))
      let (before, _) = try Inspector().inspect(folder.path(name), everyFrame: true)
      #expect(before.facts.playCount == count, "\(name)")
      let found = Rules.judge(before, key: .square, profile: .navidrome).findings
      #expect(found.first { $0.rule == "play-count" }?.measured == "\(count)")
      let copy = try #require(try EndlessCopy.of(InputFile.open(folder.path(name)), as: format, limits: Limits()))
      try Data(copy).write(to: folder.url("copy-\(name)"))
      let (after, _) = try Inspector().inspect(folder.path("copy-\(name)"), everyFrame: true)
      #expect(after.facts.playCount == nil)
      #expect(after.firstFrame == before.firstFrame && after.seam == before.seam)
      #expect(after.facts.durationSeconds == before.facts.durationSeconds)
    }
  }

  @Test func `pictures are turned and mirrored as HEIF says: back by quarters, then about an axis`() {
    func orientation(_ turns: Int, _ axis: Int?) -> Orientation {
      Orientation(displayMatrix: Orientation.matrix(quarterTurnsBack: turns, mirroring: axis))
    }
    #expect((0..<4).map { orientation($0, nil).clockwiseRotation } == [0, 270, 180, 90])
    let flipped = orientation(0, 0)
    #expect(flipped.isMirrored && (flipped.a, flipped.d) == (1, -1))
    let mirrored = orientation(0, 1)
    #expect(mirrored.isMirrored && (mirrored.a, mirrored.d) == (-1, 1))
  }
}
