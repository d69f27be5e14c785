import ArtworkClients
import ArtworkService
import ArtworkStore
import TestSupport

@testable import artworkd

@Suite struct StagedFilesTests {
  @Test("what is staged is reported, relative to the current folder, whatever it is called")
  func staged() async throws {
    let repository = try Repository()
    for name in ["kept.mp4", "modified.mp4", "old name.mp4", "gone.mp4"] {
      try repository.write("in/\(name)", "\(name) first")
    }
    try repository.git(["add", "."])
    try repository.git(["commit", "--quiet", "-m", "first"])
    try repository.write("in/modified.mp4", "second")
    try repository.write("in/line\nend \"é\".mp4", "new")
    try repository.write("top.mp4", "new")
    try repository.write("untracked.mp4", "new")
    try repository.git(["mv", "in/old name.mp4", "in/new name.mp4"])
    try repository.git(["rm", "--quiet", "in/gone.mp4"])
    try repository.git(["add", "in", "top.mp4"])
    let odd = FilePath(repository.folder.root.path).appending("in")
      .pushing(FilePath(bytes: [0x78, 0xff, 0x2e, 0x6d]))
    let file = try FileDescriptor.open(
      odd, .writeOnly, options: .create, permissions: .ownerReadWrite)
    try file.close()
    try repository.git(["add", "in"])
    // Changed since, and gone since.
    try repository.write("in/modified.mp4", "third")
    try FileManager.default.removeItem(at: repository.folder.url("top.mp4"))

    let files = try await StagedFiles.read(in: FilePath(repository.folder.url("in").path))
    let names: [FilePath] = [
      "line\nend \"é\".mp4", "modified.mp4", "new name.mp4",
      FilePath(bytes: [0x78, 0xff, 0x2e, 0x6d]),
      "../top.mp4",
    ]
    #expect(files.paths == names)
    #expect(files.differing == ["modified.mp4", "../top.mp4"])
    let atTop = try await StagedFiles.read(in: FilePath(repository.folder.root.path))
    #expect(atTop.paths.first == "in/line\nend \"é\".mp4" && atTop.paths.last == "top.mp4")
  }

  @Test("a first commit has staged files too, and nothing staged is no error")
  func first() async throws {
    let repository = try Repository()
    let path = FilePath(repository.folder.root.path)
    #expect(try await StagedFiles.read(in: path).paths == [])
    try repository.write("a.mp4", "a")
    try repository.git(["add", "."])
    #expect(try await StagedFiles.read(in: path).paths == ["a.mp4"])
  }

  @Test("outside a repository, it reports that")
  func outside() async throws {
    let folder = try TemporaryFolder()
    let failure = await #expect(throws: StagedFiles.Failure.self) {
      _ = try await StagedFiles.read(in: FilePath(folder.root.path))
    }
    #expect(
      failure?.description.hasPrefix("--staged needs a git repository; git says: fatal: not a git")
        == true)
  }

  @Test("without git, it reports that")
  func withoutGit() async throws {
    let folder = try TemporaryFolder()
    let failure = await #expect(throws: StagedFiles.Failure.self) {
      _ = try await StagedFiles.read(git: "no-such-git", in: FilePath(folder.root.path))
    }
    #expect(failure?.description == "--staged needs git, which is not on the PATH")
  }
}
