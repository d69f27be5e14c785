import ArtworkModel
import ArtworkPipeline
import FoundationEssentials
internal import SystemPackage

/// The state that survives a restart: sessions, primaries and owners.
struct SessionRecord: Equatable {
  var board = SessionRegistry()
  var owners: [Owner] = []
  /// Sessions whose record was lost. Their leases stay until they are published or ended, or their owners have ended. `nil`
  /// for all that have leases and are not on the board.
  var lost: Set<SessionReference>? = []
  /// What is gone on with after a restart.
  var asked: [AskedVideo] = []
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

/// `sessions.ndjson` in the store's folder: what concerns all sessions, a line for each of them, and a line for each change of
/// playback since. Beside it is room for the next such file, so that a session can be paused or ended while the disk is full.
///
/// A record always replaces the whole file, and is synced. The lines of playback are not: a crash of the system may take them
/// back, and no player outlives it.
struct SessionFile {
  let layout: StoreLayout
  /// What the file holds; `nil` when the next change has to replace it.
  private var written: SessionRecord?
  /// The bytes of the record and of the lines after it.
  private var (recordBytes, lineBytes) = (0, 0)

  init(layout: StoreLayout) { self.layout = layout }

  private struct Head: Codable {
    var format = StoreFormat.current
    /// The number of sessions, in the lines after this one, in the order in which they became active.
    var sessions: Int
    var conditions: DeviceConditions
    var promoted: [SessionReference]
    var promotedForSystem: SessionReference?
    var lost: Set<SessionReference>
    var asked: [AskedVideo]
    var clock: SessionRecord.Clock?
  }

  private struct Line: Codable {
    var id: SessionReference
    /// `nil` for a change of playback.
    var session: MediaSession?
    var owner: SessionRecord.Owner?
    var playback: PlaybackSnapshot?
  }

  /// The steps in which the room grows, in bytes: some dozens of sessions.
  private static let step = 64 << 10

  /// Reads what is readable. A damaged file is also kept as `sessions.ndjson.damaged`.
  ///
  /// - Returns: also the number of damaged lines; `nil` if there is no file.
  /// - Throws: `failed` if it cannot be read now.
  mutating func read() throws(StoreError) -> (record: SessionRecord, damaged: Int)? {
    let path = layout.sessions
    guard path.exists else { return nil }
    let bytes = try StoreCore.contents(of: path, atMost: 1 << 28) ?? []
    let lines = bytes.split(separator: UInt8(ascii: "\n"))
    let head = lines.first.flatMap { StoreFormat.document(Head.self, Array($0)) }
    var (record, damaged, owners) = (SessionRecord(), head == nil ? 1 : 0, [SessionRecord.Owner]())
    record.lost = head?.lost
    record.board.conditions = head?.conditions ?? DeviceConditions()
    for (number, text) in lines.enumerated().dropFirst() {
      guard let line = StoreFormat.document(Line.self, Array(text)) else {
        let isSession = number <= head?.sessions ?? .max
        if isSession { record.lost = nil }
        // A crash may have cut the last change.
        if isSession || number < lines.count - 1 { damaged += 1 }
        continue
      }
      guard var session = line.session ?? record.board.sessions[line.id] else { continue }
      if line.session == nil { session.playback = line.playback }
      record.board.publish(session, as: line.id.id)
      if let owner = line.owner { owners.append(owner) }
    }
    record.owners = owners
    if lines.count <= head?.sessions ?? 0 { (damaged, record.lost) = (damaged + 1, nil) }
    for id in head?.promoted ?? [] { record.board.promote(id, .application) }
    if let id = head?.promotedForSystem { record.board.promote(id, .system) }
    (record.asked, record.clock) = (head?.asked ?? [], head?.clock)
    if damaged > 0 {
      let copy = path.suffixed(".damaged")
      DurableFiles.remove(copy)
      try? DurableFiles.link(path, to: copy)
    }
    return (record, damaged)
  }

  /// The whole file.
  static func bytes(_ record: SessionRecord) throws(StoreError) -> [UInt8] {
    let board = record.board
    var bytes = try StoreFormat.bytes(
      Head(
        sessions: board.order.count, conditions: board.conditions,
        promoted: board.order.filter(board.promoted.values.contains),
        promotedForSystem: board.promotedForSystem, lost: record.lost ?? [], asked: record.asked,
        clock: record.clock))
    for id in board.order {
      let owner = record.owners.first { $0.session == id }
      let line = Line(id: id, session: board.sessions[id], owner: owner)
      bytes += [UInt8(ascii: "\n")] + (try StoreFormat.bytes(line))
    }
    return bytes
  }

  /// Has the disk keep a record.
  mutating func write(_ record: SessionRecord) throws(StoreError) {
    if try append(record) { return }
    written = nil
    let bytes = try Self.bytes(record)
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

  /// Appends the playback of the session that has changed, if nothing else has and the lines are not longer than the record.
  ///
  /// - Returns: whether the file holds the record now.
  private mutating func append(_ record: SessionRecord) throws(StoreError) -> Bool {
    guard let written, record.withoutPlayback == written.withoutPlayback else { return false }
    let changed = record.board.sessions.filter { $1 != written.board.sessions[$0] }
    guard let (id, session) = changed.first else { return true }
    let line = Line(id: id, playback: session.playback)
    let bytes = [UInt8(ascii: "\n")] + (try StoreFormat.bytes(line))
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
