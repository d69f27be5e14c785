import ArgumentParser
import ArtworkModel
import ArtworkPipeline
import SystemPackage

struct BundleCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "bundle",
    abstract: "Make everything that players and servers want of one release.",
    discussion: """
      RELEASE is a folder with a video, an animation or a cover. Writes cover.mp4 and \
      cover_3x4.mp4, their previews, cover.webp, cover.gif, the still cover, and artwork.json with \
      digests. What is there and passes is copied, what is missing is made of what is there. \
      docs/sidecar.md has the names. Never replaces an existing file.

      Exit codes: 0 written, 2 the release could not be read, or a file could not be made or \
      written, 64 usage error, 69 a required part of the sandbox is missing, 130 interrupted.
      """)

  @Argument(help: "The folder of one release.")
  var release: PathArgument

  @Option(
    name: .shortAndLong,
    help: ArgumentHelp("Write to this folder, which is made if needed.", valueName: "dir"))
  var output: PathArgument

  @OptionGroup(title: "Isolation")
  var isolation: IsolationOptions

  func validate() throws {
    if output.isStandardStream {
      throw ValidationError("A bundle cannot go to standard output: name a folder.")
    }
  }

  func run() throws {
    // Before the first thread.
    let inspector = try isolation.prepare(jobs: 1).inspector
    let interrupt = Interrupt { Interrupt.tell() }
    try withExtendedLifetime(interrupt) {
      try OneFile.run(release.path) { () throws(InspectionError) in
        try OutputFolder.make(output.path)
        for name in ReleaseBundler.names {
          try OneFile.requirePlace(for: output.path.appending(name))
        }
        let bundler = ReleaseBundler(inspector, release.path, into: output.path) { name in
          if Terminal.canRedraw { Terminal.say("making \(name)\n") }
        }
        let files = try bundler.bundle()
        try bundler.writeList(files)
        let text = files.map { file in
          let size = file.width.map { " \($0)x\(file.height ?? 0)," } ?? ""
          let seam = file.seam.map { "; \($0.rawValue)" } ?? ""
          return Terminal.outputStyle.paint("✓ ", .good)
            + "\(output.path.appending(file.name).string.printable):\(size) \(file.bytes) bytes, "
            + "\(file.madeBy) of \(file.madeOf.printable)\(seam)\n"
            + (file.leftOut.map { "! \($0.printable)\n" } ?? "")
        }.joined()
        try OneFile.print(Array(text.utf8))
      }
    }
  }
}
