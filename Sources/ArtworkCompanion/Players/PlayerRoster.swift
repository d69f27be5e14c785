import ArtworkModel

/// The players of a desktop session, by process.
actor PlayerRoster {
  private let companion: FollowedPlayer.Services
  private let names: Signals
  private var players: [SessionID: (player: FollowedPlayer, task: Task<Void, Never>)] = [:]
  /// The processes of known connections, by unique name, which a bus never gives twice.
  private var processes: [String: SessionID] = [:]

  /// Far more than a desktop has.
  private static let mostPlayers = 64
  /// A process may take hundreds of names, and each costs a call to the bus.
  private static let mostNames = 4096

  /// - Parameter names: marked when a player's name gets or loses its owner.
  init(_ companion: FollowedPlayer.Services, names: Signals) {
    self.companion = companion
    self.names = names
  }

  /// Follows players until the task is cancelled, then ends their sessions.
  func run() async throws(BusError) {
    var lost: BusError?
    await names.whenMarked {
      do throws(BusError) {
        try await self.refresh()
      } catch {
        // The next change of names retries.
        if error != .late {
          lost = error
          names.finish()
        }
      }
    }
    for (player, task) in players.values {
      await player.stop()
      await task.value
    }
    players = [:]
    if let lost { throw lost }
  }

  private func refresh() async throws(BusError) {
    let bus = companion.bus
    let names = try await bus.names().filter(MPRIS.isPlayer).sorted()
    var found: [SessionID: [FollowedPlayer.Connection]] = [:]
    var known: [String: SessionID] = [:]
    for name in names.prefix(Self.mostNames) {
      guard let owner = try await bus.owner(of: name) else { continue }
      let id: SessionID?
      if let process = processes[owner] {
        id = process
      } else if let process = try await bus.process(of: owner) {
        id = SessionID("mpris-\(process)")
      } else {
        // A bus without process IDs; connection names will do.
        id = SessionID("mpris\(owner)")
      }
      guard let id, found[id] != nil || found.count < Self.mostPlayers else { continue }
      known[owner] = id
      found[id, default: []].append(.init(name: name, owner: owner))
    }
    processes = known
    for (id, entry) in players where found[id] == nil {
      players[id] = nil
      await entry.player.stop()
    }
    for (id, connections) in found {
      if let entry = players[id] {
        await entry.player.connect(connections)
      } else {
        let player = FollowedPlayer(id, companion)
        players[id] = (player, Task { await player.run() })
        await player.connect(connections)
      }
    }
  }
}
