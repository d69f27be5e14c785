import ArtworkModel
import ArtworkPipeline

/// The owners of sessions: processes and connections.
struct SessionOwners {
  struct Owner {
    /// Named when the session was published. Its end ends the session.
    var process: SessionOwner.Process?
    /// Open connections that hold the session.
    var connections = 0
    /// The processes at their other ends, as far as known.
    var holders: [SessionOwner.Process] = []
    /// Whether a connection ever held the session: then it ends when the last one closes.
    var wasHeld = false
    /// Changes with each connection, so that a new connection cancels an end that is due.
    var generation: UInt64 = 0

    /// Whether all known owners have ended.
    func hasEnded(_ isAlive: (SessionOwner.Process) -> Bool) -> Bool {
      if connections > 0 { return false }
      let processes = holders + (process.map { [$0] } ?? [])
      return !processes.isEmpty && !processes.contains(where: isAlive)
    }
  }

  private(set) var owners: [SessionID: Owner] = [:]
  /// Counts for all sessions, so that no generation repeats for a session that is published again.
  private var generations: UInt64 = 0

  mutating func countConnections(_ change: Int, of id: SessionID) {
    generations += 1
    self[id].connections += change
    self[id].generation = generations
  }

  subscript(_ id: SessionID) -> Owner {
    get { owners[id] ?? Owner() }
    set { owners[id] = newValue }
  }

  mutating func forget(_ id: SessionID) {
    // A connection goes on to hold a session that is published again later.
    if let owner = owners[id], owner.connections > 0 {
      owners[id]?.process = nil
    } else {
      owners[id] = nil
    }
  }

  /// Takes over the processes that `changed` has and `before` has not. Connections are counted elsewhere meanwhile.
  mutating func merge(_ changed: SessionOwners, since before: SessionOwners) {
    for id in Set(changed.owners.keys).union(before.owners.keys) {
      if changed.owners[id] == nil, before.owners[id] != nil {
        forget(id)
      } else if changed[id].process != before[id].process {
        self[id].process = changed[id].process
      }
    }
  }

  /// The owners that survive a restart.
  var records: [SessionRecord.Owner] {
    owners.filter { $0.value.process != nil || $0.value.wasHeld }
      .map {
        SessionRecord.Owner(session: $0.key, process: $0.value.process, holders: $0.value.holders)
      }
      .sorted { $0.session.text < $1.session.text }
  }

  /// After a restart no connection is open. A session that connections held stays while a process at their other ends
  /// lives, since it will reconnect. If none is known, the session stays until it is ended.
  init(_ records: [SessionRecord.Owner] = []) {
    for record in records {
      owners[record.session] = Owner(
        process: record.process, holders: record.holders, wasHeld: !record.holders.isEmpty)
    }
  }

  /// Sessions whose owners have all ended.
  func orphans(_ isAlive: (SessionOwner.Process) -> Bool) -> [SessionID] {
    owners.filter { $0.value.hasEnded(isAlive) }.map(\.key)
  }
}

extension SessionOwner.Process {
  /// - Returns: `nil` when there is no such process.
  package init?(_ identifier: Int32) {
    guard let start = ProcessIdentity.start(of: identifier) else { return nil }
    self.init(identifier: identifier, start: start)
  }

  /// Whether the process still runs, and its number was not given to another one.
  package var isAlive: Bool {
    guard let now = ProcessIdentity.start(of: identifier) else { return false }
    return start == nil || now == nil || start == now
  }
}
