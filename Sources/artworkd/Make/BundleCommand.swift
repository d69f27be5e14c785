import ArgumentParser
import ArtworkModel
import ArtworkPipeline
import SystemPackage

struct BundleCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "bundle",
    abstract: "Make every file that players and servers need for a release.",
    discussion: """
      RELEASE is a folder with a video, an animation or a cover. Writes cover.mp4 and \
      cover_3x4.mp4, their previews, cover.webp, cover.gif, the still cover, resources.ddex.xml, and \
      artwork.json with digests. Files that exist and pass are copied; missing ones are made from the others. \
      A video that cannot be read is left out, with a message. \
      docs/sidecar.md has the names. All files of a release are written, or none. Never replaces an \
      existing file.

      Exit codes: 0 written, 2 a release could not be read, or a file could not be made or \
      written, 64 usage error, 69 a required part of the sandbox is missing, 130 interrupted.
      """)

  @Argument(
    help:
      "The folder of a release. With several, each gets a folder of the same name in the output.")
  var releases: [PathArgument]

  @Option(
    name: .shortAndLong,
    help: ArgumentHelp("Write to this folder, which is made if needed.", valueName: "dir"))
  var output: PathArgument

  @Option(
    help: ArgumentHelp(
      "Bundle only this part of the releases, for example 3/64.", valueName: "i/n"),
    transform: Shard.init(argument:))
  var shard: Shard?

  @OptionGroup(title: "Isolation")
  var isolation: IsolationOptions

  func validate() throws {
    if output.isStandardStream {
      throw ValidationError("A bundle cannot go to standard output: name a folder.")
    }
    let names = releases.map(\.path.lastComponent)
    if names.count > 1, names.contains(nil) || Set(names).count < names.count {
      throw ValidationError("Several releases need folders with different names.")
    }
  }

  func run() throws {
    // Before the first thread.
    let inspector = try isolation.prepare(jobs: 1).inspector
    let interrupt = Interrupt { Interrupt.notify() }
    var fails = false
    withExtendedLifetime(interrupt) {
      for release in releases.map(\.path) {
        let name = release.lastComponent?.string ?? release.string
        if let shard, !shard.holds(name) { continue }
        do throws(InspectionError) {
          try bundle(
            release, into: releases.count > 1 ? output.path.appending(name) : output.path,
            inspector)
        } catch {
          SingleFile.printError(error, of: release)
          fails = true
        }
      }
    }
    if fails { throw ExitStatus.unreadableInput.code }
  }

  private func bundle(
    _ release: FilePath, into target: FilePath, _ inspector: any JobRunner
  ) throws(InspectionError) {
    try OutputFolder.make(target)
    for name in ReleaseBundler.names {
      try SingleFile.requirePlace(for: target.appending(name))
    }
    var bundler = ReleaseBundler(inspector, release, into: target) { name in
      if Terminal.canRedraw { Terminal.printError("making \(name)\n") }
    } skips: { path, error in
      SingleFile.printError(error, of: path)
    }
    let text = try bundler.bundle().map { file in
      let size = file.width.map { " \($0)x\(file.height ?? 0)," } ?? ""
      let seam = file.seam.map { "; \($0.rawValue)" } ?? ""
      return Terminal.outputStyle.paint("✓ ", .good)
        + "\(target.appending(file.name).string.printable):\(size) \(file.bytes) bytes, "
        + "\(file.madeBy) of \(file.madeOf.printable)\(seam)\n"
        + (file.leftOut.map { "! \($0.printable)\n" } ?? "")
    }.joined()
    try SingleFile.print(Array(text.utf8))
  }
}
