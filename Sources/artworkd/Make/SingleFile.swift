import ArgumentParser
import ArtworkModel
import ArtworkPipeline
import Glibc
import SystemPackage

/// The common parts of commands on a single file: error handling and output.
enum SingleFile {
  /// Runs `body`; an error is printed with the file's name, and ends the command.
  static func run(_ file: FilePath, _ body: () throws(InspectionError) -> Void) throws {
    do throws(InspectionError) {
      try body()
    } catch {
      printError(error, of: file)
      throw ExitStatus.unreadableInput.code
    }
  }

  /// Prints the error of a file.
  static func printError(_ error: InspectionError, of file: FilePath) {
    Terminal.printError(
      "artworkd: \(file.string.printable): \(error.description.printable)\n  → \(error.help)\n")
  }

  /// Writes a file if there is something to write, and returns its path.
  static func write(
    _ bytes: [UInt8]?, to target: FilePath
  ) throws(InspectionError) -> FilePath? {
    guard let bytes else { return nil }
    try written(target.string) { () throws(Errno) in try AtomicFile.write(bytes, to: target) }
    return target
  }

  /// Checks that the name is unused, so that nothing is made in vain.
  ///
  /// - Throws: `video-not-written` if it exists.
  static func refuseExisting(_ path: FilePath) throws(InspectionError) {
    if let reason = existing(path) { throw InspectionError(.videoNotWritten, reason) }
  }

  /// Checks that the name is unused and that its folder accepts a file.
  ///
  /// - Throws: `video-not-written` if not.
  static func requirePlace(for path: FilePath) throws(InspectionError) {
    try refuseExisting(path)
    do throws(Errno) {
      try AtomicFile.requirePlace(for: path)
    } catch {
      throw InspectionError(
        .videoNotWritten, "cannot write \(path.string): \(error.description.lowercased())")
    }
  }

  /// Why no file can get this name, as a sentence; `nil` if nothing has it.
  static func existing(_ path: FilePath) -> String? {
    var status = stat()
    guard path.withPlatformString({ lstat($0, &status) }) == 0 else { return nil }
    return "\(path.string) exists, and is not replaced"
  }

  /// A command that makes one picture of a file: prepares the inspector, and writes what `draw` returns.
  ///
  /// - Parameters:
  ///   - target: the path without an `output`, as PNG.
  ///   - formats: those that `draw` can return; the name of the output chooses.
  /// - Throws: `ValidationError` for an output with another format.
  static func draw(
    _ file: FilePath, to output: PathArgument?, otherwise target: FilePath,
    formats: [PreviewFormat] = [.png], isolation: IsolationOptions,
    _ draw: (any JobRunner, PreviewFormat) throws(InspectionError) -> [UInt8]
  ) throws {
    let format = try format(of: output, among: formats)
    if output?.isStandardStream != true {
      try OverwriteCheck.validate([output?.path ?? target], over: [file], what: "picture")
    }
    // Before the first thread.
    let inspector = try isolation.prepare(jobs: 1).inspector
    let interrupt = Interrupt()
    try withExtendedLifetime(interrupt) {
      try run(file) { () throws(InspectionError) in
        try writePicture(draw(inspector, format), to: output, otherwise: target)
      }
    }
  }

  /// The format from the output's extension. PNG for standard output and for other names.
  private static func format(
    of output: PathArgument?, among formats: [PreviewFormat]
  ) throws -> PreviewFormat {
    guard let output else { return .png }
    if output.isStandardStream {
      if Terminal.outputIsTerminal {
        throw ValidationError("Refusing to write PNG to a terminal: name a file.")
      }
      return .png
    }
    guard let name = output.path.extension else { return .png }
    let asked = PreviewFormat(rawValue: name.lowercased())
    if let asked, formats.contains(asked), asked.isAvailable { return asked }
    // A PNG by another name would puzzle the user who opens it.
    let known = [
      "jpg", "jpeg", "jpe", "gif", "avif", "heic", "bmp", "tif", "tiff", "mp4", "m4v", "mov", "mkv",
      "webm",
    ]
    guard asked != nil || known.contains(name.lowercased()) else { return .png }
    var png = output.path
    png.extension = "png"
    if let asked, formats.contains(asked) {
      throw ValidationError(
        "This artworkd was built without \(asked.title): use -o \(png.string).")
    }
    let titles = formats.filter(\.isAvailable).map(\.title).listed("and")
    throw ValidationError("Only \(titles) can be written, not .\(name): use -o \(png.string).")
  }

  /// Writes the picture and prints its path, or prints the picture itself if `output` is `-`.
  private static func writePicture(
    _ picture: [UInt8], to output: PathArgument?, otherwise target: FilePath
  ) throws(InspectionError) {
    if output?.isStandardStream == true { return try print(picture) }
    let target = output?.path ?? target
    _ = try write(picture, to: target)
    // Scripts get the exact bytes; a terminal gets no control characters.
    let printed = Terminal.outputIsTerminal ? Array(target.string.printable.utf8) : target.pathBytes
    try print(printed + [UInt8(ascii: "\n")])
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
