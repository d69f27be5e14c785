@testable import ArtworkMedia

/// The first and last frames, by the quick way and by decoding everything, against `ffmpeg -f framemd5`.
@Suite struct FrameReaderTests {
  struct Ends: Equatable {
    var count: Int
    var first: [String]
    var last: [String]
  }

  /// The frames that a reader returned.
  struct Taken {
    var decoded: DecodedFrames
    /// Digests by the numbers of the frames, of those that came since the first one did.
    var frames: [Int: String] = [:]
    /// In the order in which they came.
    var numbers: [Int] = []

    func ends(_ endCount: Int) -> Ends {
      let each = min(endCount, decoded.count)
      return Ends(
        count: decoded.count, first: (0..<each).map { frames[$0] ?? "none" },
        last: (decoded.count - each..<decoded.count).map { frames[$0] ?? "none" })
    }
  }

  /// Reads the ends, then the frames that `ask` requests.
  static func read(
    _ path: FilePath, everything: Bool = false, endCount: Int = 3, glimpse: ([Int]) -> Set<Int> = { _ in [] },
    ask: ([Int]) throws(InspectionError) -> FrameRequest = { _ in .nothing }
  ) throws -> Taken {
    try LogCapture.scope {
      let input = try InputFile.open(path)
      let demuxer = try Demuxer.open(input)
      let stream = try unsafe demuxer.selectVideo()
      let table = try unsafe PacketTable(scanning: demuxer, stream: stream)
      var frames: [Int: String] = [:]
      var numbers: [Int] = []
      let decoded = try unsafe FrameReader(endCount: endCount).read(
        demuxer: demuxer, stream: stream, table: table, everyFrame: everything,
        take: { frame, _, place throws(InspectionError) in
          if place.number == 0 { (frames, numbers) = ([:], []) }
          frames[place.number] = frame.md5() ?? "no digest"
          numbers.append(place.number)
        }, glimpse: glimpse, ask: ask)
      return Taken(decoded: decoded, frames: frames, numbers: numbers)
    }
  }

  /// Digests of the end frames, read as the inspector reads them.
  static func digests(_ path: FilePath, everything: Bool = false, endCount: Int = 3) throws -> (
    ends: Ends, fallback: Inspection.FullDecode?, packetsDecoded: Int
  ) {
    let taken = try read(path, everything: everything, endCount: endCount)
    return (taken.ends(endCount), taken.decoded.fallback, taken.decoded.packetsDecoded)
  }

  @Test(arguments: Fixture.decodable)
  func `the quick way gives the frames that a full ffmpeg decode gives`(fixture: Fixture) throws {
    let expected = try #require(fixture.facts.frameMD5)
    let read = try Self.digests(fixture.path).ends
    #expect(read == Ends(count: expected.count, first: expected.first, last: expected.last))
  }

  @Test(
    "decoding everything gives the same frames, in longer windows too, of which a short clip holds all frames",
    arguments: Fixture.decodable)
  func windows(fixture: Fixture) throws {
    for endCount in [1, 3, 8, 16] {
      let quick = try Self.digests(fixture.path, endCount: endCount).ends
      #expect(quick == (try Self.digests(fixture.path, everything: true, endCount: endCount).ends))
      #expect(quick.last.count == min(endCount, quick.count))
    }
  }

  @Test(
    .enabled(if: RealMedia.isPresent, RealMedia.absence),
    arguments: Nightly.some(
      6, of: RealMedia.all.filter { $0.facts.framemd5_first != nil && (Nightly.isOn || $0.size < 1_000_000) }))
  func `real files give the frames that ffmpeg gives`(media: RealMedia) throws {
    let read = try Self.digests(media.path).ends
    #expect(read.count == media.facts.framemd5_count)
    #expect(read.first.first == media.facts.framemd5_first)
    #expect(read.last.last == media.facts.framemd5_last)
  }

  @Test func `a full decode finds the reorder depth that neither stream nor container states`() throws {
    let folder = try TemporaryFolder()
    let source = Fixture.named("h264-no-restriction.mp4")
    let remuxed = folder.url("remuxed.mkv")
    try run("ffmpeg", ["-v", "error", "-i", source.url.path, "-c", "copy", remuxed.path])
    let expected = try #require(source.facts.frameMD5)
    for everything in [false, true] {
      let ends = try Self.digests(FilePath(remuxed.path), everything: everything).ends
      #expect(ends == Ends(count: expected.count, first: expected.first, last: expected.last))
    }
  }

