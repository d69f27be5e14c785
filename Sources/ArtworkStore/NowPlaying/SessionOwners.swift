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
    /// Whether the last connection has closed since the service started.
    var wasLetGo = false
    /// Changes with each connection, so that a new connection cancels an end that is due.
    var generation: UInt64 = 0

    /// Whether all known owners have ended.
    func hasEnded(_ isAlive: (SessionOwner.Process) -> Bool) -> Bool {
      if connections > 0 { return false }
      let processes = holders + (process.map { [$0] } ?? [])
      return !processes.isEmpty && !processes.contains(where: isAlive)
    }
  }

  /// A connection that holds a session of a name without saying its application.
  private struct Unscoped {
    var name: SessionID
    /// The process at the other end, if known.
    var peer: Int32?
    var process: SessionOwner.Process?
    /// The session that it holds now; `nil` before there is one.
    var session: SessionReference?
  }

  private var unscoped: [Unscoped] = []
  private(set) var owners: [SessionReference: Owner] = [:]
  /// Counts for all sessions, so that no generation repeats for a session that is published again.
  private var generations: UInt64 = 0

  mutating func hold(_ id: SessionReference, by process: SessionOwner.Process?) {
    countConnections(1, of: id)
    self[id].wasHeld = true
    self[id].wasLetGo = false
    if let process, !self[id].holders.contains(process) { self[id].holders.append(process) }
  }

  // MARK: Connections without an application

  /// Holds the session among `known` that the same process held before, or else the only one, or else none until one is
  /// published.
  mutating func holdSome(
    of known: [SessionReference], named name: SessionID, by process: SessionOwner.Process?,
    peer: Int32?
  ) {
    let own = known.filter { id in process.map { self[id].holders.contains($0) } ?? false }
    let session = own.count == 1 ? own[0] : known.count == 1 ? known[0] : nil
    unscoped.append(Unscoped(name: name, peer: peer, process: process, session: session))
    if let session { hold(session, by: process) }
  }

  /// Whether a connection that names no application holds a session.
  func holdsUnscoped(_ id: SessionReference, named name: SessionID, peer: Int32?) -> Bool {
    unscoped.contains { $0.name == name && $0.peer == peer && $0.session == id }
  }

  /// - Returns: the session that the connection held.
  mutating func forgetConnection(named name: SessionID, peer: Int32?) -> SessionReference? {
    let index = unscoped.lastIndex { $0.name == name && $0.peer == peer }
    return index.flatMap { unscoped.remove(at: $0).session }
  }

  /// A session was published. One that connections held and let go is nobody's now: the end of their processes no longer
  /// ends it. A new session is held by the publisher's connections that name no application, or else by those that hold
  /// nothing yet.
  mutating func renew(
    _ id: SessionReference, isNew: Bool, peer: Int32?, _ isAlive: (SessionOwner.Process) -> Bool
  ) {
    if let owner = owners[id], owner.connections == 0 {
      owners[id]?.holders = owner.wasLetGo ? [] : owner.holders.filter(isAlive)
      owners[id]?.wasLetGo = false
      // Cancels an end that is due.
      countConnections(0, of: id)
    }
    guard isNew else { return }
    let named = unscoped.indices.filter { unscoped[$0].name == id.id && unscoped[$0].session != id }
    let own = named.filter { peer != nil && unscoped[$0].peer == peer }
    for index in own.isEmpty ? named.filter({ unscoped[$0].session == nil }) : own {
      if let former = unscoped[index].session {
        countConnections(-1, of: former)
        self[former].holders.removeAll { [process = unscoped[index].process] in $0 == process }
      }
      unscoped[index].session = id
      hold(id, by: unscoped[index].process)
    }
  }

  mutating func countConnections(_ change: Int, of id: SessionReference) {
    generations += 1
    self[id].connections += change
    self[id].generation = generations
  }

  subscript(_ id: SessionReference) -> Owner {
    get { owners[id] ?? Owner() }
    set { owners[id] = newValue }
  }

  mutating func forget(_ id: SessionReference) {
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
      .sorted {
        ($0.session.application, $0.session.id.text) < ($1.session.application, $1.session.id.text)
      }
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
  func orphans(_ isAlive: (SessionOwner.Process) -> Bool) -> [SessionReference] {
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
