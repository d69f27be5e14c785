import ArgumentParser
import ArtworkClients
import ArtworkModel
import ArtworkPipeline
import ArtworkService
import SystemPackage

/// What commands on a single file have in common: how they fail, and how they write.
enum OneFile {
  /// Runs `body`; a refusal is told with the file's name, and ends the command.
  static func run(_ file: FilePath, _ body: () throws(InspectionError) -> Void) throws {
    do throws(InspectionError) {
      try body()
    } catch {
      Terminal.say(
        "artworkd: \(file.string.printable): \(error.description.printable)\n  → \(error.help)\n")
      throw ExitStatus.unreadableInput.code
    }
  }

  /// Writes a file where there is something to write, and returns where.
  static func write(
    _ bytes: [UInt8]?, to target: FilePath
  ) throws(InspectionError) -> FilePath? {
    guard let bytes else { return nil }
    try written(target.string) { () throws(Errno) in try AtomicFile.write(bytes, to: target) }
    return target
  }

  /// A command that makes one picture of a file: prepares the inspector, and writes what `draw` gives.
  ///
  /// - Parameter target: where to write without an `output`.
  static func draw(
    _ file: FilePath, to output: PathArgument?, otherwise target: FilePath,
    isolation: IsolationOptions,
    _ draw: (any LoopInspector) throws(InspectionError) -> [UInt8]
  ) throws {
    if output?.isStandardStream == true, Terminal.outputIsTerminal {
      throw ValidationError("-o - writes a PNG, which is nothing for a terminal: name a file.")
    }
    // Before the first thread.
    let inspector = try isolation.inspector(jobs: 1)
    let interrupt = Interrupt {}
    try withExtendedLifetime(interrupt) {
      try run(file) { () throws(InspectionError) in
        try writePicture(draw(inspector), to: output, otherwise: target)
      }
    }
  }

  /// Writes a command's only picture and prints its path, or the picture itself where `output` is `-`.
  private static func writePicture(
    _ picture: [UInt8], to output: PathArgument?, otherwise target: FilePath
  ) throws(InspectionError) {
    if output?.isStandardStream == true { return try print(picture) }
    let target = output?.path ?? target
    _ = try write(picture, to: target)
    // Its very bytes for scripts; what they do to a terminal is another matter.
    let told = Terminal.outputIsTerminal ? Array(target.string.printable.utf8) : target.pathBytes
    try print(told + [UInt8(ascii: "\n")])
  }

  static func print(_ bytes: [UInt8]) throws(InspectionError) {
    try written("to standard output") { () throws(Errno) in try Terminal.write(bytes) }
  }

  private static func written(
    _ target: String, _ write: () throws(Errno) -> Void
  ) throws(InspectionError) {
    do throws(Errno) {
      try write()
    } catch {
      throw InspectionError(
        .previewNotWritten, "cannot write \(target): \(error.description.lowercased())")
    }
  }
}
