@Suite(.timeLimit(.minutes(5))) struct HostileFolderTests {
  /// `in/` is searched. `out/canary.mp4` is a real video with a size that no other fixture here has.
  final class Tree {
    let root: TemporaryFolder
    var inside: FilePath { root.path("in") }
    static let canary = Fixture.named("good-3x4.mp4")
    static let other = Fixture.named("good-1x1.mp4")

    init() throws {
      root = try TemporaryFolder()
      try copy(Self.canary, to: "out/canary.mp4")
      try copy(Self.canary, to: "out/canary")
      try copy(Self.other, to: "in/sub/good.mp4")
    }

    func copy(_ fixture: Fixture, to name: String) throws { try root.copy(fixture, to: name) }

    func link(_ name: String, to target: String) throws { try root.link(name, to: target) }

    /// Each candidate below `in/`: its name there, and its error code, else its displayed size.
    func outcomes() -> [String: String] {
      var outcomes: [String: String] = [:]
      for candidate in CandidateFinder.find([inside]) {
        var name = candidate.path
        let isInside = name.removePrefix(inside)
        #expect(isInside)
        do throws(InspectionError) {
          let (inspection, picture) = try Inspector().inspect(candidate.path, beneath: candidate.folder, preview: .original)
          #expect(picture?.size.width == inspection.facts.displayWidth)
          outcomes[name.string] = inspection.facts.displayDescription
        } catch { outcomes[name.string] = error.code.rawValue }
      }
      return outcomes
    }
  }

  @Test func `every strange thing gets its own error, and nothing outside is read`() throws {
    let tree = try Tree()
    for name in ["x.mp4", "fifo", "sub/fifo.mov"] {
      unsafe #expect(tree.root.path("in/\(name)").withPlatformString { mkfifo($0, 0o600) } == 0)
    }
    for name in ["socket.mp4", "socket"] {
      unsafe #expect(tree.root.path("in/\(name)").withPlatformString { mknod($0, S_IFSOCK | 0o600, 0) } == 0)
    }
    for (name, target) in [
      ("zero.mp4", "/dev/zero"), ("tty.mp4", "/dev/tty"), ("zero", "/dev/zero"), ("descriptor.mp4", "/proc/self/fd/0"),
      ("loop.mp4", "loop.mp4"), ("loop", "loop"), ("dangling.mp4", "nowhere"), ("root.mp4", "/"), ("up.mp4", ".."),
      ("parent", ".."), ("outside.mp4", "../out/canary.mp4"), ("outside", "../out/canary"), ("album", "../out"),
      ("absolute.mov", tree.root.path("out/canary.mp4").string), ("chain.mp4", "sub/chain.mp4"),
      ("sub/chain.mp4", "../outside.mp4"), ("inside.mp4", "sub/good.mp4"), ("sub/inside", "good.mp4"),
      ("inside-chain", "inside.mp4"), ("fifo-link.mp4", "x.mp4"), ("folder-link.mp4", "sub"), ("folder-link", "sub"),
    ] { try tree.link("in/\(name)", to: target) }
    try tree.root.make("in/folder.mp4")
    try tree.copy(Tree.other, to: "in/folder.mp4/1x1.mp4")
    try FileManager.default.linkItem(at: tree.root.url("out/canary.mp4"), to: tree.root.url("in/hard.mp4"))

    let (good, canary) = ("96x96", "96x128")
    #expect(
      tree.outcomes() == [
        "x.mp4": "not-a-file", "sub/fifo.mov": "not-a-file", "socket.mp4": "not-a-file", "zero.mp4": "outside-folder",
        "tty.mp4": "outside-folder", "descriptor.mp4": "outside-folder", "loop.mp4": "unreadable", "dangling.mp4": "not-found",
        "root.mp4": "outside-folder", "up.mp4": "outside-folder", "outside.mp4": "outside-folder",
        "absolute.mov": "outside-folder", "chain.mp4": "outside-folder", "sub/chain.mp4": "outside-folder", "inside.mp4": good,
        "sub/inside": good, "inside-chain": good, "fifo-link.mp4": "not-a-file", "folder-link.mp4": "not-a-file",
        "folder.mp4/1x1.mp4": good, "sub/good.mp4": good,
        // A hard link is the file itself.
        "hard.mp4": canary,
      ])
  }

  @Test func `what was a video when it was found may be anything when it is opened`() throws {
    let tree = try Tree()
    let found = CandidateFinder.find([tree.inside])
    let candidate = try #require(found.first)
    #expect(candidate.path == tree.root.path("in/sub/good.mp4"))
    #expect(candidate.folder == tree.inside)
    let url = tree.root.url("in/sub/good.mp4")
    func code() -> InspectionError.Code? {
      refusal { try Inspector().inspect(candidate.path, beneath: candidate.folder) }?.code
    }
    #expect(code() == nil)
    try FileManager.default.removeItem(at: url)
    #expect(code() == .notFound)
    unsafe #expect(candidate.path.withPlatformString { mkfifo($0, 0o600) } == 0)
    #expect(code() == .notAFile)
    try FileManager.default.removeItem(at: url)
    try tree.link("in/sub/good.mp4", to: "../../out/canary.mp4")
    #expect(code() == .outsideFolder)
    try FileManager.default.removeItem(at: url)
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: false)
    #expect(code() == .notAFile)
    try FileManager.default.removeItem(at: tree.root.url("in/sub"))
    #expect(code() == .notFound)
    try tree.copy(Tree.canary, to: "out/good.mp4")
    try tree.link("in/sub", to: "../out")
    #expect(code() == .outsideFolder)
    // Negative control: the path alone does lead to the canary.
    #expect(try Inspector().inspect(candidate.path).inspection.facts.fileBytes == Tree.canary.facts.fileBytes)
    try FileManager.default.removeItem(at: tree.root.url("in"))
    #expect(code() == .notFound)
  }

  @Test func `a folder that was named may be a link, and so may a file`() throws {
    let tree = try Tree()
    try tree.link("alias", to: "in")
    try tree.link("alias.mp4", to: "out/canary.mp4")
    let found = CandidateFinder.find([tree.root.path("alias"), tree.root.path("alias.mp4")])
    #expect(found.map(\.path) == [tree.root.path("alias/sub/good.mp4"), tree.root.path("alias.mp4")])
    #expect(found.map(\.folder) == [tree.root.path("alias"), nil])
    for candidate in found { _ = try Inspector().inspect(candidate.path, beneath: candidate.folder) }
    // A folder that the candidate is not in.
    #expect(refusal { try Inspector().inspect(tree.root.path("out/canary.mp4"), beneath: tree.inside) }?.code == .outsideFolder)
  }

  /// swift-system checks every byte of a path in debug builds, which takes seconds here.
  @Test(.nightly)
  func `a tree deeper than a path can name ends in an error, not in silence`() throws {
    let tree = try Tree()
    // 25 folders with names of 200 bytes, a video in the last two that a path of 4096 bytes reaches and in
    // all below.
    let name = String(repeating: "d", count: 200)
    let video = try Data(contentsOf: Tree.other.url)
    var parent = unsafe open(tree.inside.string, O_RDONLY | O_DIRECTORY)
    defer { close(parent) }
    for level in 1...25 {
      let made = unsafe mkdirat(parent, name, 0o700)
      #expect(made == 0)
      let next = unsafe openat(parent, name, O_RDONLY | O_DIRECTORY)
      close(parent)
      parent = next
      guard level >= 19 else { continue }
      let file = unsafe FileDescriptor(rawValue: openat(parent, "1x1.mp4", O_WRONLY | O_CREAT, 0o600))
      _ = try file.closeAfter { try file.writeAll(video) }
    }
    let outcomes = tree.outcomes()
    #expect(outcomes.values.sorted() == ["96x96", "96x96", "96x96", "unreadable"])
    let tooDeep = outcomes.filter { $0.value == "unreadable" }
    #expect(tooDeep.count == 1 && tooDeep.keys.allSatisfy { $0.hasSuffix("/\(name)") })
    // FileManager cannot remove it by its path.
    try run("rm", ["-rf", tree.inside.string])
  }

  @Test func `three hundred folders in each other are searched to the bottom`() throws {
    let tree = try Tree()
    let bottom = Array(repeating: "d", count: 300).joined(separator: "/")
    let path = tree.root.url("in/\(bottom)")
    try FileManager.default.createDirectory(at: path, withIntermediateDirectories: true)
    try FileManager.default.copyItem(at: Tree.other.url, to: path.appendingPathComponent("1x1.mp4"))
    #expect(tree.outcomes() == ["\(bottom)/1x1.mp4": "96x96", "sub/good.mp4": "96x96"])
  }

  /// In a separate process, which gives up root's privileges if it has them.
  @Test func `what may not be read is reported where it may be a video, and the search goes on`() async {
    await #expect(processExitsWith: .success) {
      let tree = try Tree()
      try tree.copy(Tree.other, to: "in/locked.mp4")
      try tree.copy(Tree.other, to: "in/locked")
      try tree.root.make("in/closed/below")
      try tree.root.make("in/half")
      try tree.copy(Tree.other, to: "in/half/1x1.mp4")
      try tree.copy(Tree.other, to: "in/zz.mp4")
      func mode(_ name: String, _ mode: mode_t) {
        #expect(tree.root.path("in/\(name)").withPlatformString { chmod($0, mode) } == 0)
      }
      for name in ["locked.mp4", "locked", "closed"] { mode(name, 0) }
      // May be listed, but nothing in it reached.
      mode("half", 0o444)
      let user = geteuid()
      if user == 0 { #expect(seteuid(65534) == 0) }
      let outcomes = tree.outcomes()
      if user == 0 { #expect(seteuid(0) == 0) }
      for name in ["closed", "half"] { mode(name, 0o700) }
      #expect(
        outcomes == [
          "locked.mp4": "unreadable", "closed": "unreadable", "half/1x1.mp4": "unreadable", "sub/good.mp4": "96x96",
          "zz.mp4": "96x96",
        ])
    }
  }

  @Test func `a file that is too large is a candidate and gets that error`() throws {
    let tree = try Tree()
    // The head of a video and five gigabytes of nothing, without the name of a video.
    try tree.copy(Tree.other, to: "in/large")
    unsafe #expect(tree.root.path("in/large").withPlatformString { truncate($0, 5 << 30) } == 0)
    #expect(tree.outcomes()["large"] == "too-large")
  }

  @Test func `previews of very many files of one name are numbered without end`() {
    // 200 paths take this thread a second in a test build. Trying each number from 2 on would take it five.
    let count = Nightly.isOn ? 3000 : 200
    let start = LimitsTests.processorSeconds
    let paths = (0..<count).map { FilePath("/nowhere/\($0)/1x1.mp4") }
    let stems = CandidateFinder.find(paths).map(\.previewStem)
    #expect(Set(stems).count == paths.count)
    #expect(stems.first == "0/1x1" && stems.last == FilePath("\(count - 1)/1x1"))
    let equal = (0..<count).map { FilePath("/nowhere/\($0)/motion/1x1.mp4") }
    let numbered = CandidateFinder.find(equal).map(\.previewStem)
    #expect(Set(numbered).count == equal.count)
    #expect(numbered.first == "motion/1x1" && numbered.last == FilePath("motion-\(count)/1x1"))
    #expect(LimitsTests.processorSeconds - start < 0.02 * Double(count))
  }
}
