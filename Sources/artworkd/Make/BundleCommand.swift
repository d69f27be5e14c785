public import ArgumentParser
import ArtworkModel
public import ArtworkPipeline
import Synchronization
import SystemPackage

struct BundleCommand: MakingCommand {
  static let configuration = CommandConfiguration(
    commandName: "bundle",
    abstract: "Make every file that players and servers need for a release.",
    discussion: """
      RELEASE is a folder with a video, an animation or a cover, or one above several of those, each of which gets its \
      own folder in the output. Writes cover.mp4 and \
      cover_3x4.mp4, their previews, cover.webp, cover.gif, the still cover, and artwork.json with digests. Files that exist and pass are copied, and faulty ones repaired; missing ones are made from \
      the others, and from the cover only if there is no video. A video that cannot be used is left out, with a message. \
      --names has the names of servers. All files of a release are written, or none. Never \
      replaces an existing file.

      \(ExitStatus.words)
      """)

  @Argument(
    help:
      "The folder of a release. With several, each gets a folder of the same name in the output.")
  var releases: [PathArgument]

  @Option(
    name: .shortAndLong,
    help: ArgumentHelp("Write to this folder, which is made if needed.", valueName: "dir"))
  var output: PathArgument

  @Option(help: "Write only what this server reads, under its names.")
  var names = BundleNames.players

  @Flag(help: "Set the cover in motion also where a video cannot be repaired.")
  var animateMissing = false

  @OptionGroup
  var isolation: IsolationOptions

  func validate() throws {
    try output.requireFolder("A bundle")
    let names = releases.map(\.path.lastComponent)
    if names.count > 1, names.contains(nil) || Set(names).count < names.count {
      throw ValidationError("Several releases need folders with different names.")
    }
  }

  /// The releases, each with its place in the output.
  func inputs(_ configuration: Configuration) throws -> [Candidate] {
    var found: [Candidate] = []
    do throws(InspectionError) {
      for named in releases.map(\.path) {
        let own = releases.count > 1 ? FilePath(Self.name(of: named)) : FilePath()
        let places =
          named.isFolder ? try ReleaseBundler.releases(below: named) : [(named, FilePath())]
        found += places.map {
          Candidate(path: $0.0, folder: nil, previewStem: own.appending($0.1.components))
        }
      }
    } catch {
      Terminal.printError("artworkd: \(error.message.printable)\n  → \(error.help)\n")
      throw ExitStatus.usage.code
    }
    return found
  }

  static func name(of release: FilePath) -> String {
    release.lastComponent?.string ?? release.string
  }

  func make(_ input: Candidate, into made: inout [BundledRelease], _ run: MakingRun) async throws {
    let target = output.path.appending(input.previewStem.components)
    let places = ReleaseBundler.names.compactMap { name in
      names.name(of: name).map { (made: name, path: target.appending($0)) }
    }
    try OutputFile.makeFolder(target)
    for place in places { try OutputFile.requirePlace(for: place.path) }
    made = [
      names == .players
        ? try await bundle(input.path, into: target, run)
        : try await place(input.path, at: places, in: target, run)
    ]
  }

  /// Makes all files in a temporary folder, and places those that a server reads.
  private func place(
    _ release: FilePath, at places: [(made: String, path: FilePath)], in target: FilePath,
    _ run: MakingRun
  ) async throws -> BundledRelease {
    let staging = try OutputFile.temporaryFolder()
    defer { AtomicFile.removeFolder(staging) }
    var bundled = try await bundle(release, into: staging, run)
    var new = NewFiles()
    do {
      // What a release lacks, such as a still cover, is not in its bundle.
      bundled.files = try places.compactMap { place in
        guard var file = bundled.files.first(where: { $0.name == place.made }),
          let name = place.path.lastComponent?.string
        else { return nil }
        let made = Candidate(path: staging.appending(place.made))
        guard let bytes = made.contents(atMost: 1 << 30) else {
          throw InspectionError(.unreadable, "\(made.path.string) cannot be read again")
        }
        try new.create(bytes, as: place.path)
        file.name = name
        return file
      }
    } catch {
      new.removeAll()
      throw error
    }
    new.keep()
    bundled.target = target
    return bundled
  }

  private func bundle(
    _ release: FilePath, into target: FilePath, _ run: MakingRun
  ) async throws -> BundledRelease {
    let skipped = Mutex<[String]>([])
    let files = try await run.value(
      of: run.pipeline.bundle(release, into: target, animatesMissing: animateMissing) { name in
        if Terminal.canRedraw { Terminal.printError("making \(name)\n") }
      } skips: { path, error in
        Terminal.printError(error, of: path)
        skipped.withLock { $0.append("\(path.string) is left out: \(error.message)") }
      })
    return BundledRelease(
      target: target, files: files,
      leftOut: skipped.withLock { $0 } + files.compactMap(\.leftOut))
  }

  func output(_ made: [BundledRelease], of input: Candidate) -> [UInt8] {
    let style = Terminal.outputStyle
    return made.flatMap { release in
      release.files.flatMap { file in
        let size = file.width.map { " \($0)x\(file.height ?? 0)," } ?? ""
        let seam = file.seam.map { "; \($0.rawValue)" } ?? ""
        return Array(
          (style.paint("✓ ", .good)
            + "\(release.target.appending(file.name).string.printable):\(size) \(file.bytes) bytes, "
            + "\(file.madeBy) of \(file.madeOf.printable)\(seam)\n").utf8)
      }
    }
  }

  /// What was left out comes last.
  func close(_ results: MakingResults<BundledRelease>) -> ExitStatus {
    let leftOut = results.made.flatMap(\.leftOut)
    Terminal.emit {
      leftOut.map { Terminal.outputStyle.paint("! ", .warning) + $0.printable + "\n" }.joined()
    }
    return leftOut.isEmpty ? .success : .findings
  }
}

/// The files of a release, and the videos that are not among them.
struct BundledRelease: Sendable {
  var target: FilePath
  var files: [BundledFile]
  var leftOut: [String]
}

extension BundleNames: ExpressibleByArgument {}
