import Fixtures
import TestSupport
import Testing

/// Bundles under the names of servers, and in music libraries whose files ffmpeg tagged.
@Suite struct BundlePlacingTests {
  /// The moving cover that this build writes for Navidrome.
  private static let moving = OptionalLibrary.webP.isPresent ? "cover.webp" : "cover.gif"

  /// Ends of file names, and options of ffmpeg.
  private static let formats = [
    ("mp3", "-c:a libmp3lame"), ("m4a", "-c:a aac"), ("flac", "-c:a flac"),
    ("ogg", "-c:a libvorbis"), ("opus", "-c:a libopus"), ("wma", "-c:a wmav2"),
    ("aiff", "-write_id3v2 1"), ("wav", ""), ("mka", "-c:a flac"),
  ]

  /// Silence with tags.
  private static func track(
    _ folder: TemporaryFolder, _ file: String, artist: String, album: String,
    albumArtist: String? = nil, _ options: String = "-c:a flac"
  ) throws {
    let url = folder.url(file)
    try FileManager.default.createDirectory(
      at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    let tags = [("artist", artist), ("album", album), ("album_artist", albumArtist ?? artist)]
    let made = try run(
      "ffmpeg",
      ["-v", "error", "-f", "lavfi", "-i", "anullsrc=r=48000:cl=mono", "-t", "0.2"]
        + options.split(separator: " ").map(String.init)
        + tags.flatMap { ["-metadata", "\($0)=\($1)"] } + [url.path])
    try #require(made.status == 0, "\(made.error)")
  }

  private static func lines(_ result: BuiltTool.Result) -> [String] {
    result.output.split(separator: "\n").map(String.init)
  }

  @Test(
    "a release whose animation does not loop is refused with advice about it, and leaves nothing")
  func unfit() throws {
    let clip = try MadeClip(
      named: "cover.gif", ["-f", "lavfi", "-i", "testsrc2=s=320x320:r=10", "-frames:v", "12"])
    let made = try BuiltTool.run(["bundle", ".", "-o", "out"], in: clip.folder.root)
    #expect(made.status == 2 && made.error.contains("would break loop-seam"), "\(made.error)")
    #expect(made.error.contains("repair cover.gif") && !made.error.contains("folder exists"))
    #expect(
      (try? FileManager.default.contentsOfDirectory(atPath: clip.folder.url("out").path)) ?? []
        == [])
  }

  @Test(
    "a video beyond repair is refused with the reason of its repair, and advice that its folder allows"
  )
  func beyondRepair() throws {
    // Too wide, and black for the first half.
    let clip = try MadeClip(
      named: "clip.mp4",
      [
        "-f", "lavfi", "-i", "testsrc2=s=160x90:r=10:d=3", "-vf",
        "drawbox=t=fill:c=black:enable='lt(t,1.5)'", "-c:v", "libx264", "-pix_fmt", "yuv420p",
      ])
    let refused = try BuiltTool.run(
      ["bundle", ".", "-o", "out", "--animate-missing"], in: clip.folder.root)
    #expect(refused.status == 2 && refused.error.contains("no part of it loops"), "\(refused)")
    #expect(refused.error.contains("put a cover.jpg beside it and use --animate-missing"))
    _ = try run(
      "ffmpeg",
      ["-v", "error", "-f", "lavfi", "-i", "testsrc2=s=96x96:r=1", "-frames:v", "1", "cover.jpg"],
      in: clip.folder.root)
    let other = try BuiltTool.run(["bundle", ".", "-o", "out"], in: clip.folder.root)
    #expect(other.error.contains("set the cover in motion with --animate-missing"), "\(other)")
  }

  @Test("albums are found by the tags of every format of sound, and a dry run makes nothing")
  func formats() throws {
    let folder = try TemporaryFolder()
    for (type, options) in Self.formats {
      try Self.track(
        folder, "music/\(type)/01 – one.\(type)", artist: "Zoë & \(type)", album: "Été – Live!",
        albumArtist: type == "wav" ? nil : "Zoë's \(type)", options)
      let artist = type == "wav" ? "zoe & wav" : "ZOES \(type)"
      try folder.copy(Fixture.named("good-1x1.mp4"), to: "releases/\(artist)/Ete Live/1x1.mp4")
    }
    let releases = try FileManager.default.contentsOfDirectory(atPath: folder.url("releases").path)
    let result = try BuiltTool.run(
      ["bundle"] + releases.sorted().map { "releases/\($0)/Ete Live" }
        + ["--into", "music", "--names", "jellyfin", "--dry-run"], in: folder.root)
    #expect(result.status == 0)
    let expected = Self.formats.flatMap { type, _ in
      ["cover-animated.mp4", "vertical-background.mp4"].map { "would place music/\(type)/\($0)" }
    }
    #expect(Self.lines(result).sorted() == expected.sorted())
    let files = try FileManager.default.subpathsOfDirectory(atPath: folder.url("music").path)
    #expect(!files.contains { $0.hasSuffix("mp4") })
  }

