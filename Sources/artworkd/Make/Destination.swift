import ArgumentParser
import ArtworkPipeline
import Glibc
import SystemPackage

/// The place of new videos: a file that was named; a folder, in which they keep their places below the folders that were
/// searched; or that of the videos themselves.
enum Destination: Sendable {
  case file(FilePath)
  case folder(FilePath)
  case inPlace

  /// The place that `-o`, `--output-dir` or `--in-place` names; `nil` for none of them.
  init?(_ inputs: InputOptions, inPlace: Bool = false) {
    if inPlace {
      self = .inPlace
    } else if let output = inputs.output {
      self = .file(output.path)
    } else if let outputDir = inputs.outputDir {
      self = .folder(outputDir.path)
    } else {
      return nil
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
    case .file(let path): return path
    case .folder(let path):
      return path.appending(candidate.previewStem.components).suffixed(".\(container.rawValue)")
    case .inPlace:
      var path = candidate.path
      path.extension = nil
      return path.suffixed(".\(container.rawValue)")
    }
  }

  /// Writes a new file, and makes the folders that it needs in the folder.
  ///
  /// - Throws: `video-not-written`, also if the name exists.
  func create(_ movie: [UInt8], as target: FilePath) throws(InspectionError) {
    if case .folder = self {
      try OutputFile.makeFolder(target.removingLastComponent(), or: "write into")
    }
    try AtomicFile.create(movie, as: target)
  }
}

/// Checks and writes the files of commands.
enum OutputFile {
  /// Why no file can get this name, as a sentence; `nil` if nothing has it.
  static func existing(_ path: FilePath) -> String? {
    var status = stat()
    guard unsafe path.withPlatformString({ unsafe lstat($0, &status) }) == 0 else { return nil }
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

/// Keeps the files that a command writes distinct from each other, and from those that it reads.
enum OverwriteCheck {
  /// A file that would be lost.
  struct Refusal: Error {
    var message: String
  }

  /// Refuses outputs that share a file, or that would replace an input.
  ///
  /// - Parameters:
  ///   - outputs: files to write, each replacing an existing one.
  ///   - inputs: called only if an output already exists.
  ///   - what: the kind of an output, as a noun.
  static func refuse(
    _ outputs: [FilePath], over inputs: @autoclosure () -> [FilePath], what: String = "report"
  ) throws(Refusal) {
    var names: [FileIdentity: FilePath] = [:]
    for output in outputs {
      guard let identity = FileIdentity(output) else { continue }
      if names.updateValue(output, forKey: identity) != nil {
        throw Refusal(message: "two \(what)s cannot share the file \(output.string)")
      }
    }
    guard outputs.contains(where: { FileState(of: $0) != nil }) else { return }
    for input in inputs() {
      guard let identity = FileIdentity(input), let output = names[identity] else { continue }
      throw Refusal(message: "refusing to write a \(what) over \(output.string)")
    }
  }

  /// Refuses outputs like ``refuse(_:over:what:)`` while options are validated.
  ///
  /// - Throws: `ValidationError` with a sentence.
  static func validate(
    _ outputs: [FilePath], over inputs: [FilePath] = [], what: String = "report"
  ) throws {
    do throws(Refusal) {
      try refuse(outputs, over: inputs, what: what)
    } catch {
      throw ValidationError(error.message.prefix(1).uppercased() + error.message.dropFirst() + ".")
    }
  }
}
