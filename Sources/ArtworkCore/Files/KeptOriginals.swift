import FoundationEssentials
import Glibc

/// Replaces files of a folder so that the change can be taken back: `.artworkd/originals` keeps what was there.
///
/// New files are staged and synced, and the change is written down; only then are originals linked into `originals`, and
/// new files renamed over them. A change that was interrupted is completed by the next one, or before it is taken back. At
/// no moment is an original in neither place.
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
    /// A file that was made has been replaced since.
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
    /// Originals that are kept, or will be.
    var originals: [String] = []
    /// SHA-256 of files that were made, by name.
    var made: [String: String] = [:]
    /// The change that has begun.
    var placing: [Staged]?
    var removing: [String] = []
    var isTakenBack = false
  }

  private let folder: FilePath
  private var place: FilePath { folder.appending(Self.name) }
  private var originals: FilePath { place.appending("originals") }
  private var staging: FilePath { place.appending("new") }
  private var recordFile: FilePath { place.appending("changes.json") }

  package init(of folder: FilePath) { self.folder = folder.isEmpty ? "." : folder }

  /// Whether changes were made in the folder.
  package var hasChanges: Bool { FileState(of: recordFile) != nil }

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
      try AtomicFile.makeFolder(originals)
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
    let names = files.map(\.name.string)
    for name in Set(replaced.map(\.string)).union(names).sorted()
    where record.made[name] == nil && !record.originals.contains(name)
      && FileState(of: folder.appending(name)) != nil
    {
      record.originals.append(name)
    }
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

  /// Puts the originals back, and removes the files that were made.
  ///
  /// - Returns: the names of the originals.
  /// - Throws: ``Failure/changed(_:)`` if a file was replaced since: nothing is changed then.
  package func takeBack() throws(Failure) -> [String] {
    let lock = try locked()
    defer { withExtendedLifetime(lock) {} }
    var record = try recovered()
    let names = record.originals
    guard hasChanges else { return names }
    for (name, digest) in record.made.sorted(by: { $0.key < $1.key }) {
      guard let bytes = try? folder.appending(name).contents(atMost: .max) else { continue }
      if (try? SHA256.digest(of: bytes).hexadecimal) != digest { throw .changed(name) }
    }
    record.isTakenBack = true
    try write(record)
    try complete(record)
    return names
  }

  // MARK: Steps that may be repeated

  /// The record, after a change that was interrupted is completed.
  private func recovered() throws(Failure) -> Record {
    guard hasChanges else {
      DurableFiles.remove(staging)
      return Record()
    }
    guard let bytes = try? recordFile.contents(atMost: 1 << 24),
      let record = try? JSONDecoder().decode(Record.self, from: Data(bytes))
    else { throw .malformed }
    if record.placing == nil, !record.isTakenBack {
      DurableFiles.remove(staging)
      return record
    }
    return try complete(record)
  }

  @discardableResult
  private func complete(_ begun: Record) throws(Failure) -> Record {
    var record = begun
    func isThere(_ path: FilePath) -> Bool { FileState(of: path) != nil }
    if record.isTakenBack {
      try attempt { () throws(Errno) in
        for name in record.originals where isThere(originals.appending(name)) {
          try DurableFiles.rename(originals.appending(name), to: folder.appending(name))
        }
        for name in record.made.keys where !record.originals.contains(name) {
          DurableFiles.remove(folder.appending(name))
        }
        try DurableFiles.syncFolder(folder)
      }
      DurableFiles.remove(recordFile)
      DurableFiles.remove(place)
      return Record()
    }
    try attempt { () throws(Errno) in
      for name in record.originals where !isThere(originals.appending(name)) {
        let kept = originals.appending(name)
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
