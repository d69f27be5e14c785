import ArtworkModel
import ArtworkPipeline
import FoundationEssentials
internal import SystemPackage

/// The state that survives a restart: sessions, primaries and owners.
struct SessionRecord: Codable, Equatable {
  var format = 1
  var board = SessionRegistry()
  var owners: [Owner] = []
  /// Sessions whose record was lost. Their leases stay until they are published or ended, or their owners have ended.
  /// Empty if missing.
  var lost: [SessionReference]?
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

/// `sessions.json` in the store's folder; always replaced as a whole. Beside it is room for the next one, so that a session
/// can be paused or ended while the disk is full.
struct SessionFile {
  let layout: StoreLayout

  /// The steps in which the room grows, in bytes: some dozens of sessions.
  private static let step = 64 << 10

  /// - Returns: `nil` if the file is missing or damaged: then all leases must stay. A damaged file is renamed to
  ///   `sessions.json.damaged`.
  /// - Throws: `failed` if it cannot be read now.
  func read() throws(StoreError) -> SessionRecord? {
    let path = layout.sessions
    let bytes = try StoreCore.contents(of: path, atMost: 1 << 26)
    let record = bytes.flatMap { StoreFormat.document(SessionRecord.self, $0) }
    if let record, record.format == 1 { return record }
    if path.exists { try? DurableFiles.rename(path, to: path.suffixed(".damaged")) }
    return nil
  }

  func write(_ record: SessionRecord) throws(StoreError) {
    let bytes = try StoreFormat.bytes(record)
    do throws(Errno) {
      try DurableFiles.replace(layout.sessions, bytes, temporary: layout.temporaryPath())
    } catch {
      let reason = StoreError(error, "write the sessions")
      guard reason.code == .noSpace else { throw reason }
      do throws(Errno) { try writeIntoReserve(bytes) } catch { throw reason }
    }
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

  /// On a full disk there may be none until space is free again.
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
