import HostileMedia
import TestSupport

/// Damaged and hostile covers in the commands that make files of a cover or a release; a full disk and a sudden end in
/// every command that makes files.
@Suite struct HostileCoverTests {
  private static func cover(_ folder: TemporaryFolder, _ name: String) throws {
    try folder.ffmpeg("-f lavfi -i testsrc2=s=96x96:r=1 -frames:v 1 \(name)")
  }

  /// The bytes of a cover with some of them changed, or cut off.
  private static func mutant(_ bytes: Data, _ number: Int) -> Data {
    var bytes = bytes
    var state = UInt64(number) &* 0x9E37_79B9_7F4A_7C15 | 1
    func next(_ limit: Int) -> Int {
      state ^= state << 13
      state ^= state >> 7
      state ^= state << 17
      return Int(state % UInt64(limit))
    }
    if number.isMultiple(of: 3) { return bytes.prefix(8 + next(bytes.count - 8)) }
    for _ in 0..<(1 + next(6)) {
      // Headers are where sizes are.
      let place = number.isMultiple(of: 2) ? next(min(64, bytes.count)) : next(bytes.count)
      bytes[place] = UInt8(next(256))
    }
    return bytes
  }

  @Test(
    "mutants of covers become loops or are refused with a reason, and refused ones leave nothing")
  func mutants() throws {
    let folder = try TemporaryFolder()
    for name in ["a.png", "b.jpg"] {
      try Self.cover(folder, name)
      let bytes = try folder.data(name)
      for number in 1...(Nightly.isOn ? 150 : 3) {
        let (mutant, out) = ("\(number)-\(name)", "out-\(number)-\(name)")
        try folder.write(Self.mutant(bytes, number), to: mutant)
        let made = try folder.artworkd(
          "animate \(mutant) -o \(out) --key 1x1 --seconds 2 --motion parallax")
        #expect([0, 1, 2].contains(made.status), "\(mutant): \(made.error)")
        #expect(!MutationRun.forbidden.contains { made.error.contains($0) }, "\(mutant)")
        #expect(folder.names(out).count == (made.status == 2 ? 0 : 1), "\(mutant)")
      }
    }
  }

  @Test(
    "mutants of a video become pictures and bundles, or are refused, and refused ones leave nothing"
  )
  func videoMutants() throws {
    let folder = try MadeClip(
      named: "clip_1x1.mp4",
      "-f lavfi -i color=gray:s=64x64:r=12,format=gbrp,geq=r='128+99*sin(X/9+2*PI*N/12)':g=Y*3:b=90 "
        + "-frames:v 12 \(MadeClip.x264)"
    ).folder
    let bytes = try folder.data("clip_1x1.mp4")
    let formats = ["gif", "webp", "png", "avif"].filter { $0 != "webp" || FileFormat.webp.isAvailable }
    for number in 1...(Nightly.isOn ? 150 : 2) {
      let mutant = "\(number)/clip_1x1.mp4"
      try folder.write(Self.mutant(bytes, number), to: mutant)
      let picture = "x\(number).\(formats[number % formats.count])"
      for (line, made) in [
        ("export \(mutant) -o \(picture) --max-bytes 60K", { folder.has(picture) }),
        ("bundle \(number) -o out-\(number)", { !folder.names("out-\(number)").isEmpty }),
      ] {
        let run = try folder.artworkd(line)
        #expect([0, 2].contains(run.status), "\(line): \(run.error)")
        #expect(!MutationRun.forbidden.contains { run.error.contains($0) }, "\(line)")
        #expect(made() == (run.status == 0), "\(line): \(run.error)")
      }
      if let made = try? folder.data(picture) { #expect(made.count <= 60_000) }
    }
    #expect(folder.names().allSatisfy { !$0.hasPrefix(".") }, "nothing half made is left")
  }

  @Test("a cover that states a huge size is refused, and a bundle of it leaves nothing")
  func huge() throws {
    let folder = try TemporaryFolder()
    try folder.make("album")
    try Self.cover(folder, "album/cover.png")
    var bytes = try folder.data("album/cover.png")
    // Width and height of the header.
    bytes.replaceSubrange(16..<24, with: [0, 0, 0xff, 0xff, 0, 0, 0xff, 0xff])
    try folder.write(bytes, to: "album/cover.png")
    for line in [
      "animate album/cover.png -o out", "bundle album -o out",
      "export album/cover.png -o out/x.gif",
    ] {
      let made = try folder.artworkd(line)
      #expect(made.status == 2, "\(line): \(made.output)\(made.error)")
      #expect(folder.names("out") == [], "\(line)")
    }
  }

  /// What the commands below are about.
  private static func sources() throws -> TemporaryFolder {
    let folder = try TemporaryFolder([
      "hev1.mp4": "codec-hev1.mp4", "high10.mp4": "h264-high10.mp4", "good.mp4": "good-1x1.mp4",
      "spin.gif": "image-anim.gif", "long.mp4": "duration-30.1s.mp4",
    ])
    for path in ["album", "out"] { try folder.make(path) }
    for name in ["cover.png", "album/cover.png"] { try cover(folder, name) }
    return folder
  }

  @Test(
    "a full disk leaves nothing", .enabled(if: getuid() == 0, "only root can mount"),
    arguments: [
      "animate album/cover.png -o full --seconds 2", "bundle album -o full",
      "export good.mp4 -o full/x.png", "import spin.gif --size 320x320 -o full/a.mp4",
      "repair hev1.mp4 --output-dir full", "repair high10.mp4 --unsafe --output-dir full",
      "derive good.mp4 --key 3x4 -o full/tall.mp4",
    ])
  func fullDisk(line: String) throws {
    let script = """
      mkdir full && mount -t tmpfs -o size=4k none full || exit 99
      "$0" \(line); echo "status $?"; ls -A full | wc -l
      """
    let result = try Self.sources().run(
      "/usr/bin/unshare -m sh -c", [script, try BuiltTool.find().path])
    if result.status == 99 { return }
    #expect(result.output.hasSuffix("status 2\n0\n"), "\(result.output) \(result.error)")
    #expect((result.output + result.error).contains("no space left on device"))
  }

  @Test(
    "a command that is killed leaves no half file by a name of its own",
    arguments: [
      "animate cover.png -o out --seconds 30", "bundle album -o out",
      "export long.mp4 -o out/x.webp", "repair long.mp4 --unsafe --output-dir out",
      "derive long.mp4 --key 3x4 -o out/new.mp4",
    ])
  func killed(line: String) throws {
    for seconds in Nightly.isOn ? Array(stride(from: 0.1, to: 6, by: 0.2)) : [0.2, 1.2] {
      let folder = try Self.sources()
      let run = try RunningTool(line.split(separator: " ").map(String.init), in: folder)
      Thread.sleep(forTimeInterval: seconds)
      run.end(SIGKILL)
      for name in folder.names("out") where name.contains(#/^[^.].*\.(mp4|webp)$/#) {
        let checked = try folder.artworkd("check out/\(name) --thorough")
        #expect(checked.status != 2, "\(name) after \(seconds) s: \(checked.output)")
      }
    }
  }
}
