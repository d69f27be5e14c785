import ArtworkModel
import ArtworkPipeline
import FoundationEssentials
internal import SystemPackage

/// The state that survives a restart: sessions, primaries and owners.
struct SessionRecord: Codable, Equatable {
  var format = StoreFormat.current
  var board = SessionRegistry()
  var owners: [Owner] = []
  /// Sessions whose record was lost. Their leases stay until they are published or ended, or their owners have ended.
  var lost: Set<SessionReference> = []
  /// What is gone on with after a restart; `nil` for none.
  var asked: [AskedVideo]?
  /// The clock of the timestamps of ``board``; `nil` for the wall clock.
  var clock: Clock?

  struct Clock: Codable, Equatable {
    /// The run of the system.
    var system: String
    /// See ``SteadyTime/start``.
    var start: Double
  }

  struct Owner: Codable, Equatable {
    var session: SessionReference
    /// Named when the session was published.
    var process: SessionOwner.Process?
    /// The processes at the other ends of the connections that hold the session, as far as known.
    var holders: [SessionOwner.Process] = []
  }
}

/// A video that a session asked for and that was not there in its best version.
struct AskedVideo: Codable, Equatable {
  var session: SessionReference
  var artworkID: ArtworkID
  var key: ArtworkKey
  /// The box that it fills, in pixels; `nil` for the original.
  var size: PixelSize?

  var reference: ArtworkReference { ArtworkReference(artworkID, key) }
}

/// `sessions.ndjson` in the store's folder: a record, and a line for each session whose playback has changed since. Beside it
/// is room for the next such file, so that a session can be paused or ended while the disk is full.
///
/// A record always replaces the whole file, and is synced. The lines are not: a crash of the system may take them back, and
/// no player outlives it.
struct SessionFile {
  let layout: StoreLayout
  /// What the file holds; `nil` when the next change has to replace it.
  private var written: SessionRecord?
  /// The bytes of the record and of the lines after it.
  private var (recordBytes, lineBytes) = (0, 0)

  init(layout: StoreLayout) { self.layout = layout }

  /// A session as it was published last.
  private struct Line: Codable {
    var id: SessionID
    var session: MediaSession
  }

  /// The steps in which the room grows, in bytes: some dozens of sessions.
  private static let step = 64 << 10

  /// - Returns: `nil` if the file is missing or damaged: then all leases must stay. A damaged file is renamed to
  ///   `sessions.ndjson.damaged`.
  /// - Throws: `failed` if it cannot be read now.
  mutating func read() throws(StoreError) -> SessionRecord? {
    let path = layout.sessions
    let lines = try StoreCore.contents(of: path, atMost: 1 << 26)?.split(
      separator: UInt8(ascii: "\n"))
    guard let first = lines?.first,
      var record = StoreFormat.document(SessionRecord.self, Array(first)),
      record.format == StoreFormat.current
    else {
      if path.exists { try? DurableFiles.rename(path, to: path.suffixed(".damaged")) }
      return nil
    }
    for line in lines?.dropFirst() ?? [] {
      // After one that a crash has cut, nothing is certain.
      guard let line = StoreFormat.document(Line.self, Array(line)) else { break }
      record.board.publish(line.session, as: line.id)
    }
    return record
  }

  /// Has the disk keep a record.
  mutating func write(_ record: SessionRecord) throws(StoreError) {
    if try append(record) { return }
    written = nil
    let bytes = try StoreFormat.bytes(record)
    do throws(Errno) {
      try DurableFiles.replace(layout.sessions, bytes, temporary: layout.temporaryPath())
    } catch {
      let reason = StoreError(error, "write the sessions")
      guard reason.code == .noSpace else { throw reason }
      do throws(Errno) { try writeIntoReserve(bytes) } catch { throw reason }
    }
    (written, recordBytes, lineBytes) = (record, bytes.count, 0)
    keepReserve(for: bytes.count)
  }

  /// Appends the session whose playback has changed, if nothing else has and the lines are not longer than the record.
  ///
  /// - Returns: whether the file holds the record now.
  private mutating func append(_ record: SessionRecord) throws(StoreError) -> Bool {
    guard let written, record.withoutPlayback == written.withoutPlayback else { return false }
    let changed = record.board.sessions.filter { $1 != written.board.sessions[$0] }
    guard let (id, session) = changed.first else { return true }
    let bytes = [UInt8(ascii: "\n")] + (try StoreFormat.bytes(Line(id: id.id, session: session)))
    // The lines would not tell the order of several.
    guard changed.count == 1, lineBytes + bytes.count <= max(Self.step, recordBytes),
      (try? DurableFiles.append(bytes, to: layout.sessions)) != nil
    else { return false }
    lineBytes += bytes.count
    self.written = record
    return true
  }

  /// Writes over the room that was kept, and lets it change places with the file: no step needs space.
  func writeIntoReserve(_ bytes: [UInt8]) throws(Errno) {
    let reserve = layout.sessionsReserve
    guard let room = FileState(of: reserve)?.size else { throw .noSpace }
    // Spaces, which JSON allows at its end: a shorter file would give its room back.
    let padding = [UInt8](repeating: UInt8(ascii: " "), count: max(0, Int(room) - bytes.count))
    try DurableFiles.overwrite(reserve, bytes + padding)
    do throws(Errno) {
      try DurableFiles.exchange(reserve, layout.sessions)
    } catch {
      // There is no old file, or the file system cannot exchange two.
      try DurableFiles.rename(reserve, to: layout.sessions)
    }
    try DurableFiles.syncFolder(layout.root)
  }

  /// Keeps room for the sessions. There may be none on a full disk, until space is free again.
  private func keepReserve(for bytes: Int) {
    let (wanted, temporary) = ((bytes / Self.step + 1) * Self.step, layout.temporaryPath())
    if let room = FileState(of: layout.sessionsReserve)?.size, room >= wanted { return }
    do throws(Errno) {
      try DurableFiles.allocate(temporary, wanted)
      try DurableFiles.rename(temporary, to: layout.sessionsReserve)
    } catch {
      DurableFiles.remove(temporary)
    }
  }
}

extension SessionRecord {
  fileprivate var withoutPlayback: SessionRecord {
    var record = self
    record.board = board.withoutPlayback
    return record
  }
}
