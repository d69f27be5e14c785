import Synchronization

@Suite(.timeLimit(.minutes(5))) struct SwappedFolderTests {
  /// `in/sub` is in turn a real folder and a link to `out/`, which holds the canary.
  final class Swapper: Sendable {
    /// The state that the thread retains: not the folder, which disappears with its last owner.
    private final class Progress: Sendable {
      let swaps = Atomic<Int>(0)
      let isOver = Atomic<Bool>(false)
      let ended = DispatchSemaphore(value: 0)
    }

    let root: TemporaryFolder
    private let progress = Progress()
    static let canary = Fixture.named("good-3x4.mp4")
    static let other = Fixture.named("good-1x1.mp4")

    init() throws {
      root = try TemporaryFolder()
      for (fixture, name) in [
        (Self.other, "in/sub/1x1.mp4"), (Self.canary, "out/1x1.mp4"),
        // With a video extension and without, in which case the content is checked.
        (Self.canary, "out/canary.mp4"), (Self.canary, "out/canary"),
      ] { try root.copy(fixture, to: name) }
      try FileManager.default.createSymbolicLink(atPath: root.url("link").path, withDestinationPath: root.url("out").path)
      let (sub, link, folder) = (root.url("in/sub").path, root.url("link").path, root.url("folder").path)
      Thread.detachNewThread { [progress] in
        while !progress.isOver.load(ordering: .relaxed) {
          unsafe rename(sub, folder)
          unsafe rename(link, sub)
          progress.swaps.add(1, ordering: .relaxed)
          unsafe rename(sub, link)
          unsafe rename(folder, sub)
          progress.swaps.add(1, ordering: .relaxed)
        }
        progress.ended.signal()
      }
    }

    /// Calls `body` at least so often, until there were that many swaps, and until it returns that it has seen
    /// enough.
    func during(swaps count: Int, rounds minimum: Int, _ body: () throws -> Bool) rethrows {
      var rounds = 0
      var hasEnough = false
      while progress.swaps.load(ordering: .relaxed) < count || rounds < minimum || !hasEnough {
        hasEnough = try body()
        rounds += 1
      }
    }

    func stop() {
      progress.isOver.store(true, ordering: .relaxed)
      progress.ended.wait()
    }

    static func size(of path: FilePath) throws -> Int64 {
      let file = try FileDescriptor.open(path, .readOnly)
      return try file.closeAfter { try file.seek(offset: 0, from: .end) }
    }
  }

  @Test func `the search and the inspection never see what is behind the link`() throws {
    let swapper = try Swapper()
    defer { swapper.stop() }
    let root = swapper.root.path("in")
    var sizes: Set<Int64> = []
    var codes: Set<InspectionError.Code> = []
    var found: Set<FilePath> = []
    swapper.during(swaps: Nightly.isOn ? 10_000 : 2000, rounds: 300) {
      for candidate in CandidateFinder.find([root]) {
        found.insert(candidate.path)
        do throws(InspectionError) {
          let (inspection, picture) = try Inspector().inspect(candidate.path, beneath: candidate.folder, preview: .original)
          sizes.insert(inspection.facts.fileBytes)
          #expect(picture?.size == PixelSize(width: 96, height: 96))
        } catch { codes.insert(error.code) }
      }
      return !sizes.isEmpty && codes.contains(.outsideFolder)
    }
    #expect(sizes == [Swapper.other.facts.fileBytes])
    // The folder itself where it was gone or a link by the time it was to be read.
    #expect(found.isSubset(of: [root.appending("sub"), root.appending("sub/1x1.mp4")]))
    #expect(codes.isSubset(of: [.outsideFolder, .notFound, .notAFile]), "\(codes)")
  }

  @Test(arguments: [false, true])
  func `nor does any opening, with the kernel's help or without`(avoidsKernel: Bool) throws {
    let swapper = try Swapper()
    defer { swapper.stop() }
    let path = swapper.root.path("in/sub/1x1.mp4")
    let folder = try Folder(opening: swapper.root.path("in"), avoidsKernel: avoidsKernel)
    var (sizes, plainSizes): (Set<Int64>, Set<Int64>) = ([], [])
    var names: Set<String> = []
    var refusals = 0
    swapper.during(swaps: Nightly.isOn ? 10_000 : 2000, rounds: 1000) {
      do throws(InspectionError) { sizes.insert(try InputFile.open("sub/1x1.mp4", in: folder).size) } catch {
        if error.code == .outsideFolder { refusals += 1 }
      }
      if let entries = try? folder.entries(of: "sub") { names.formUnion(entries.map(\.name.string)) }
      // Negative control: opened by its path, the canary is read.
      if let size = try? Swapper.size(of: path) { plainSizes.insert(size) }
      return sizes.contains(Swapper.other.facts.fileBytes) && refusals > 0
        && plainSizes.contains(Swapper.canary.facts.fileBytes)
    }
    #expect(sizes == [Swapper.other.facts.fileBytes])
    #expect(names == ["1x1.mp4"])
    #expect(plainSizes.contains(Swapper.canary.facts.fileBytes))
  }
}