  @Test(arguments: [
    ("h264-closed-gop.mp4", 0.5), ("h264-pyramid.mp4", 0.75), ("h264-open-gop.mp4", 0.75), ("hevc-open-gop.mp4", 0.75),
  ])
  func `nothing that is not needed is decoded`(file: String, atMost share: Double) throws {
    let fixture = Fixture.named(file)
    let read = try Self.digests(fixture.path)
    #expect(read.fallback == nil)
    #expect(Double(read.packetsDecoded) <= share * Double(read.ends.count))
  }

  /// Fixtures with a few groups of pictures, open and closed, and with pyramids of B frames.
  static let groups = [
    "h264-closed-gop.mp4", "h264-open-gop.mp4", "hevc-open-gop.mp4", "h264-pyramid.mp4", "codec-vp9.webm", "codec-av1.mp4",
  ]

  @Test(arguments: groups)
  func `frames that are asked for later are those of a full decode`(file: String) throws {
    let path = Fixture.named(file).path
    let all = try Self.read(path, everything: true)
    let count = all.decoded.count
    for wanted in [[count / 2], [count / 3, count / 3 + 1, 2 * count / 3], Array(0..<count)] {
      var requests = [FrameRequest.frames(Set(wanted)), .nothing]
      let read = try Self.read(
        path,
        ask: { order in
          #expect(order.count == count)
          return requests.removeFirst()
        })
      // Frames returned on the way are correct, too.
      for (number, digest) in read.frames { #expect(digest == all.frames[number]) }
      #expect(Set(wanted + [0, 1, 2, count - 3, count - 2, count - 1]).isSubset(of: read.frames.keys))
      // A decoder of FFmpeg 5 that is drained gives up at a frame that it suppresses, and everything is decoded. Not so
      // in 7.1.
      let givesUp = FFmpegVersion.text.hasPrefix("5.") && file == "h264-open-gop.mp4" && wanted.count == 3
      #expect((read.decoded.fallback != nil) == givesUp, "\(wanted) \(read.decoded.fallback?.rawValue ?? "")")
      #expect(requests.isEmpty != givesUp)
      if givesUp {
        #expect(read.frames.count == count, "every frame is there all the same")
        continue
      }
      // Requested frames came when they were requested, even if they had come before.
      #expect(read.numbers.suffix(wanted.count).sorted() == wanted || wanted.count < count)
      #expect(read.numbers.count <= read.frames.count + wanted.count)
      #expect(read.numbers.first == 0)
    }
  }

  @Test(arguments: ["h264-closed-gop.mp4"])
  func `a request costs at most the groups that hold the frames`(file: String) throws {
    let path = Fixture.named(file).path
    let table = try PacketTableTests.scanned(path, withoutData: false)
    let order = try #require(table.presentationOrder)
    let keys = table.packets.indices.filter { table.packets[$0].isKey }
    #expect(keys.count >= 2)
    let ends = try Self.read(path).decoded.packetsDecoded
    for number in order.indices {
      let start = try #require(keys.last { $0 <= order[number] })
      let end = keys.first { $0 > order[number] } ?? table.packets.count
      var requests = [FrameRequest.frames([number]), .nothing]
      let read = try Self.read(path, ask: { _ in requests.removeFirst() })
      #expect(read.decoded.packetsDecoded <= ends + end - start)
    }
  }

  @Test func `a request for frames that are passed costs nothing if it was made before`() throws {
    // Of 48 frames in one GOP, non-reference B-frames are skipped unless they are wanted.
    let path = Fixture.named("good-1x1-2s.mp4").path
    let table = try PacketTableTests.scanned(path, withoutData: false)
    #expect(table.packets.count { $0.isKey } == 1 && table.packets.count == 48)
    let plain = try Self.read(path)
    let glimpsed = try Self.read(path, glimpse: { Set($0.indices) })
    #expect(glimpsed.decoded.packetsDecoded == 48)
    #expect(glimpsed.numbers == Array(0..<48))
    #expect(plain.decoded.packetsDecoded <= 48)
    #expect(Set(plain.numbers).count == plain.numbers.count, "no frame comes twice")
  }

  @Test func `whoever asks for every frame gets them from the first on, once`() throws {
    let path = Fixture.named("h264-closed-gop.mp4").path
    let read = try Self.read(path, ask: { _ in .everyFrame })
    #expect(read.decoded.fallback == .requested)
    #expect(read.numbers == Array(0..<read.decoded.count))
  }

  @Test func `a full decode does not ask`() throws {
    let path = Fixture.named("h264-closed-gop.mp4").path
    let read = try Self.read(
      path, everything: true,
      ask: { _ in
        Issue.record("every frame was taken")
        return .nothing
      })
    #expect(read.numbers == Array(0..<read.decoded.count))
  }
}
