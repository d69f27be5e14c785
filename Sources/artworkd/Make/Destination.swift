import ArgumentParser
import ArtworkPipeline
import Glibc
import SystemPackage

/// The place of new videos: a file that was named, or a folder, in which they keep their places below the folders that
/// were searched.
enum Destination: Sendable {
  case file(FilePath)
  case folder(FilePath)

  /// The place that `-o` or `--output-dir` names; `nil` for neither.
  init?(_ output: PathArgument?, _ outputDir: PathArgument?) {
    if let output {
      self = .file(output.path)
    } else if let outputDir {
      self = .folder(outputDir.path)
    } else {
      return nil
    }
  }

  /// Checks `-o` and `--output-dir`.
  ///
  /// - Parameter kind: of an input, as a noun.
  /// - Throws: `ValidationError`.
  static func validate(
    _ output: PathArgument?, _ outputDir: PathArgument?, of inputs: [PathArgument], kind: String
  ) throws {
    if let output {
      if outputDir != nil { throw ValidationError("-o and --output-dir cannot be combined.") }
      _ = try MovieContainer(fileName: output)
      guard inputs.count == 1, !inputs[0].isStandardStream else {
        throw ValidationError("-o takes one \(kind); for more, use --output-dir.")
      }
    }
    try outputDir?.requireFolder("Videos")
    if inputs.count(where: \.isStandardStream) > 1 {
      throw ValidationError("- (standard input) can be given only once.")
    }
  }

  /// Whether the candidate was found only because the folder, which earlier runs may have filled, is below a searched
  /// one.
  func holds(_ candidate: Candidate, among searched: [FilePath]) -> Bool {
    guard case .folder(let path) = self else { return false }
    let folder = path.absolute(in: .currentFolder)
    func isInside(_ path: FilePath) -> Bool {
      path.absolute(in: .currentFolder).starts(with: folder)
    }
    return isInside(candidate.path) && !searched.contains(where: isInside)
  }

  /// The path of a candidate's new file.
  func target(of candidate: Candidate, in container: MovieContainer = .mp4) -> FilePath {
    switch self {
    case .file(let path): path
    case .folder(let path):
      path.appending(candidate.previewStem.components).suffixed(".\(container.rawValue)")
    }
  }

  /// Writes a new file, and makes the folders that it needs.
  ///
  /// - Throws: `video-not-written`, also if the name exists.
  func create(_ movie: [UInt8], as target: FilePath) throws(InspectionError) {
    try OutputFile.makeFolder(target.removingLastComponent(), or: "write into")
    try AtomicFile.create(movie, as: target)
  }
}

/// Checks and writes the files of commands.
enum OutputFile {
  /// Why no file can get this name, as a sentence; `nil` if nothing has it.
  static func existing(_ path: FilePath) -> String? {
    var status = stat()
    guard path.withPlatformString({ lstat($0, &status) }) == 0 else { return nil }
    return "\(path.string) exists, and is not replaced"
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
    try attempt("write \(path.string)", .videoNotWritten) { () throws(Errno) in
      try AtomicFile.requirePlace(for: path)
    }
  }

  /// Makes a folder and those above it that are missing.
  ///
  /// - Parameter purpose: what cannot be done without it, as a verb.
  static func makeFolder(
    _ folder: FilePath, or purpose: String = "make"
  ) throws(InspectionError) {
    try attempt("\(purpose) \(folder.string)", .videoNotWritten) { () throws(Errno) in
      try AtomicFile.makeFolder(folder)
    }
  }

  /// Makes a folder for files that are placed later; see `AtomicFile.removeFolder`.
  static func temporaryFolder() throws(InspectionError) -> FilePath {
    try attempt("make a temporary folder", .videoNotWritten) { () throws(Errno) in
      try AtomicFile.temporaryFolder()
    }
  }

  /// Writes a picture, also over an existing file.
  static func write(_ picture: [UInt8], to target: FilePath) throws(InspectionError) {
    try attempt("write \(target.string)", .previewNotWritten) { () throws(Errno) in
      try AtomicFile.write(picture, to: target)
    }
  }

  private static func attempt<Value>(
    _ operation: String, _ code: InspectionError.Code, _ body: () throws(Errno) -> Value
  ) throws(InspectionError) -> Value {
    do throws(Errno) {
      return try body()
    } catch {
      throw InspectionError(code, "cannot \(operation): \(error.description.lowercased())")
    }
  }
}

extension PathArgument {
  /// - Parameter what: the outputs, at the beginning of a sentence.
  /// - Throws: `ValidationError` for standard output, and for what is there and no folder.
  func requireFolder(_ what: String) throws {
    try refuseStream(what, name: "folder")
    if OutputFile.existing(path) != nil, !path.isFolder {
      throw ValidationError("\(path.string.printable) is a file: name a folder.")
    }
  }

  /// - Parameters:
  ///   - what: the output, at the beginning of a sentence.
  ///   - name: what to name instead.
  /// - Throws: `ValidationError` for standard output.
  func refuseStream(_ what: String, name: String = "file") throws {
    if isStandardStream {
      throw ValidationError("\(what) cannot go to standard output: name a \(name).")
    }
  }
}
