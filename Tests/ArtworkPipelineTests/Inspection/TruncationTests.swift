@testable import ArtworkJudging

/// Incomplete copies. A cut that loses frames must be reported, as an error or as a finding.
@Suite struct TruncationTests {
  /// Whether a copy of `bytes` is refused, or the `truncated` rule raised, and how many frames are left.
  static func inspect(_ bytes: Data, in folder: TemporaryFolder) throws -> (isNoticed: Bool, frames: Int?) {
    try bytes.write(to: folder.url("cut"))
    do {
      let inspection = try Inspector().inspect(folder.path("cut")).inspection
      let findings = Rules.judge(inspection, key: .square, profile: .nowPlaying).findings
      return (findings.contains { $0.rule == TruncatedRule.id }, inspection.facts.frameCount)
    } catch { return (true, nil) }
  }

  /// Where the parts of a file begin and end: boxes down to the tables, RIFF chunks, EBML elements of
  /// the upper levels. For other files nothing.
  static func boundaries(_ bytes: [UInt8]) -> Set<Int> {
    func number(_ offset: Int, _ size: Int) -> Int { bytes[offset..<offset + size].reduce(0) { $0 << 8 | Int($1) } }
    func name(_ offset: Int) -> String { String(decoding: bytes[offset..<offset + 4], as: UTF8.self) }
    let isMovie = bytes.count > 8 && ["ftyp", "moov", "wide", "free"].contains(name(4))
    let isRIFF = bytes.count > 12 && name(0) == "RIFF"
    guard isMovie || isRIFF else { return [] }
    let parents: Set<String> = ["moov", "trak", "mdia", "minf", "stbl", "moof", "traf", "mvex", "RIFF", "LIST"]
    var places: Set<Int> = []
    func walk(_ range: Range<Int>) {
      var offset = range.lowerBound
      while offset + 8 <= range.upperBound {
        let type = name(isMovie ? offset + 4 : offset)
        let size =
          isMovie ? number(offset, 4) : 8 + Int(bytes[offset + 4]) + Int(bytes[offset + 5]) << 8 + Int(bytes[offset + 6]) << 16
        let end = min(range.upperBound, offset + max(8, size))
        places.formUnion([offset, offset + 8, end])
        let header = isMovie ? 8 : 12
        if parents.contains(type), offset + header <= end { walk(offset + header..<end) }
        offset = isMovie ? end : end + end % 2
      }
    }
    walk(0..<bytes.count)
    return places
  }

  /// Every boundary and one byte to each side, and two hundred places anywhere; by day some of both.
  static func cuts(_ bytes: [UInt8]) -> [Int] {
    var noise = Noise(seed: UInt64(bytes.count))
    let random = (0..<200).map { _ in Int.random(in: 1..<bytes.count, using: &noise) }
    let edges = boundaries(bytes).sorted().flatMap { [$0 - 1, $0, $0 + 1] }
    return Set(Nightly.some(15, of: random) + Nightly.some(50, of: edges)).filter { $0 > 0 && $0 < bytes.count }.sorted()
  }

  /// Fragments make whole files wherever one of them ends, and where no index lists more nobody can
  /// notice.
  static func wholeFragments(_ bytes: [UInt8]) -> Set<Int> {
    var places: Set<Int> = []
    var offset = 0
    while offset + 8 <= bytes.count {
      if bytes[offset + 4..<offset + 8].elementsEqual("moof".utf8) { places.insert(offset) }
      offset += max(8, bytes[offset..<offset + 4].reduce(0) { $0 << 8 | Int($1) })
    }
    return places
  }

  static func expectNoticed(_ bytes: [UInt8], frames: Int, but unnoticeable: Set<Int> = []) throws {
    let folder = try TemporaryFolder()
    #expect(try inspect(Data(bytes), in: folder) == (false, frames))
    for length in cuts(bytes) where !unnoticeable.contains(length) {
      let cut = try inspect(Data(bytes.prefix(length)), in: folder)
      #expect(cut.isNoticed || cut.frames == frames, "cut to \(length) of \(bytes.count) bytes")
    }
  }

  @Test(
    arguments: Nightly.some(
      5,
      of: [
        "moov-first.mp4", "good-1x1.mp4", "audio-aac.mp4", "edit-preroll.mp4", "prores-422.mov", "h264-pyramid.mp4",
        "hevc-main10.mp4", "frag-keyframe.mp4", "frag-delayed-moov.mp4", "frag-no-index.mp4", "rate-24000-1001.mkv",
        "codec-vp9.webm", "codec-vp8.webm", "image-anim.gif", "image-anim.apng", "codec-mjpeg.avi",
      ]))
  func `a cut anywhere is noticed unless every frame is still there`(file: String) throws {
    let fixture = Fixture.named(file)
    let bytes = [UInt8](try Data(contentsOf: fixture.url))
    try Self.expectNoticed(bytes, frames: #require(fixture.facts.decodedFrames), but: Self.wholeFragments(bytes))
  }

  @Test(arguments: [true, false])
  func `a cut of a movie with uncompressed sound is noticed`(headerFirst: Bool) throws {
    let folder = try TemporaryFolder()
    let target = folder.url("sound.mov")
    try run(
      "ffmpeg",
      [
        "-v", "error", "-f", "lavfi", "-i", "testsrc2=s=64x64:r=30:d=0.5", "-f", "lavfi", "-i", "sine=d=0.5", "-c:v", "libx264",
        "-c:a", "pcm_s16le",
      ] + (headerFirst ? ["-movflags", "+faststart"] : []) + [target.path])
    try Self.expectNoticed([UInt8](Data(contentsOf: target)), frames: 15)
  }

  @Test func `a segment index lists fragments that are not there`() throws {
    let folder = try TemporaryFolder()
    let target = folder.url("indexed.mp4")
    try run(
      "ffmpeg",
      [
        "-v", "error", "-i", Fixture.named("h264-closed-gop.mp4").url.path, "-c", "copy", "-movflags",
        "+frag_keyframe+empty_moov+default_base_moof+global_sidx", target.path,
      ])
    let bytes = [UInt8](try Data(contentsOf: target))
    #expect(Self.wholeFragments(bytes).count > 1)
    try Self.expectNoticed(bytes, frames: #require(Fixture.named("h264-closed-gop.mp4").facts.decodedFrames))
  }
}
