import TestSupport

/// `artworkd loop`, whose words and choices are in the transcript `loop.txt`.
@Suite struct LoopCommandTests {
  /// The seam verdict of `check --thorough` for a file.
  private static func check(_ name: String, in folder: TemporaryFolder) throws -> JSONNode? {
    try folder.artworkd("check \(name) --key 1x1 --thorough --format json").json
      .at("results.0.seam.verdict")
  }

  @Test("what is cut at a keyframe has exactly its packets, and loops as predicted")
  func copied() throws {
    let clip = try MadeClip.leadIn(40, total: 130, encoder: MadeClip.h264 + ["-g", "10"])
    let best = try #require(
      try clip.artworkd("loop clip.mp4 --format json").json.at("candidates.0"))
    #expect(try clip.folder.probe("clip.loop.png", "stream=width").hasPrefix("128"))
    #expect(best["losslessCommand"] != nil && best["losslessCommand"] == best["command"])
    let (start, end) = try (
      #require(best["startFrame"]?.int), #require(best["endFrame"]?.int)
    )
    #expect(try clip.artworkd("loop clip.mp4 -o new.mp4 --part 1").status == 0)
    #expect(try clip.digests("new.mp4") == Array(clip.digests()[start..<end]))
    #expect(best.at("seam.verdict") == "seamless")
    #expect(try Self.check("new.mp4", in: clip.folder) == "seamless")
  }

  /// The circles of these fixtures come round every 24 frames; `Scripts/fixtures/structure.py` says which frames are dimmed.
  @Test(
    "without a fade, the part that loops is kept to the frame",
    arguments: [
      ("loop-fade-in.mp4", "frames 12 to 35 stay"), ("loop-fade-out.mp4", "frames 0 to 23 stay"),
      ("loop-fade-both.mp4", "frames 12 to 35 stay"),
    ])
  func fades(name: String, kept: String) throws {
    let folder = try TemporaryFolder()
    let made = try folder.artworkd("repair \(Fixture.named(name).path) --unsafe -o new.mp4")
    #expect(made.status == 0 && made.output.contains(kept), "\(made)")
    #expect(try Self.check("new.mp4", in: folder) == "seamless")
  }

  @Test("a clip of more than a thousand frames is searched for loops")
  func manyFrames() throws {
    let clip = try MadeClip("-f lavfi -i testsrc2=r=60:s=64x64 -frames:v 1100 \(MadeClip.x264)")
    let made = try clip.artworkd("repair clip.mp4 --unsafe --dry-run --format json")
    #expect(made.status <= 1 && !made.output.contains("\"code\""), "\(made)")
  }

  @Test("a dissolve of few frames is found in a clip of a low rate")
  func lowRate() throws {
    let clip = try MadeClip(
      "-f lavfi -i nullsrc=r=2:s=160x160,geq=lum='100+20*sin(X/9+N*N/7)+N':cb=128:cr=128 "
        + "-frames:v 48 -pix_fmt yuv420p \(MadeClip.x264)")
    let made = try clip.artworkd("repair clip.mp4 --unsafe -o new.mp4")
    #expect(made.status == 0 && made.output.contains("dissolve into"), "\(made)")
  }

  @Test("where nothing loops, it reports that, and no cut loops")
  func nothing() throws {
    // Grows and wanders off, once.
    let clip = try MadeClip.leadIn(
      90, total: 90, encoder: ["-c:v", "libx264", "-crf", "12", "-g", "6", "-bf", "0"])
    let json = try clip.artworkd("loop clip.mp4 --format json --no-pictures").json
    #expect(json["answer"] == "none")
    #expect(try Self.check("clip.mp4", in: clip.folder) == json.at("whole.seam.verdict"))
    let parts = try #require(json["candidates"]).items
    for part in parts {
      let predicted = try #require(part.at("seam.verdict")?.text)
      #expect(!["seamless", "static"].contains(predicted))
    }
    let number = try #require(parts.firstIndex { $0["lossless"] == true })
    let cut = try clip.artworkd("loop clip.mp4 -o cut.mp4 --part \(number + 1)")
    #expect(cut.status == 0 && cut.output.contains("copied without encoding"), "\(cut.error)")
    #expect(try Self.check("cut.mp4", in: clip.folder) == parts[number].at("seam.verdict"))
    // The best that can be had is a dissolve, which needs encoding.
    let dissolved = try clip.artworkd("loop clip.mp4 -o fade.mov")
    #expect(
      dissolved.status == 0 && dissolved.output.contains("encoded again"), "\(dissolved.error)")
    let fade = try #require(json["crossFade"])
    let (start, end) = try (
      #require(fade["startFrame"]?.int), #require(fade["endFrame"]?.int)
    )
    #expect(try clip.digests("fade.mov").count == end - start)
  }
}