  @Test("a picture among the tags that is larger than what is probed hides nothing")
  func largePicture() throws {
    let folder = try TemporaryFolder()
    try Self.track(folder, "music/a/1.mp3", artist: "A", album: "B", "-c:a libmp3lame")
    let made = try run(
      "sh",
      [
        "-c",
        """
        ffmpeg -v error -f lavfi -i 'nullsrc=s=500x500,geq=random(1)*255:128:128' -frames:v 1 c.png &&
        ffmpeg -v error -i music/a/1.mp3 -i c.png -map 0 -map 1 -c copy music/b.mp3 &&
        mv music/b.mp3 music/a/1.mp3
        """,
      ], in: folder.root)
    try #require(made.status == 0, "\(made.error)")
    #expect(try Data(contentsOf: folder.url("music/a/1.mp3")).count > 200_000)
    try folder.copy(Fixture.named("good-1x1.mp4"), to: "A/B/1x1.mp4")
    let result = try BuiltTool.run(
      ["bundle", "A/B", "--into", "music", "--names", "navidrome", "--dry-run"], in: folder.root)
    #expect(Self.lines(result) == ["would place music/a/\(Self.moving)"])
  }

  @Test("covers are placed beside the music of their album only, and nothing there is replaced")
  func placed() throws {
    let folder = try TemporaryFolder()
    try Self.track(folder, "music/x/CD1/1.flac", artist: "One", album: "Hits")
    try Self.track(folder, "music/x/CD2/1.flac", artist: "One", album: "Hits")
    try Self.track(folder, "music/y/1.flac", artist: "Two", album: "Hits")
    try Data("mine".utf8).write(to: folder.url("music/x/CD2/cover-animated.mp4"))
    try folder.copy(Fixture.named("good-1x1.mp4"), to: "One/Hits/1x1.mp4")
    try folder.copy(Fixture.named("good-3x4.mp4"), to: "One/Hits/3x4.mp4")
    let arguments = ["bundle", "One/Hits", "--into", "music", "--names", "jellyfin"]
    let result = try BuiltTool.run(arguments, in: folder.root)
    #expect(result.status == 0, "\(result.error)")
    let files = try FileManager.default.subpathsOfDirectory(atPath: folder.url("music").path)
    #expect(
      Set(files.filter { $0.hasSuffix("mp4") }) == [
        "x/CD1/cover-animated.mp4", "x/CD1/vertical-background.mp4", "x/CD2/cover-animated.mp4",
        "x/CD2/vertical-background.mp4",
      ])
    #expect(
      try Data(contentsOf: folder.url("music/x/CD1/cover-animated.mp4"))
        == Data(contentsOf: Fixture.named("good-1x1.mp4").url))
    #expect(try Data(contentsOf: folder.url("music/x/CD2/cover-animated.mp4")) == Data("mine".utf8))
    let again = try BuiltTool.run(arguments, in: folder.root)
    #expect(
      Self.lines(again) == ["music/x/CD1: nothing to place", "music/x/CD2: nothing to place"])
  }

  @Test("an album that several artists have, or none, is left alone")
  func ambiguous() throws {
    let folder = try TemporaryFolder()
    try Self.track(folder, "music/x/1.flac", artist: "One", album: "Hits")
    try Self.track(folder, "music/y/1.flac", artist: "Two", album: "Hits")
    for (release, word) in [("Hits", "2 artists"), ("Misses", "no album")] {
      try folder.copy(Fixture.named("good-1x1.mp4"), to: "new/\(release)/1x1.mp4")
      let result = try BuiltTool.run(
        ["bundle", "new/\(release)", "--into", "music"], in: folder.root)
      #expect(result.status == 2)
      #expect(result.error.contains(word), "\(result.error)")
    }
    let files = try FileManager.default.subpathsOfDirectory(atPath: folder.url("music").path)
    #expect(files.sorted() == ["x", "x/1.flac", "y", "y/1.flac"])
  }

  @Test("a server's names in a folder of their own")
  func names() throws {
    let folder = try TemporaryFolder()
    try folder.copy(Fixture.named("good-1x1.mp4"), to: "One/Hits/1x1.mp4")
    let arguments = ["bundle", "One/Hits", "--names", "navidrome", "-o", "out"]
    #expect(try BuiltTool.run(arguments, in: folder.root).status == 0)
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: folder.url("out").path) == [Self.moving])
    #expect(try BuiltTool.run(arguments, in: folder.root).status == 2, "it exists")
  }
}
