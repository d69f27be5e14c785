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

/// How a release is written: beside the tree that is read, or in the place of its files.
extension Destination {
  /// Why a file cannot get this path; `nil` if it can.
  func obstacle(_ path: FilePath, replacing old: FilePath?) -> String? {
    if case .inPlace = self, path == old { return nil }
    return OutputFile.existing(path)
  }

  /// Writes the new files of a release: all or none of those that take a place.
  func write(_ files: [Repair.NewFile]) throws(InspectionError) {
    switch self {
    case .file, .folder:
      var written = NewFiles()
      do throws(InspectionError) {
        for file in files {
          try OutputFile.makeFolder(file.path.removingLastComponent(), or: "write into")
          try written.create(file.bytes, as: file.path)
        }
      } catch {
        written.removeAll()
        throw error
      }
      written.keep()
      mark()
    case .inPlace:
      guard let first = files.first else { return }
      let folder = FilePath.folder(
        of: files.flatMap { [$0.path, $0.replaces].compactMap(\.self) }.map(\.withoutDots))
      func name(_ path: FilePath) throws(InspectionError) -> FilePath {
        var below = path.withoutDots
        guard path.percentEncodedUnlessText == nil, folder.isEmpty || below.removePrefix(folder)
        else {
          throw InspectionError(
            .videoNotWritten,
            "\(path.string.printable) is not UTF-8: rename it, or use --output-dir")
        }
        return below
      }
      var (new, replaced) = ([KeptOriginals.NewFile](), [FilePath]())
      for file in files {
        new.append(.init(try name(file.path), file.bytes))
        if let old = file.replaces { replaced.append(try name(old)) }
      }
      do throws(KeptOriginals.Failure) {
        try KeptOriginals(of: folder).replace(replaced, by: new)
      } catch {
        throw InspectionError(
          .videoNotWritten,
          "cannot replace \(first.path.string): \(error.sentence)")
      }
    }
  }

  /// Has searches leave the folder out.
  func mark() {
    guard case .folder(let folder) = self else { return }
    let path = folder.appending(CandidateFinder.outputMarker)
    if OutputFile.existing(path) != nil { return }
    try? AtomicFile.write(
      Array(
        "artworkd repair filled this folder, so searches of the folders above leave it out.\n".utf8),
      to: path)
  }

  /// Links the rest of a release that was written, so that it is complete also if the run ends here.
  ///
  /// - Parameters:
  ///   - files: its videos, cover and previews, which have a root.
  ///   - replaced: those that have a new one in their place.
  func completeRelease(_ files: [Candidate], without replaced: [FilePath]) {
    guard let first = files.first, place(of: first.path, beside: first) != nil else { return }
    for path in files.map(\.path) where !replaced.contains(path) {
      // What fails here is reported of the whole tree.
      if let place = place(of: path, beside: first) { try? link(path, as: place) }
    }
    mark()
  }

  /// The place of a file in the folder, if it lies below the same root as a candidate.
  private func place(of path: FilePath, beside candidate: Candidate) -> FilePath? {
    var (own, other) = (candidate.path, path)
    guard case .folder(let output) = self, let root = candidate.folder, own.removePrefix(root),
      other.removePrefix(root)
    else { return nil }
    let stem = candidate.previewStem.components
    return output.appending(stem.prefix(max(0, stem.count - own.components.count)))
      .appending(other.components)
  }

