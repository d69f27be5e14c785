import TestSupport
import Testing

@testable import ArtworkModel
@testable import ArtworkStore

/// Everything that can happen to the sessions of one name in two applications, in every order of a few steps.
@Suite struct SessionOwnersTests {
  private typealias Event = SessionOwners.Event
  private typealias Connection = SessionOwners.Connection

  /// The world around the owners.
  private struct World: Hashable {
    var owners = SessionOwners()
    var open: [Connection: Int] = [:]
    var sessions: Set<SessionReference> = []
    /// Turns whose grace has not passed.
    var due: Set<SessionOwners.Effect> = []
    var dead: Set<SessionOwners.Process> = []
  }

  private let name: SessionID
  private let one: SessionReference
  private let two: SessionReference
  private let process = SessionOwner.Process(identifier: 1, start: 1)

  init() throws {
    name = try SessionSamples.id("main")
    (one, two) = (SessionReference("one", name), SessionReference("two", name))
  }

  private var connections: [Connection] {
    [
      Connection(name: name, application: "one", peer: 1), Connection(name: name, peer: 1),
      Connection(name: name, peer: 2),
    ]
  }

  /// The worlds one step on.
  private func steps(_ world: World) -> [(event: Event?, world: World)] {
    var steps: [(Event?, World)] = []
    func step(_ event: Event, _ change: (inout World) -> Void = { _ in }) {
      var next = world
      change(&next)
      let effect = next.owners.on(event) { !world.dead.contains($0) }
      switch effect {
      case .expireLater: effect.map { _ = next.due.insert($0) }
      // As the centre does it: the session ends.
      case .end(let id, _):
        next.sessions.remove(id)
        _ = next.owners.on(.ended(id)) { _ in true }
      case nil: break
      }
      steps.append((event, next))
    }
    for connection in connections {
      let process = connection.peer == 1 ? self.process : nil
      if world.open.values.reduce(0, +) < 3 {
        step(
          .opened(
            connection, by: process,
            known: world.sessions.sorted { $0.application < $1.application })
        ) {
          $0.open[connection, default: 0] += 1
        }
      }
      if let count = world.open[connection] {
        step(.closed(connection)) { $0.open[connection] = count > 1 ? count - 1 : nil }
      }
    }
    for id in [one, two] {
      step(.published(id, isNew: !world.sessions.contains(id), peer: id == one ? 1 : nil)) {
        $0.sessions.insert(id)
      }
      if world.sessions.contains(id) { step(.ended(id)) { $0.sessions.remove(id) } }
    }
    for case .expireLater(let id, let turn)? in world.due.map(Optional.some) {
      step(.expired(id, turn: turn)) { $0.due.remove(.expireLater(id, turn: turn)) }
    }
    if world.dead.isEmpty {
      var next = world
      next.dead = [process]
      steps.append((nil, next))
    }
    return steps
  }

  private func worlds(depth: Int) -> Set<World> {
    var (known, edge) = (Set([World()]), [World()])
    for _ in 0..<depth {
      var next: [World] = []
      for world in edge {
        for step in steps(world) where known.insert(step.world).inserted { next.append(step.world) }
      }
      edge = next
    }
    return known
  }

  private func connectionsHolding(_ owners: SessionOwners) -> Int {
    owners.holds.values.reduce(0) { if case .open(let count, _) = $1 { $0 + count } else { $0 } }
  }

  /// What must hold of every world.
  private func flaw(of world: World) -> String? {
    let owners = world.owners
    // A connection holds at most one session, and one with an application holds just that.
    let (held, open) = (connectionsHolding(owners), world.open.values.reduce(0, +))
    let scoped = world.open.reduce(0) { $0 + ($1.key.application == nil ? 0 : $1.value) }
    if held > open || held < scoped { return "\(held) of \(open) connections hold" }
    if scoped > 0, !owners.isHeld(one) { return "one is not held" }
    // Whoever is held does not end by itself, and what is due is not held.
    for id in owners.orphans({ !world.dead.contains($0) }) where owners.isHeld(id) {
      return "\(id) is an orphan and held"
    }
    for case .expireLater(let id, let turn)? in world.due.map(Optional.some)
    where owners.isDue(id, turn: turn) && owners.isHeld(id) { return "\(id) is due and held" }
    // Nothing is kept for nobody.
    if open == 0, world.due.isEmpty, world.sessions.isEmpty, !owners.holds.isEmpty {
      return "kept: \(owners.holds)"
    }
    // A restart keeps the processes and nothing else.
    let again = SessionOwners(owners.records)
    if again.records != owners.records { return "a restart changes \(owners.records)" }
    return nil
  }

  @Test func `whatever connections and players do, in any order`() {
    let worlds = worlds(depth: 6)
    #expect(worlds.count > 1000)
    for world in worlds {
      guard let flaw = flaw(of: world) else { continue }
      Issue.record("\(flaw): \(world)")
      return
    }
  }

  /// From each of those worlds: all connections close, and their grace passes without another event.
  @Test func `what connections held and nobody took over ends`() {
    for world in worlds(depth: 5) {
      var owners = world.owners
      let held = [one, two].filter { owners.isHeld($0) }
      var due: [SessionOwners.Effect] = []
      for (connection, count) in world.open {
        for _ in 0..<count {
          if let effect = owners.on(.closed(connection), { _ in true }) { due.append(effect) }
        }
      }
      var ended: Set<SessionReference> = []
      for case .expireLater(let id, let turn) in due {
        if case .end(let id, _) = owners.on(.expired(id, turn: turn), { _ in true }) {
          ended.insert(id)
        }
      }
      guard ended != Set(held) else { continue }
      Issue.record("\(held) were held, \(ended) end: \(world)")
      return
    }
  }

  @Test func `an end that is due is cancelled by a publication and by another connection`() throws {
    let connection = Connection(name: name, application: "one")
    let events: [Event] = [
      .published(one, isNew: false, peer: nil), .opened(connection, by: nil, known: [one]),
    ]
    for event in events {
      var owners = SessionOwners()
      _ = owners.on(.opened(connection, by: nil, known: []), { _ in true })
      guard case .expireLater(let id, let turn) = owners.on(.closed(connection), { _ in true })
      else {
        Issue.record("nothing is due")
        return
      }
      #expect(owners.isDue(id, turn: turn))
      _ = owners.on(event, { _ in true })
      #expect(owners.on(.expired(id, turn: turn), { _ in true }) == nil)
    }
  }
}
