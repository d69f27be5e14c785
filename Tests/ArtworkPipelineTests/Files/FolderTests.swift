import Glibc

/// With openat2, and with the fallback for systems without it.
@Suite(.timeLimit(.minutes(5))) struct FolderTests {
  /// `in/` is the folder, `out/` is beside it; both hold a `file` with its folder's name.
  final class Tree {
    let root: TemporaryFolder

    init() throws {
      root = try TemporaryFolder()
      for name in ["in/sub/deep", "out"] { try root.make(name) }
      for name in ["in/file", "in/sub/file", "in/sub/deep/file", "out/file"] { try Data(name.utf8).write(to: root.url(name)) }
    }

    func link(_ name: String, to target: String) throws { try root.link(name, to: target) }

    /// The contents read through the folder, or the error.
    func read(_ below: String, avoidsKernel: Bool) throws -> Result<String, OpenError> {
      let folder = try Folder(opening: root.path("in"), avoidsKernel: avoidsKernel)
      do throws(OpenError) {
        let file = try folder.openFile(FilePath(below))
        defer { try? file.close() }
        var bytes = [UInt8](repeating: 0, count: 100)
        var count = 0
        do { count = try unsafe bytes.withUnsafeMutableBytes { try unsafe file.read(into: $0) } } catch let error as Errno
          where error == .isDirectory
        { return .success("folder") } catch {}
        return .success(String(decoding: bytes[..<count], as: UTF8.self))
      } catch { return .failure(error) }
    }
  }

  @Test(arguments: [false, true])
  func `what lies in the folder is opened`(avoidsKernel: Bool) throws {
    let tree = try Tree()
    for (below, content) in [
      ("file", "in/file"), ("sub/deep/file", "in/sub/deep/file"), ("./sub/./file", "in/sub/file"), ("sub", "folder"),
      ("", "folder"),
    ] { #expect(try tree.read(below, avoidsKernel: avoidsKernel) == .success(content), "\(below)") }
    #expect(try tree.read("none", avoidsKernel: avoidsKernel) == .failure(.system(.noSuchFileOrDirectory)))
    #expect(try tree.read("file/none", avoidsKernel: avoidsKernel) == .failure(.system(.notDirectory)))
  }

  @Test(arguments: [false, true])
  func `no way leads out of it`(avoidsKernel: Bool) throws {
    let tree = try Tree()
    try tree.link("in/out-file", to: "../out/file")
    try tree.link("in/out-folder", to: "../out")
    try tree.link("in/absolute", to: tree.root.path("out/file").string)
    // Where an absolute link points makes no difference.
    try tree.link("in/absolute-inside", to: tree.root.path("in/file").string)
    try tree.link("in/chain", to: "sub/chain")
    try tree.link("in/sub/chain", to: "../out-file")
    try tree.link("in/there-and-back", to: "../in/file")
    try tree.link("in/descriptor", to: "/proc/self/fd/0")
    for below in [
      "out-file", "out-folder/file", "out-folder", "absolute", "absolute-inside", "chain", "sub/chain", "there-and-back",
      "descriptor", "../out/file", "sub/../../out/file", tree.root.path("out/file").string,
    ] { #expect(try tree.read(below, avoidsKernel: avoidsKernel) == .failure(.leadsOut), "\(below)") }
  }

  @Test func `links that stay inside are followed by the kernel, and refused without it`() throws {
    let tree = try Tree()
    try tree.link("in/again", to: "sub/file")
    try tree.link("in/sub/up", to: "../file")
    try tree.link("in/chain", to: "again")
    try tree.link("in/folder", to: "sub")
    for (below, content) in [
      ("again", "in/sub/file"), ("sub/up", "in/file"), ("chain", "in/sub/file"), ("folder/deep/file", "in/sub/deep/file"),
      ("folder", "folder"), ("sub/../file", "in/file"),
    ] {
      #expect(try tree.read(below, avoidsKernel: true) == .failure(.leadsOut), "\(below)")
      if Self.kernelHelps { #expect(try tree.read(below, avoidsKernel: false) == .success(content), "\(below)") }
    }
    try tree.link("in/loop", to: "loop")
    if Self.kernelHelps { #expect(try tree.read("loop", avoidsKernel: false) == .failure(.system(.tooManySymbolicLinkLevels))) }
  }

  /// Whether links inside a folder are followed here, as with Linux 5.6 and later.
  static let kernelHelps: Bool = {
    guard let tree = try? Tree() else { return false }
    try? tree.link("in/again", to: "file")
    return (try? tree.read("again", avoidsKernel: false)) == .success("in/file")
  }()

  @Test(.enabled(if: ProcessInfo.processInfo.environment["ARTWORKD_OLD_KERNEL"] == nil))
  func `this system's kernel keeps paths inside folders`() {
    #expect(Self.kernelHelps, "set ARTWORKD_OLD_KERNEL where that is to be expected")
  }

  @Test(arguments: [false, true])
  func `hard links are files`(avoidsKernel: Bool) throws {
    let tree = try Tree()
    try FileManager.default.linkItem(at: tree.root.url("out/file"), to: tree.root.url("in/hard"))
    #expect(try tree.read("hard", avoidsKernel: avoidsKernel) == .success("out/file"))
  }

  @Test(arguments: [false, true])
  func `FIFOs, sockets and devices are not opened`(avoidsKernel: Bool) throws {
    let tree = try Tree()
    unsafe #expect(tree.root.path("in/fifo").withPlatformString { mkfifo($0, 0o600) } == 0)
    unsafe #expect(tree.root.path("in/socket").withPlatformString { mknod($0, S_IFSOCK | 0o600, 0) } == 0)
    for below in ["fifo", "socket"] {
      #expect(try tree.read(below, avoidsKernel: avoidsKernel) == .failure(.notAFile), "\(below)")
    }
    #expect(throws: OpenError.notAFile) { _ = try Folder.openNamed("/dev/zero") }
    #expect(throws: OpenError.notAFile) { _ = try Folder.openNamed(tree.root.path("in/fifo")) }
    #expect(throws: OpenError.system(.noSuchFileOrDirectory)) { _ = try Folder.openNamed("") }
  }

  @Test("a folder lists what it holds, and is reached without any link", arguments: [false, true])
  func entries(avoidsKernel: Bool) throws {
    let tree = try Tree()
    try tree.link("in/link", to: "sub")
    unsafe #expect(tree.root.path("in/fifo").withPlatformString { mkfifo($0, 0o600) } == 0)
    let folder = try Folder(opening: tree.root.path("in"), avoidsKernel: avoidsKernel)
    let found = try folder.entries(of: "").map { "\($0.name) \($0.kind)" }.sorted()
    #expect(found == ["fifo other", "file file", "link link", "sub folder"])
    #expect(try folder.entries(of: "sub/deep").map(\.name.string) == ["file"])
    for below in ["link", "link/deep", "none", "file", "fifo", "../out", "sub/../../out"] {
      #expect(throws: OpenError.self, "\(below)") { try folder.entries(of: FilePath(below)) }
    }
  }

  @Test func `the folder itself may be a link, and stays what it was when it moves`() throws {
    let tree = try Tree()
    try tree.link("alias", to: "in")
    let folder = try Folder(opening: tree.root.path("alias"))
    try FileManager.default.moveItem(at: tree.root.url("in"), to: tree.root.url("moved"))
    try tree.link("in", to: "out")
    #expect(try Set(folder.entries(of: "").map(\.name.string)) == ["file", "sub"])
    for (path, error) in [("moved/file", Errno.notDirectory), ("none", .noSuchFileOrDirectory)] {
      #expect(throws: error) { _ = try Folder(opening: tree.root.path(path)) }
    }
  }

  @Test(arguments: [false, true])
  func `descriptors are closed, whatever happens`(avoidsKernel: Bool) async {
    // In a separate process, where nothing else opens files.
    await #expect(processExitsWith: .success) { [avoidsKernel] in
      let tree = try Tree()
      try tree.link("in/out", to: "../out/file")
      #expect(tree.root.path("in/fifo").withPlatformString { mkfifo($0, 0o600) } == 0)
      // The minimum of five: the system's thread pool briefly opens files itself.
      func open() throws -> Int {
        try (0..<5).map { _ in try FileManager.default.contentsOfDirectory(atPath: "/dev/fd").count }.min() ?? 0
      }
      _ = try tree.read("file", avoidsKernel: avoidsKernel)
      let before = try open()
      for _ in 0..<10 {
        for below in ["file", "sub/deep/file", "out", "fifo", "none/x", "sub/none", "sub", ""] {
          _ = try tree.read(below, avoidsKernel: avoidsKernel)
          let folder = try Folder(opening: tree.root.path("in"), avoidsKernel: avoidsKernel)
          _ = try? folder.entries(of: FilePath(below))
        }
      }
      #expect(try open() == before)
    }
  }
}
