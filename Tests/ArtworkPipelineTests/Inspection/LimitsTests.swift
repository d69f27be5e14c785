// By how the compiler groups files, it finds `timespec` here or in Glibc.
import CDispatch
import Dispatch
import Glibc

@testable import ArtworkMedia

@Suite struct LimitsTests {
  typealias Track = SmallMovie.Track

  static func error(_ bytes: [UInt8], limits: Limits = Limits()) throws -> InspectionError? {
    let folder = try TemporaryFolder()
    try Data(bytes).write(to: folder.url("file"))
    return error(folder.path("file"), limits: limits)
  }

  static func error(_ path: FilePath, limits: Limits = Limits()) -> InspectionError? {
    refusal { try Inspector(limits: limits).inspect(path, preview: .original) }
  }

  static let manySamples = [20_001, 1_000_000, 10_000_000, 89_000_000, 0xffff_ffff]

  /// That this thread has used.
  static var processorSeconds: Double {
    var time = timespec()
    unsafe clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }

  @Test(arguments: manySamples)
  func `samples beyond the limit are never indexed`(count: Int) throws {
    let files = [
      SmallMovie.movie(Track(samples: count)), SmallMovie.movie(Track(samples: count, constantSize: 0)),
      SmallMovie.movie(Track(handler: "", samples: count)),
      SmallMovie.movie(Track(handler: "soun", codec: "twos", samples: count, constantSize: 4)),
      SmallMovie.movie(Track(handler: "soun", codec: "twos", samples: count, constantSize: 0)),
      SmallMovie.movie(Track(handler: "meta", samples: count)), SmallMovie.movie(Track(chunks: count)),
      SmallMovie.fragmented(Track(samples: 0, chunks: 0), samples: count),
      // A movie header in what should be free.
      SmallMovie.fileType + SmallMovie.box("free", SmallMovie.header, Track(samples: count).bytes) + SmallMovie.movie(),
    ]
    for (number, bytes) in files.enumerated() {
      #expect(bytes.count < 1000)
      // The time of this thread, which inspects the file: building an index of so many samples would take minutes.
      let start = Self.processorSeconds
      #expect(try Self.error(bytes)?.code == .tooManyFrames, "file \(number)")
      #expect(Self.processorSeconds - start < 1)
    }
  }

