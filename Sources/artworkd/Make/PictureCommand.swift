import ArgumentParser
import ArtworkPipeline
import SystemPackage

/// A command that makes one picture of a file, and replaces an older one. It prints the path of the picture; with `-o -`
/// the picture itself.
protocol PictureCommand: SingleFileCommand where Made == [UInt8] {
  var output: PathArgument? { get }
  /// The path without an ``output``, as PNG.
  var defaultTarget: FilePath { get }
  /// The formats that can be drawn; the name of the output chooses.
  static var formats: [FileFormat] { get }

  func draw(as format: FileFormat, _ run: MakingRun) async throws -> [UInt8]
}

extension PictureCommand {
  func inputs(_ configuration: Configuration) throws -> [Candidate] {
    _ = try format()
    if output?.isStandardStream != true {
      try OverwriteCheck.validate(
        [output?.path ?? defaultTarget], over: [file.path], what: "picture")
    }
    return [Candidate(path: file.path)]
  }

  func make(_ input: Candidate, into made: inout [[UInt8]], _ run: MakingRun) async throws {
    let picture = try await draw(as: try format(), run)
    if output?.isStandardStream == true { return made.append(picture) }
    let target = output?.path ?? defaultTarget
    try OutputFile.write(picture, to: target)
    // Scripts get the exact bytes; a terminal gets no control characters.
    let printed = Terminal.outputIsTerminal ? Array(target.string.printable.utf8) : target.pathBytes
    made.append(printed + [UInt8(ascii: "\n")])
  }

  func output(_ made: [[UInt8]], of input: Candidate) -> [UInt8] { Array(made.joined()) }

  private func format() throws -> FileFormat {
    try output?.pictureFormat(among: Self.formats) ?? .png
  }
}

extension PathArgument {
  /// The format of a picture with this name, from its extension. PNG for standard output and for other names.
  ///
  /// - Throws: `ValidationError` for a name with another format.
  func pictureFormat(among formats: [FileFormat]) throws -> FileFormat {
    if isStandardStream {
      if Terminal.outputIsTerminal {
        throw ValidationError("Refusing to write PNG to a terminal: name a file.")
      }
      return .png
    }
    guard let name = path.extension else { return .png }
    let asked = FileFormat(rawValue: name.lowercased())
    if let asked, formats.contains(asked), asked.isAvailable { return asked }
    // A PNG by another name would puzzle the user who opens it.
    let known = [
      "jpg", "jpeg", "jpe", "gif", "avif", "heic", "bmp", "tif", "tiff", "mp4", "m4v", "mov", "mkv",
      "webm",
    ]
    guard asked != nil || known.contains(name.lowercased()) else { return .png }
    var png = path
    png.extension = "png"
    if let asked, formats.contains(asked) {
      throw ValidationError(
        "This artworkd was built without \(asked.title): use -o \(png.string).")
    }
    let titles = formats.filter(\.isAvailable).map(\.title).listed("and")
    throw ValidationError("Only \(titles) can be written, not .\(name): use -o \(png.string).")
  }
}