  /// Completes the tree of releases in the folder: links videos that stay, and covers and previews, or copies them.
  ///
  /// - Parameters:
  ///   - candidates: all that were found.
  ///   - replaced: files that have a new one in their place.
  /// - Returns: why the folders of candidates are not complete: another file has the name, or the disk is full.
  func complete(
    _ candidates: [Candidate], without replaced: Set<FilePath>
  ) -> [FilePath: InspectionError] {
    let found = Set(candidates.map(\.path))
    var done: Set<FilePath> = []
    var (faults, failures) = ([FilePath: InspectionError](), [FilePath: InspectionError]())
    for candidate in candidates {
      guard let root = candidate.folder, place(of: candidate.path, beside: candidate) != nil
      else { continue }
      func complete(_ folder: FilePath) throws(InspectionError) {
        guard let opened = try? Folder(opening: folder), let entries = try? opened.entries(of: "")
        else { return }
        for entry in entries where entry.kind == .file && !entry.name.string.hasPrefix(".") {
          let path = folder.appending(entry.name)
          if replaced.contains(path)
            || !found.contains(path) && !CandidateFinder.isNamedLikeStill(path)
              && entry.name.string.lowercased() != FolderNames.list
          {
            continue
          }
          if let place = place(of: path, beside: candidate) { try link(path, as: place) }
        }
      }
      let own = candidate.path.removingLastComponent()
      for folder in [own, Catalogue.home(of: candidate.path)] where folder.starts(with: root) {
        if done.insert(folder).inserted {
          do throws(InspectionError) { try complete(folder) } catch { faults[folder] = error }
        }
        failures[candidate.path] = failures[candidate.path] ?? faults[folder]
      }
    }
    if !done.isEmpty { mark() }
    return failures
  }

  private func link(_ source: FilePath, as target: FilePath) throws(InspectionError) {
    if OutputFile.existing(target) != nil {
      if FileIdentity(source) == FileIdentity(target) { return }
      let same = FileDigester()
      if same.digest(of: Candidate(path: source)) == same.digest(of: Candidate(path: target)) {
        return
      }
      throw InspectionError(.videoNotWritten, "\(target.string) exists, and is not replaced")
    }
    try OutputFile.makeFolder(target.removingLastComponent(), or: "write into")
    do throws(Errno) {
      try DurableFiles.link(source, to: target)
    } catch {
      // Another file system, or one without links.
      guard let bytes = try? source.contents(atMost: .max) else {
        throw InspectionError(.unreadable, "cannot copy \(source.string)")
      }
      try AtomicFile.create(bytes, as: target)
    }
  }
}

/// What was changed in place.
extension KeptOriginals {
  /// What was changed in place: the folders that are named and those below them, with `nil`, and the folders where named
  /// files were changed, with their names.
  static func changes(_ paths: [FilePath]) -> [(folder: FilePath, names: Set<String>?)] {
    var found: [(folder: FilePath, names: Set<String>?)] = []
    var pending = paths.filter(\.isFolder)
    while let folder = pending.popLast() {
      if KeptOriginals(of: folder).hasChanges { found.append((folder, nil)) }
      guard let opened = try? Folder(opening: folder), let entries = try? opened.entries(of: "")
      else { continue }
      pending += entries.filter { $0.kind == .folder && !$0.name.string.hasPrefix(".") }
        .map { folder.appending($0.name) }
    }
    for path in paths where !path.isFolder {
      guard let (folder, name) = change(of: path) else { continue }
      found.append((folder, [name.string]))
    }
    return found.sorted { $0.folder.string < $1.folder.string }
  }

  /// The folder whose originals a file is among, or is made of, and its name below that: files of a release may lie in
  /// folders of their own.
  private static func change(of path: FilePath) -> (folder: FilePath, name: FilePath)? {
    let path = path.withoutDots
    var folder = path
    while folder.removeLastComponent() {
      var name = path
      guard folder.isEmpty || name.removePrefix(folder) else { continue }
      if KeptOriginals(of: folder).changed(name) { return (folder, name) }
    }
    return nil
  }

  /// Where the original of a file is that was replaced in place; `nil` for another file.
  static func original(of path: FilePath) -> FilePath? {
    change(of: path).flatMap { KeptOriginals(of: $0.folder).original(of: $0.name) }
  }
}

extension FilePath {
  /// The path without components that are `.`.
  fileprivate var withoutDots: FilePath {
    FilePath(root: root, components.filter { $0.kind != .currentDirectory })
  }
}

extension KeptOriginals.Failure {
  var sentence: String {
    switch self {
    case .system(let reason): reason.description.lowercased()
    case .isBusy: "another process changes this folder"
    case .changed(let name): "\(name) was changed since: move it away first"
    case .malformed: ".artworkd/changes.json cannot be read"
    }
  }
}
