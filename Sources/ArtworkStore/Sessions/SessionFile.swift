import ArtworkModel
import ArtworkPipeline
import FoundationEssentials
internal import SystemPackage

/// The state that survives a restart: sessions, primaries and owners.
struct SessionRecord: Codable, Equatable {
  var format = StoreFormat.current
  /// Grows with each record.
  var number: UInt64?
  var board = SessionRegistry()
  var owners: [Owner] = []
  /// Sessions whose record was lost. Their leases stay until they are published or ended, or their owners have ended.
  var lost: Set<SessionReference> = []
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

/// `sessions.json` in the store's folder; always replaced as a whole. Beside it is `sessions.latest`, with what playback has
/// changed since, and room for the next `sessions.json`, so that a session can be paused or ended while the disk is full.
struct SessionFile {
  let layout: StoreLayout
  /// The number of the last record.
  private var number: UInt64 = 0
  /// What the disk surely has.
  private var synced: SessionRecord?

  init(layout: StoreLayout) { self.layout = layout }

  /// The steps in which the room grows, in bytes: some dozens of sessions.
  private static let step = 64 << 10

  /// - Returns: `nil` if the file is missing or damaged: then all leases must stay. A damaged file is renamed to
  ///   `sessions.json.damaged`.
  /// - Throws: `failed` if it cannot be read now.
  mutating func read() throws(StoreError) -> SessionRecord? {
    let path = layout.sessions
    guard let record = try record(at: path) else {
      if path.exists { try? DurableFiles.rename(path, to: path.suffixed(".damaged")) }
      // It may be older than what was lost.
      DurableFiles.remove(layout.latestSessions)
      return nil
    }
    // What a crash of the system or an older version of this program left does not continue the record.
    guard let own = record.number,
      let latest = (try? self.record(at: layout.latestSessions)) ?? nil, let its = latest.number,
      its > own
    else {
      DurableFiles.remove(layout.latestSessions)
      number = record.number ?? 0
      return record
    }
    number = its
    return latest
  }

  private func record(at path: FilePath) throws(StoreError) -> SessionRecord? {
    let record = try StoreCore.contents(of: path, atMost: 1 << 26)
      .flatMap { StoreFormat.document(SessionRecord.self, $0) }
    return record?.format == StoreFormat.current ? record : nil
  }

  /// Has the disk keep a record. A crash of the system may take back what playback alone has changed: no player outlives it.
  mutating func write(_ record: SessionRecord) throws(StoreError) {
    var (record, lasting) = (record, record)
    number += 1
    record.number = number
    lasting.board = record.board.withoutPlayback
    let bytes = try StoreFormat.bytes(record)
    if lasting == synced,
      (try? DurableFiles.replace(
        layout.latestSessions, bytes, temporary: layout.temporaryPath(), syncs: false)) != nil
    {
      return
    }
    // Until the disk has it, the next change is written whole.
    synced = nil
    do throws(Errno) {
      try DurableFiles.replace(layout.sessions, bytes, temporary: layout.temporaryPath())
    } catch {
      let reason = StoreError(error, "write the sessions")
      guard reason.code == .noSpace else { throw reason }
      do throws(Errno) { try writeIntoReserve(bytes) } catch { throw reason }
    }
    synced = lasting
    keepReserve(for: bytes.count)
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
