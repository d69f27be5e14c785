import ArgumentParser
import ArtworkModel
import ArtworkPipeline
import Synchronization
import SystemPackage

struct BundleCommand: MakingCommand {
  static let configuration = CommandConfiguration(
    commandName: "bundle",
    abstract: "Make every file that players and servers need for a release.",
    discussion: """
      RELEASE is a folder with a video, an animation or a cover. Writes cover.mp4 and \
      cover_3x4.mp4, their previews, cover.webp, cover.gif, the still cover, resources.ddex.xml, and \
      artwork.json with digests. Files that exist and pass are copied, and faulty ones repaired; missing ones are made from \
      the others, and from the cover only if there is no video. A video that cannot be used is left out, with a message. \
      docs/sidecar.md has the names; --names has those of servers. With --into, files are placed beside the music whose tags \
      name the release's folder, ARTIST/ALBUM; what is there stays. All files of a release are written, or none. Never \
      replaces an existing file.

      Exit codes: 0 written, 1 written, but a video was left out, 2 a release could not be read, or a file could not be made or \
      written, 64 usage error, 69 a required part of the sandbox is missing, 130 interrupted.
      """)

  @Argument(
    help:
      "The folder of a release. With several, each gets a folder of the same name in the output.")
  var releases: [PathArgument]

  @Option(
    name: .shortAndLong,
    help: ArgumentHelp("Write to this folder, which is made if needed.", valueName: "dir"))
  var output: PathArgument?

  @Option(
    help: ArgumentHelp(
      "Place the files in this music library instead, by its tags.", valueName: "music"))
  var into: PathArgument?

  @Option(help: "Write only what this server reads, under its names.")
  var names = BundleNames.sidecar

  @Flag(help: "With --into: print what would be placed, and make nothing.")
  var dryRun = false

  @Flag(help: "Set the cover in motion also where a video cannot be repaired.")
  var animateMissing = false

  @Option(
    help: ArgumentHelp(
      "Bundle only this part of the releases, for example 3/64.", valueName: "i/n"),
    transform: Shard.init(argument:))
  var shard: Shard?

  @OptionGroup(title: "Isolation")
  var isolation: IsolationOptions

  func validate() throws {
    guard (output == nil) != (into == nil) else {
      throw ValidationError("Name a folder with --output, or a music library with --into.")
    }
    try output?.refuseStream("A bundle", name: "folder")
    if dryRun, into == nil { throw ValidationError("--dry-run needs --into.") }
    let names = releases.map(\.path.lastComponent)
    if into == nil, names.count > 1, names.contains(nil) || Set(names).count < names.count {
      throw ValidationError("Several releases need folders with different names.")
    }
  }

  func inputs(_ configuration: Configuration) -> [Candidate] {
    releases.map { Candidate(path: $0.path) }.filter {
      shard?.holds(Self.name(of: $0.path)) ?? true
    }
  }

  static func name(of release: FilePath) -> String {
    release.lastComponent?.string ?? release.string
  }

  func make(_ input: Candidate, into made: inout [BundledRelease], _ run: MakingRun) async throws {
    if let output, names == .sidecar {
      let target =
        releases.count > 1 ? output.path.appending(Self.name(of: input.path)) : output.path
      try OutputFile.makeFolder(target)
      for name in ReleaseBundler.names { try OutputFile.requirePlace(for: target.appending(name)) }
      made = [try await bundle(input.path, into: target, run)]
    } else {
      made = try await place(input.path, run)
    }
  }

  func bundle(
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
