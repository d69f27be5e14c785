import ArtworkModel
import ArtworkPipeline

/// Who owns which session, and whether they are still there.
struct SessionOwners {
  struct Owner {
    /// Named when the session was published; its end ends the session.
    var process: SessionOwner.Process?
    /// Connections that are open.
    var connections = 0
    /// Processes at the other ends, where those are known.
    var holders: [SessionOwner.Process] = []
    /// Whether a connection ever held it: when the last one closes, the session ends.
    var wasHeld = false
    /// Counts connections, so that an end that was due when the last one closed is called off by the next.
    var generation: UInt64 = 0

    /// Whether everybody who is known to own it has ended.
    func isGone(_ isAlive: (SessionOwner.Process) -> Bool) -> Bool {
      if connections > 0 { return false }
      let processes = holders + (process.map { [$0] } ?? [])
      return !processes.isEmpty && !processes.contains(where: isAlive)
    }
  }

  private(set) var owners: [SessionID: Owner] = [:]
  /// Of all sessions, so that none comes twice for one that is published again.
  private var generations: UInt64 = 0

  /// Takes note that a connection comes or goes.
  mutating func count(_ change: Int, _ id: SessionID) {
    generations += 1
    self[id].connections += change
    self[id].generation = generations
  }

  subscript(_ id: SessionID) -> Owner {
    get { owners[id] ?? Owner() }
    set { owners[id] = newValue }
  }

  mutating func forget(_ id: SessionID) {
    // A connection may hold what is published again later.
    if let owner = owners[id], owner.connections > 0 {
      owners[id]?.process = nil
    } else {
      owners[id] = nil
    }
  }

  /// Takes over the processes that somebody named since `before`; connections come and go by themselves.
  mutating func take(_ changed: SessionOwners, from before: SessionOwners) {
    for id in Set(changed.owners.keys).union(before.owners.keys) {
      if changed.owners[id] == nil, before.owners[id] != nil {
        forget(id)
      } else if changed[id].process != before[id].process {
        self[id].process = changed[id].process
      }
    }
  }

  /// Those to be remembered over a restart.
  var records: [SessionRecord.Owner] {
    owners.filter { $0.value.process != nil || $0.value.wasHeld }
      .map {
        SessionRecord.Owner(session: $0.key, process: $0.value.process, holders: $0.value.holders)
      }
      .sorted { $0.session.text < $1.session.text }
  }

  /// After a restart no connection is open. A session that some held stays for as long as one of the processes at
  /// their other ends lives, since it will come back; where none is known, until it is ended.
  init(_ records: [SessionRecord.Owner] = []) {
    for record in records {
      owners[record.session] = Owner(
        process: record.process, holders: record.holders, wasHeld: !record.holders.isEmpty)
    }
  }

  /// Sessions whose owners have all gone.
  ///
  /// - Parameter isAlive: asked for each process that owns one.
  func orphans(_ isAlive: (SessionOwner.Process) -> Bool) -> [SessionID] {
    owners.filter { $0.value.isGone(isAlive) }.map(\.key)
  }
}

extension SessionOwner.Process {
  /// - Returns: `nil` when there is no such process.
  package init?(_ identifier: Int32) {
    guard let start = ProcessIdentity.start(of: identifier) else { return nil }
    self.init(identifier: identifier, start: start)
  }

  /// Whether it is still there, and no other that has its number now.
  package var isAlive: Bool {
    guard let now = ProcessIdentity.start(of: identifier) else { return false }
    return start == nil || now == nil || start == now
  }
}