  @Test func `long uncompressed sound has tens of millions of samples`() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("long.mov")
    let sound = Track(identifier: 2, handler: "soun", codec: "twos", samples: 28_800_000, constantSize: 4)
    try Data(SmallMovie.movie(Track(), sound)).write(to: folder.url("long.mov"))
    let handle = try FileHandle(forWritingTo: folder.url("long.mov"))
    try handle.truncate(atOffset: 120_000_000)
    #expect(try MovieLayout(reading: InputFile.open(path)).track(2)?.declaredCount == 28_800_000)
    // A tenth of the declared size: not even the most compressed audio is so small.
    try handle.truncate(atOffset: 12_000_000)
    #expect(Self.error(path)?.code == .tooManyFrames)
  }

  @Test(arguments: [65, 900, 1200])
  func `more tracks than the limit are refused wherever they are`(count: Int) throws {
    let tracks = (1...count).flatMap { Track(identifier: $0).bytes }
    for bytes in [
      SmallMovie.fileType + SmallMovie.box("moov", SmallMovie.header, tracks),
      SmallMovie.fileType + tracks + SmallMovie.box("moov", SmallMovie.header),
    ] {
      let error = try Self.error(bytes)
      #expect(error?.code == .tooManyStreams)
      #expect(error?.message.contains("64") == true)
    }
  }

  @Test func `streams beyond the limit are refused in other containers, too`() throws {
    var limits = Limits()
    limits.streams = 1
    let folder = try TemporaryFolder()
    for name in ["two.mkv", "two.avi", "two.ts"] {
      try run(
        "ffmpeg",
        [
          "-v", "error", "-i", Fixture.named("codec-mpeg2.ts").url.path, "-map", "0:v", "-map", "0:v", "-c", "copy",
          folder.url(name).path,
        ])
      #expect(Self.error(folder.path(name), limits: limits)?.code == .tooManyStreams, "\(name)")
      #expect(Self.error(folder.path(name)) == nil)
    }
  }

  @Test func `trees of boxes that no movie needs end the walk`() throws {
    let empty = SmallMovie.box("free")
    var flood: [UInt8] = []
    for _ in 0..<400_000 { flood += empty }
    var nested: [UInt8] = []
    for _ in 0..<2000 { nested = SmallMovie.box("moov", nested) }
    for bytes in [
      SmallMovie.fileType + nested, SmallMovie.fileType + flood,
      SmallMovie.fileType + SmallMovie.box("moov", SmallMovie.header, flood),
      SmallMovie.fileType + SmallMovie.box("moov", SmallMovie.header, SmallMovie.box("udta", flood)),
      SmallMovie.fileType + SmallMovie.box("moov", SmallMovie.box("cmov", [0, 0, 0, 0])),
    ] { #expect(try Self.error(bytes)?.code == .notAMovie) }
  }

  @Test(arguments: ["codec-mpeg2.ts", "image-anim.gif"])
  func `frames are counted where no table does`(file: String) throws {
    let fixture = Fixture.named(file)
    var limits = Limits()
    limits.frames = try #require(fixture.facts.decodedFrames)
    #expect(Self.error(fixture.path, limits: limits) == nil)
    limits.frames -= 1
    #expect(Self.error(fixture.path, limits: limits)?.code == .tooManyFrames)
  }

  @Test func `a duration is that of the frames and not the declared one`() throws {
    var limits = Limits()
    limits.durationSeconds = 2.01
    #expect(Self.error(Fixture.named("good-1x1-2s.mp4").path, limits: limits) == nil)
    limits.durationSeconds = 1.9
    let error = Self.error(Fixture.named("good-1x1-2s.mp4").path, limits: limits)
    #expect(error?.code == .tooLong)
    #expect(error?.message == "the video lasts 2 s (limit 1.9 s)")
    // Declares 143,165 seconds.
    if let real = RealMedia.all.first(where: { $0.name.hasSuffix("sample_fragmented.mp4") }) {
      #expect(Self.error(real.path) == nil)
    }
  }

  @Test(arguments: [0, 65_535])
  func `a container that lies about a small picture costs nothing`(side: Int) throws {
    let source = try Data(contentsOf: Fixture.named("codec-png.mov").url)
    var limits = Limits()
    limits.pixels = 96 * 104
    var bytes = [UInt8](source)
    let entry = try #require(source.range(of: Data("png ".utf8), in: 40..<source.count)).lowerBound
    bytes.replaceSubrange(entry + 28..<entry + 32, with: SmallMovie.number(side, 2) + SmallMovie.number(side, 2))
    #expect(bytes != [UInt8](source))
    #expect(try Self.error(bytes, limits: limits) == nil)
  }

  @Test(arguments: ["codec-av1.mp4", "good-1x1.mp4", "hevc-hvc1.mp4", "codec-mjpeg.mov", "codec-vp8.webm"])
  func `every decoder names the size of what it refuses`(file: String) throws {
    let fixture = Fixture.named(file)
    var limits = Limits()
    limits.pixels = 2048
    let error = Self.error(fixture.path, limits: limits)
    #expect(error?.code == .tooLarge)
    #expect(error?.message.contains("(limit 2048)") == true)
  }

  @Test(arguments: [("dvcp", "dvvideo"), ("cvid", "cinepak")])
  func `other codecs are not decoded but named`(tag: String, name: String) throws {
    let bytes = SmallMovie.movie(Track(codec: tag), holding: [UInt8](repeating: 0, count: 100))
    let error = try Self.error(bytes)
    #expect(error?.code == .unsupportedCodec)
    #expect(error?.message == "\(name) video is not decoded")
  }

  @Test func `FFmpeg's lines are understood, and others are not`() {
    var notices = LogCapture.Notices()
    for line in ["Picture size 0x0 is invalid", "Frame size changed", "Picture size 7x is", ""] { notices.take(line) }
    #expect(notices.refusedSize == nil && !notices.refusedStream && !notices.lostIndex)
    notices.take("Picture size 70000x9 exceeds specified max pixel count 4, see the documentation")
    #expect(notices.refusedSize == PixelSize(width: 70_000, height: 9))
    notices.take("Cannot add index entry")
    notices.take("Number of streams exceeds max_streams parameter (1), see the documentation")
    #expect(notices.refusedStream && notices.lostIndex)
  }

  /// Bytes of address space this process has mapped.
  static func mappedBytes() throws -> UInt {
    let pages = try String(contentsOfFile: "/proc/self/statm", encoding: .utf8).split(separator: " ").first.flatMap { UInt($0) }
    return try #require(pages) * 4096
  }

  @Test func `an index that does not fit into memory is an error and not a short clip`() async {
    await #expect(processExitsWith: .success) {
      // Sparse: 80 million samples of a byte each take 1.9 GB of index.
      let folder = try TemporaryFolder()
      let path = folder.path("long.mov")
      try Data(SmallMovie.movie(Track(samples: 80_000_000))).write(to: folder.url("long.mov"))
      try FileHandle(forWritingTo: folder.url("long.mov")).truncate(atOffset: 81_000_000)
      var limits = Limits()
      limits.frames = .max
      #expect(Self.error(Fixture.named("good-1x1.mp4").path) == nil)
      var space = rlimit()
      space.rlim_cur = try Self.mappedBytes() + 500_000_000
      space.rlim_max = space.rlim_cur
      #expect(setrlimit(__rlimit_resource_t(RLIMIT_AS.rawValue), &space) == 0)
      #expect(Self.error(path, limits: limits)?.code == .outOfMemory)
      #expect(Self.error(Fixture.named("good-1x1.mp4").path) == nil)
    }
  }

  @Test(arguments: Nightly.isOn ? ["libx264", "libx265", "png"] : ["libx264"])
  func `too little memory for pictures is said and does not count as damage`(encoder: String) async {
    await #expect(processExitsWith: .success) { [encoder] in
      let folder = try TemporaryFolder()
      let path = folder.path("large.mov")
      try run(
        "ffmpeg",
        [
          "-v", "error", "-f", "lavfi", "-i", "color=gray:s=8192x8192:r=2:d=1", "-c:v", encoder, "-pix_fmt",
          encoder == "png" ? "rgb24" : "yuv420p", "-preset", "ultrafast", path.string,
        ])
      func code() -> InspectionError.Code? {
        do throws(InspectionError) {
          let effort = try Inspector().inspect(path).inspection.decoding
          #expect(effort.errorCount == 0 && effort.missingFrames == 0)
          return nil
        } catch { return error.code }
      }
      // Small, so that libraries and caches are there but no room for pictures is left over.
      #expect(Self.error(Fixture.named("frames-1.mp4").path) == nil)
      let mapped = try Self.mappedBytes()
      var codes: Set<InspectionError.Code?> = []
      // A picture has 100 MB or more, beyond what the allocator keeps at hand. Swift and its threads need some room,
      // too, and end the process without it.
      for room in [16, 64, 128, 192, 2048] as [UInt] {
        var space = rlimit()
        space.rlim_cur = mapped + room << 20
        space.rlim_max = rlim_t.max
        #expect(setrlimit(__rlimit_resource_t(RLIMIT_AS.rawValue), &space) == 0)
        codes.insert(code())
      }
      #expect(codes == [nil, .outOfMemory])
    }
  }
}
