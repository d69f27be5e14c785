import ArtworkModel
import ArtworkPipeline

/// The owners of sessions as a value: processes, and connections that hold a session. An event goes in, and what
/// has to be done comes out.
struct SessionOwners: Hashable {
  typealias Process = SessionOwner.Process

  /// What connections have to do with a session; nothing with one that has none.
  enum Hold: Hashable {
    /// Connections are open, at least one.
    case open([Holder])
    /// The last one has closed. The session ends when the grace of this turn has passed, and until then with the processes.
    case letGo(turn: UInt64, by: [Process])
    /// No connection is open, and nobody has let go of the session: it stays while one of the processes lives, since that
    /// connects again. So it is after a restart.
    case awaited(by: [Process])

    var processes: [Process] {
      switch self {
      case .open(let holders): holders.compactMap(\.process)
      case .letGo(_, let processes), .awaited(let processes): processes
      }
    }
  }

  /// A connection that holds a session.
  struct Holder: Hashable {
    var number: UInt64
    /// The client; `nil` over TCP, where clients cannot be told apart.
    var process: Process?
  }

  enum Event: Hashable {
    case opened(SessionReference, by: Holder)
    /// - Parameter number: of the holder.
    case closed(SessionReference, number: UInt64)
    /// The grace after the last connection has passed.
    case expired(SessionReference, turn: UInt64)
    case published(SessionReference)
    /// Published by a process (`nil` over TCP) that takes it over from whoever else held it.
    case taken(SessionReference, by: Process?)
    case ended(SessionReference)
  }

  enum Effect: Hashable {
    /// Send ``Event/expired(_:turn:)`` when the grace has passed.
    case expireLater(turn: UInt64)
    /// End the session if it ``isDue(_:turn:)`` then, and its process does not live.
    case end
    /// Notify these holders that they hold it no more.
    case replaced([UInt64])
  }

  /// Named when the session was published. The end of the process ends the session.
  var processes: [SessionReference: Process]
  private(set) var holds: [SessionReference: Hold]
  /// Counts for all sessions, so that no turn repeats for a session that is published again.
  private var turns: UInt64 = 0

  mutating func on(_ event: Event, _ isAlive: (Process) -> Bool) -> Effect? {
    switch event {
    case .opened(let id, let holder): holds[id] = .open(holders(of: id) + [holder])
    case .closed(let id, let number):
      let (all, left) = (holders(of: id), holders(of: id).filter { $0.number != number })
      guard left.count < all.count else { return nil }
      if !left.isEmpty {
        holds[id] = .open(left)
      } else {
        turns += 1
        holds[id] = .letGo(turn: turns, by: all.compactMap(\.process))
        return .expireLater(turn: turns)
      }
    case .expired(let id, let turn):
      guard isDue(id, turn: turn) else { return nil }
      holds[id] = .letGo(turn: turn, by: [])
      return .end
    case .published(let id):
      switch holds[id] {
      // It is nobody's now: the end of the processes no longer ends it.
      case .letGo: holds[id] = nil
      case .awaited(let processes): waitFor(id, by: processes.filter(isAlive))
      case .open, nil: break
      }
    case .taken(let id, let process):
      let holders = holders(of: id)
      let left = holders.filter { $0.process == process }
      holds[id] = left.isEmpty ? nil : .open(left)
      return .replaced(holders.filter { $0.process != process }.map(\.number))
    // A connection goes on to hold a session that is published again later.
    case .ended(let id): if !isHeld(id) { holds[id] = nil }
    }
    return nil
  }

  private mutating func waitFor(_ id: SessionReference, by processes: [Process]) {
    holds[id] = processes.isEmpty ? nil : .awaited(by: processes)
  }

  // MARK: Questions

  func isHeld(_ id: SessionReference) -> Bool { !holders(of: id).isEmpty }

  private func holders(of id: SessionReference) -> [Holder] {
    if case .open(let holders) = holds[id] { holders } else { [] }
  }

  /// Whether others own a session than a client, and than the process that this names as its owner. Who has let go owns nothing.
  func isOwned(
    _ id: SessionReference, byOtherThan client: Process?, naming owner: Process?,
    _ isAlive: (Process) -> Bool
  ) -> Bool {
    if let named = processes[id], isAlive(named) { return named != client && named != owner }
    let owners: [Process?] =
      switch holds[id] {
      case .open(let holders): holders.map(\.process)
      case .awaited(let processes): processes.filter(isAlive)
      case .letGo, nil: []
      }
    return !owners.isEmpty && !owners.contains(client)
  }

  /// Whether a session ends because its last connection has closed.
  func isDue(_ id: SessionReference, turn: UInt64) -> Bool {
    if case .letGo(turn, _) = holds[id] { true } else { false }
  }

  /// The process that was named, or else one that holds the session.
  func process(of id: SessionReference) -> Process? { processes[id] ?? holds[id]?.processes.first }

  /// Whether the process that was named has ended, or else all that hold the session.
  func haveEnded(_ id: SessionReference, _ isAlive: (Process) -> Bool) -> Bool {
    if let named = processes[id] { return !isAlive(named) }
    if isHeld(id) { return false }
    let known = holds[id]?.processes ?? []
    return !known.isEmpty && !known.contains(where: isAlive)
  }

  /// Whether only looking shows the end of an owner.
  var areToBeWatched: Bool { !processes.isEmpty || holds.keys.contains { !isHeld($0) } }

  /// Sessions whose owners have all ended.
  func orphans(_ isAlive: (Process) -> Bool) -> [SessionReference] {
    Set(processes.keys).union(holds.keys).filter { haveEnded($0, isAlive) }
  }

  // MARK: Restart

  /// The owners that survive a restart.
  var records: [SessionRecord.Owner] {
    Set(processes.keys).union(holds.keys)
      .map { id in
        SessionRecord.Owner(
          session: id, process: processes[id], holders: holds[id]?.processes ?? [])
      }
      .filter { $0.process != nil || !$0.holders.isEmpty }
      .sorted {
        ($0.session.application, $0.session.id.text) < ($1.session.application, $1.session.id.text)
      }
  }

  /// If no process at the other ends of a session's connections is known, the session stays until it is ended.
  init(_ records: [SessionRecord.Owner] = []) {
    (processes, holds) = ([:], [:])
    for record in records {
      processes[record.session] = record.process
      waitFor(record.session, by: record.holders)
    }
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
