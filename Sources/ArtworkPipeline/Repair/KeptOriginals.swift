import FoundationEssentials
import Glibc

/// Replaces files of a folder so that the change can be taken back: `.artworkd/originals` keeps what was there.
///
/// New files are staged and synced, and the change is written down; only then are originals linked into `originals`, and
/// new files renamed over them. A change that was interrupted is completed by the next one, or before it is taken back. At
/// no moment is an original in neither place. Every file that is not ours is kept: what somebody put in the place of a file
/// that was made becomes a further version, in `originals-2`, and the newest version is the one that comes back.
package struct KeptOriginals {
  package static let name: FilePath.Component = ".artworkd"

  /// A file that takes a place in the folder.
  package struct NewFile {
    /// Below the folder.
    package var name: FilePath
    package var bytes: [UInt8]

    package init(_ name: FilePath, _ bytes: [UInt8]) { (self.name, self.bytes) = (name, bytes) }
  }

  package enum Failure: Error, Equatable {
    case system(Errno)
    /// Another process changes the folder.
    case isBusy
    /// A file is not the one that was made.
    case changed(String)
    /// The record of earlier changes cannot be read.
    case malformed
  }

  private struct Record: Codable {
    struct Staged: Codable {
      var place: String
      var name: String
    }

    var schemaVersion = 1
    /// The newest version of each original that is kept, or will be, from 1.
    var originals: [String: Int] = [:]
    /// SHA-256 of files that were made, by name.
    var made: [String: String] = [:]
    /// Names that were changed together, and are taken back together.
    var groups: [Set<String>] = []
    /// The change that has begun.
    var placing: [Staged]?
    var removing: [String] = []
    /// The names that are being taken back.
    var returning: Set<String>?

    /// The names that are taken back with any of some; all for `nil`.
    func names(with some: Set<String>?) -> Set<String> {
      groups.filter { some?.isDisjoint(with: $0) != true }.reduce([]) { $0.union($1) }
    }
  }

  private let folder: FilePath
  private var place: FilePath { folder.appending(Self.name) }
  private var staging: FilePath { place.appending("new") }
  private var recordFile: FilePath { place.appending("changes.json") }

  package init(of folder: FilePath) { self.folder = folder.isEmpty ? "." : folder }

  /// Whether changes were made in the folder.
  package var hasChanges: Bool { FileState(of: recordFile) != nil }

  /// Whether a file with this name below the folder was changed.
  package func changed(_ name: FilePath) -> Bool {
    (try? read())?.names(with: [name.string]).isEmpty == false
  }

  /// The newest version of a file that was replaced; `nil` for another file.
  package func original(of name: FilePath) -> FilePath? {
    (try? read())?.originals[name.string].map { kept(name.string, $0) }
  }

  /// Completes a change that was interrupted.
  ///
  /// - Returns: whether there was one.
  package func recover() throws(Failure) -> Bool {
    guard hasChanges || FileState(of: staging) != nil else { return false }
    let lock = try locked()
    defer { withExtendedLifetime(lock) {} }
    let before = try? recordFile.contents(atMost: 1 << 24)
    _ = try recovered()
    return before != (try? recordFile.contents(atMost: 1 << 24))
  }

  /// Puts new files in place, and moves those that they replace to the originals.
  ///
  /// - Parameter replaced: names below the folder of files that disappear, or that a new file takes the name of.
  package func replace(_ replaced: [FilePath], by files: [NewFile]) throws(Failure) {
    try attempt { () throws(Errno) in try AtomicFile.makeFolder(place) }
    let lock = try locked()
    defer { withExtendedLifetime(lock) {} }
    var record = try recovered()
    var staged: [Record.Staged] = []
    try attempt { () throws(Errno) in
      try AtomicFile.makeFolder(staging)
      for (number, file) in files.enumerated() {
        let path = staging.appending("\(number)")
        try DurableFiles.create(path, file.bytes)
        var status = stat()
        let isThere =
          folder.appending(file.name.string).withPlatformString { stat($0, &status) } == 0
        let mode = isThere ? status.st_mode & 0o777 : 0o644
        guard path.withPlatformString({ chmod($0, mode) }) == 0 else {
          throw Errno(rawValue: errno)
        }
        staged.append(Record.Staged(place: "\(number)", name: file.name.string))
      }
      try DurableFiles.syncFolder(staging)
    }
    let names = Set(files.map(\.name.string))
    let touched = names.union(replaced.map(\.string))
    for name in touched
    where FileState(of: folder.appending(name)) != nil && !isMade(name, record) {
      record.originals[name] = 1 + versions(of: name)
    }
    let others = record.names(with: touched)
    record.groups = record.groups.filter { $0.isDisjoint(with: touched) } + [touched.union(others)]
    record.removing = replaced.map(\.string).filter { !names.contains($0) }
    for name in record.removing { record.made[name] = nil }
    for file in files {
      guard let digest = try? SHA256.digest(of: file.bytes) else { throw .malformed }
      record.made[file.name.string] = digest.hexadecimal
    }
    record.placing = staged
    try write(record)
    try complete(record)
  }

  /// Puts the newest originals back, and removes the files that were made.
  ///
  /// - Parameter some: names of files to take back, with those that were changed with them; `nil` for all.
  /// - Returns: the names of the originals, and where older versions of them stay.
  /// - Throws: ``Failure/changed(_:)`` if a file was replaced since: nothing is changed then.
  package func takeBack(
    _ some: Set<String>? = nil
  ) throws(Failure) -> (names: [String], older: [FilePath]) {
    guard hasChanges else { return ([], []) }
    let lock = try locked()
    defer { withExtendedLifetime(lock) {} }
    var record = try recovered()
    let chosen = record.names(with: some).sorted()
    for name in chosen
    where FileState(of: folder.appending(name)) != nil && !isMade(name, record) {
      throw .changed(name)
    }
    let names = chosen.filter { record.originals[$0] != nil }
    record.returning = Set(chosen)
    try write(record)
    try complete(record)
    return (names, names.flatMap { name in (0..<versions(of: name)).map { kept(name, 1 + $0) } })
  }

  /// Whether a file is the one that was made. One that cannot be read may be another.
  private func isMade(_ name: String, _ record: Record) -> Bool {
    record.made[name] != nil && record.made[name] == (try? digest(of: folder.appending(name)))
  }

  private func digest(of path: FilePath) throws -> String {
    let file = try SourceFile(path)
    var hash = try SHA256()
    var offset: Int64 = 0
    var bytes = try file.read(at: 0)
    while !bytes.isEmpty {
      try hash.update(bytes)
      offset += Int64(bytes.count)
      bytes = try file.read(at: offset)
    }
    return try hash.finish().hexadecimal
  }

  /// The place of a version of an original.
  private func kept(_ name: String, _ version: Int) -> FilePath {
    place.appending(version == 1 ? "originals" : "originals-\(version)").appending(name)
  }

  /// How many versions of an original are kept.
  private func versions(of name: String) -> Int {
    var count = 0
    while FileState(of: kept(name, count + 1)) != nil { count += 1 }
    return count
  }

  // MARK: Steps that may be repeated

  private func read() throws(Failure) -> Record {
    guard let bytes = try? recordFile.contents(atMost: 1 << 24),
      let record = try? JSONDecoder().decode(Record.self, from: Data(bytes))
    else { throw .malformed }
    return record
  }

  /// The record, after a change that was interrupted is completed.
  private func recovered() throws(Failure) -> Record {
    let record = hasChanges ? try read() : Record()
    if record.placing == nil, record.returning == nil {
      DurableFiles.remove(staging)
      return record
    }
    return try complete(record)
  }

  @discardableResult
  private func complete(_ begun: Record) throws(Failure) -> Record {
    var record = begun
    func isThere(_ path: FilePath) -> Bool { FileState(of: path) != nil }
    if let names = record.returning {
      try attempt { () throws(Errno) in
        for name in names {
          let path = folder.appending(name)
          // Put back already, or exported since.
          if isThere(path), !isMade(name, record) { continue }
          guard let version = record.originals[name] else {
            DurableFiles.remove(path)
            continue
          }
          if isThere(kept(name, version)) { try DurableFiles.rename(kept(name, version), to: path) }
        }
        try DurableFiles.syncFolder(folder)
      }
      for name in names { (record.originals[name], record.made[name]) = (nil, nil) }
      record.groups.removeAll { !$0.isDisjoint(with: names) }
      record.returning = nil
      if record.groups.isEmpty {
        for name in ["changes.json", "lock"] { DurableFiles.remove(place.appending(name)) }
      } else {
        try write(record)
      }
      removeEmptyFolders(place)
      return record
    }
    try attempt { () throws(Errno) in
      for (name, version) in record.originals
      where !isThere(kept(name, version)) && !isMade(name, record) {
        let kept = kept(name, version)
        try AtomicFile.makeFolder(kept.removingLastComponent())
        try DurableFiles.link(folder.appending(name), to: kept)
        try DurableFiles.syncFolder(kept.removingLastComponent())
      }
      for file in record.placing ?? [] where isThere(staging.appending(file.place)) {
        try DurableFiles.rename(staging.appending(file.place), to: folder.appending(file.name))
      }
      for name in record.removing { DurableFiles.remove(folder.appending(name)) }
      try DurableFiles.syncFolder(folder)
    }
    (record.placing, record.removing) = (nil, [])
    try write(record)
    DurableFiles.remove(staging)
    return record
  }

  /// Removes a folder and those in it where no file is left.
  private func removeEmptyFolders(_ folder: FilePath) {
    for name in (try? DurableFiles.names(in: folder)) ?? [] {
      removeEmptyFolders(folder.appending(name))
    }
    _ = folder.withPlatformString { rmdir($0) }
  }

  private func write(_ record: Record) throws(Failure) {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    guard let text = try? encoder.encode(record) else { throw .malformed }
    try attempt { () throws(Errno) in
      let temporary = place.appending("changes.tmp")
      DurableFiles.remove(temporary)
      try DurableFiles.replace(recordFile, Array(text), temporary: temporary)
    }
  }

  private func locked() throws(Failure) -> ProcessLock {
    do throws(ProcessLock.Failure) {
      return try ProcessLock(place.appending("lock"))
    } catch {
      switch error {
      case .heldBy: throw .isBusy
      case .system(let reason): throw .system(reason)
      }
    }
  }

  private func attempt(_ body: () throws(Errno) -> Void) throws(Failure) {
    do throws(Errno) { try body() } catch { throw .system(error) }
  }
}
