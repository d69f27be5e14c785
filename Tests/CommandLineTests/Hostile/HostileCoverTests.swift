import HostileMedia
import TestSupport

/// Damaged and hostile covers, a full disk and a sudden end, in the commands that make files of a cover or a release.
@Suite struct HostileCoverTests {
  private static func cover(_ folder: TemporaryFolder, _ name: String) throws {
    _ = try run(
      "ffmpeg",
      [
        "-v", "error", "-f", "lavfi", "-i", "testsrc2=s=96x96:r=1", "-frames:v", "1", name,
      ], in: folder.root)
  }

  private static func names(_ folder: TemporaryFolder, _ path: String) -> [String] {
    (try? FileManager.default.contentsOfDirectory(atPath: folder.url(path).path)) ?? []
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
      let bytes = try Data(contentsOf: folder.url(name))
      for number in 1...(Nightly.isOn ? 150 : 3) {
        let (mutant, out) = ("\(number)-\(name)", "out-\(number)-\(name)")
        try Self.mutant(bytes, number).write(to: folder.url(mutant))
        let made = try BuiltTool.run(
          ["animate", mutant, "-o", out, "--key", "1x1", "--seconds", "2", "--motion", "parallax"],
          in: folder.root)
        #expect([0, 1, 2].contains(made.status), "\(mutant): \(made.error)")
        #expect(!MutationRun.forbidden.contains { made.error.contains($0) }, "\(mutant)")
        #expect(Self.names(folder, out).count == (made.status == 2 ? 0 : 1), "\(mutant)")
      }
    }
  }

  @Test(
    "mutants of a video become pictures and bundles, or are refused, and refused ones leave nothing"
  )
  func videoMutants() throws {
    let clip = try MadeClip(
      named: "clip_1x1.mp4",
      [
        "-f", "lavfi", "-i",
        "color=gray:s=64x64:r=12,format=gbrp,geq=r='128+99*sin(X/9+2*PI*N/12)':g=Y*3:b=90",
        "-frames:v", "12",
      ] + MadeClip.h264)
    let folder = clip.folder
    let bytes = try Data(contentsOf: folder.url(clip.name))
    for number in 1...(Nightly.isOn ? 150 : 2) {
      let release = "\(number)"
      try FileManager.default.createDirectory(
        at: folder.url(release), withIntermediateDirectories: false)
      let mutant = "\(release)/\(clip.name)"
      try Self.mutant(bytes, number).write(to: folder.url(mutant))
      let ending = ["gif", "webp", "png", "avif"][number % 4]
      let picture = "x\(number).\(ending)"
      for command in [
        ["export", mutant, "-o", picture, "--max-bytes", "60K"],
        ["bundle", release, "-o", "out-\(number)"],
      ] {
        let made = try BuiltTool.run(command, in: folder.root)
        #expect([0, 2].contains(made.status), "\(command): \(made.error)")
        #expect(!MutationRun.forbidden.contains { made.error.contains($0) }, "\(command)")
        let names =
          command[0] == "export"
          ? Self.names(folder, ".").filter { $0 == picture } : Self.names(folder, command[3])
        #expect(names.isEmpty == (made.status == 2), "\(command): \(names) \(made.error)")
      }
      if let made = try? Data(contentsOf: folder.url(picture)) { #expect(made.count <= 60_000) }
    }
    #expect(Self.names(folder, ".").allSatisfy { !$0.hasPrefix(".") }, "nothing half made is left")
  }

  @Test("a cover that states a huge size is refused, and a bundle of it leaves nothing")
  func huge() throws {
    let folder = try TemporaryFolder()
    try FileManager.default.createDirectory(
      at: folder.url("album"), withIntermediateDirectories: false)
    try Self.cover(folder, "album/cover.png")
    var bytes = try Data(contentsOf: folder.url("album/cover.png"))
    // Width and height of the header.
    bytes.replaceSubrange(16..<24, with: [0, 0, 0xff, 0xff, 0, 0, 0xff, 0xff])
    try bytes.write(to: folder.url("album/cover.png"))
    for command in [
      ["animate", "album/cover.png", "-o", "out"], ["bundle", "album", "-o", "out"],
      ["export", "album/cover.png", "-o", "out/x.gif"],
    ] {
      let made = try BuiltTool.run(command, in: folder.root)
      #expect(made.status == 2, "\(command): \(made.output)\(made.error)")
      #expect(Self.names(folder, "out") == [], "\(command)")
    }
  }

  @Test("a full disk leaves nothing", .enabled(if: getuid() == 0, "only root can mount"))
  func fullDisk() throws {
    let folder = try TemporaryFolder()
    try FileManager.default.createDirectory(
      at: folder.url("album"), withIntermediateDirectories: false)
    try Self.cover(folder, "album/cover.png")
    let result = try run(
      "/usr/bin/unshare",
      [
        "-m", "sh", "-c",
        """
        mkdir full && mount -t tmpfs -o size=12k none full || exit 99
        "$0" animate album/cover.png -o full --seconds 2; echo "status $?"
        "$0" bundle album -o full; echo "status $?"
        "$0" animate album/cover.png -o . --key 1x1 --seconds 2 >/dev/null
        "$0" export cover_1x1.mp4 -o full/x.png; echo "status $?"
        ls -A full | wc -l
        """, try BuiltTool.find().path,
      ], in: folder.root)
    if result.status == 99 { return }
    let output = String(decoding: result.output, as: UTF8.self)
    #expect(output == "status 2\nstatus 2\nstatus 2\n0\n", "\(output) \(result.error)")
    #expect(result.error.contains("no space left on device"))
  }

  @Test(
    "a command that is killed leaves no file by a name of its own",
    arguments: [
      ["animate", "cover.png", "-o", "out", "--seconds", "30"], ["bundle", "album", "-o", "out"],
      ["export", "long.mp4", "-o", "out/x.webp"],
    ])
  func killed(command: [String]) throws {
    let folder = try TemporaryFolder()
    for path in ["album", "out"] {
      try FileManager.default.createDirectory(
        at: folder.url(path), withIntermediateDirectories: false)
    }
    try Self.cover(folder, "cover.png")
    try Self.cover(folder, "album/cover.png")
    _ = try run(
      "ffmpeg",
      ["-v", "error", "-f", "lavfi", "-i", "testsrc2=s=320x320:r=30:d=4"] + MadeClip.h264
        + ["long.mp4"], in: folder.root)
    let process = Process()
    process.executableURL = try BuiltTool.find()
    process.arguments = command
    process.currentDirectoryURL = folder.root
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    try process.run()
    usleep(200_000)
    #expect(kill(process.processIdentifier, SIGKILL) == 0)
    process.waitUntilExit()
    #expect(Self.names(folder, "out").allSatisfy { $0.hasPrefix(".") })
  }
}
