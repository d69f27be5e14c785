import ArtworkPipeline
import Glibc
import SystemPackage

/// The place of repaired files: a file or a folder of new files, or the folder of the originals.
enum RepairPlace: Sendable {
  case new(Destination)
  case inPlace

  /// The path of the file that takes a candidate's place.
  func target(of candidate: Candidate, in container: MovieContainer) -> FilePath {
    switch self {
    case .new(let destination): return destination.target(of: candidate, in: container)
    case .inPlace:
      var path = candidate.path
      path.extension = nil
      return path.suffixed(".\(container.rawValue)")
    }
  }

  /// Why a file cannot get this path; `nil` if it can.
  func obstacle(_ path: FilePath, replacing old: FilePath?) -> String? {
    if case .inPlace = self, path == old { return nil }
    return OutputFile.existing(path)
  }

  /// Writes the new files of a release: all or none of those that take a place.
  func write(_ files: [ReleaseRepair.NewFile]) throws(InspectionError) {
    switch self {
    case .new(let destination):
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
      destination.mark()
    case .inPlace:
      guard let first = files.first else { return }
      let folder = Self.folder(of: files)
      func name(_ path: FilePath) throws(InspectionError) -> FilePath {
        var below = path
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

  private static func folder(of files: [ReleaseRepair.NewFile]) -> FilePath {
    let all = files.flatMap { [$0.path, $0.replaces].compactMap(\.self) }
      .map { $0.removingLastComponent() }
    var shared = all[0]
    while !all.allSatisfy({ $0.starts(with: shared) }), !shared.components.isEmpty {
      shared.removeLastComponent()
    }
    return shared
  }

  /// The folders with kept originals: those that are named, of named files, and below them.
  static func changed(below paths: [FilePath]) -> [FilePath] {
    var found: [FilePath] = []
    var pending = paths.map { $0.isFolder ? $0 : $0.removingLastComponent() }
    while let folder = pending.popLast() {
      if KeptOriginals(of: folder).hasChanges { found.append(folder) }
      guard paths.contains(where: { $0.isFolder && folder.starts(with: $0) }),
        let opened = try? Folder(opening: folder.isEmpty ? "." : folder),
        let entries = try? opened.entries(of: "")
      else { continue }
      pending += entries.filter { $0.kind == .folder && !$0.name.string.hasPrefix(".") }
        .map { folder.appending($0.name) }
    }
    return found.sorted { $0.string < $1.string }
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

extension Destination {
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

  /// Completes the tree of releases in the folder: links videos that stay, and covers and previews, or copies them.
  ///
  /// - Parameters:
  ///   - candidates: all that were found.
  ///   - replaced: files that have a new one in their place.
  /// - Throws: `video-not-written` if another file has the name.
  func complete(
    _ candidates: [Candidate], without replaced: Set<FilePath>
  ) throws(InspectionError) {
    guard case .folder(let output) = self else { return }
    let found = Set(candidates.map(\.path))
    var done: Set<FilePath> = []
    for candidate in candidates {
      guard let root = candidate.folder, var below = Optional(candidate.path),
        below.removePrefix(root)
      else { continue }
      let prefix = candidate.previewStem.components.count - below.components.count
      let home = output.appending(candidate.previewStem.components.prefix(max(0, prefix)))
      let own = candidate.path.removingLastComponent()
      for folder in [own, Catalogue.home(of: candidate.path)]
      where folder.starts(with: root) && done.insert(folder).inserted {
        guard let opened = try? Folder(opening: folder), let entries = try? opened.entries(of: "")
        else { continue }
        for entry in entries where entry.kind == .file && !entry.name.string.hasPrefix(".") {
          let path = folder.appending(entry.name)
          if replaced.contains(path)
            || !found.contains(path) && !CandidateFinder.isNamedLikeStill(path)
              && entry.name.string.lowercased() != FolderNames.list
          {
            continue
          }
          var place = path
          guard place.removePrefix(root) else { continue }
          try link(path, as: home.appending(place.components))
        }
      }
    }
    if !done.isEmpty { mark() }
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
