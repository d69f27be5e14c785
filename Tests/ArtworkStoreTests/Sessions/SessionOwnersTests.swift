import TestSupport

@testable import ArtworkService

/// Everything that can happen to two sessions, in every order of a few steps.
@Suite struct SessionOwnersTests {
  /// The world around the owners.
  private struct World: Hashable {
    var owners = SessionOwners()
    var open: [SessionReference: [UInt64]] = [:]
    var sessions: Set<SessionReference> = []
    /// Turns whose grace has not passed.
    var due: Set<Turn> = []
    var isDead = false
  }

  private struct Turn: Hashable {
    var session: SessionReference
    var number: UInt64
  }

  private let all: [SessionReference]
  private let process = SessionOwner.Process(identifier: 1, start: 1)

  init() throws {
    let name = try SessionSamples.id("main")
    all = [SessionReference("one", name), SessionReference("two", name)]
  }

  /// The worlds one step on. The process at the other ends of connections is known for the first session alone.
  private func steps(_ world: World) -> [World] {
    var worlds: [World] = []
    func step(_ id: SessionReference, _ event: SessionOwners.Event, _ change: (inout World) -> Void) {
      var next = world
      change(&next)
      switch next.owners.on(event, { _ in !world.isDead }) {
      case .expireLater(let turn): next.due.insert(Turn(session: id, number: turn))
      // As the centre does it: the session ends.
      case .end:
        next.sessions.remove(id)
        _ = next.owners.on(.ended(id)) { _ in true }
      case .replaced, nil: break
      }
      worlds.append(next)
    }
    for id in all {
      let numbers = Set(world.open.values.joined())
      if let number = (0..<3).first(where: { !numbers.contains($0) }) {
        let holder = SessionOwners.Holder(number: number, process: id == all[0] ? process : nil)
        step(id, .opened(id, by: holder)) { $0.open[id, default: []].append(number) }
      }
      for number in world.open[id] ?? [] {
        step(id, .closed(id, number: number)) { world in
          world.open[id]?.removeAll { $0 == number }
          if world.open[id] == [] { world.open[id] = nil }
        }
      }
      step(id, .published(id)) { $0.sessions.insert(id) }
      if world.sessions.contains(id) { step(id, .ended(id)) { $0.sessions.remove(id) } }
    }
    for turn in world.due {
      step(turn.session, .expired(turn.session, turn: turn.number)) { $0.due.remove(turn) }
    }
    if !world.isDead {
      var next = world
      next.isDead = true
      worlds.append(next)
    }
    return worlds
  }

  private func worlds(depth: Int) -> Set<World> {
    var (known, edge) = (Set([World()]), [World()])
    for _ in 0..<depth { edge = edge.flatMap(steps).filter { known.insert($0).inserted } }
    return known
  }

  /// What must hold of every world.
  private func flaw(of world: World) -> String? {
    let owners = world.owners
    for id in all {
      if owners.isHeld(id) != (world.open[id] != nil) { return "\(id) is held, or is not" }
      if owners.isHeld(id), owners.haveEnded(id, { _ in false }) {
        return "\(id) is held by nobody"
      }
    }
    for turn in world.due
    where owners.isHeld(turn.session) && owners.isDue(turn.session, turn: turn.number) {
      return "\(turn) is due and held"
    }
    // Nothing is kept for nobody.
    if world.open.isEmpty, world.due.isEmpty, world.sessions.isEmpty, !owners.holds.isEmpty {
      return "kept: \(owners.holds)"
    }
    // A restart keeps the processes and nothing else.
    let again = SessionOwners(owners.records)
    return again.records == owners.records ? nil : "a restart changes \(owners.records)"
  }

  @Test func `whatever connections and players do, in any order`() {
    let worlds = worlds(depth: 6)
    #expect(worlds.count > 400)
    for world in worlds {
      guard let flaw = flaw(of: world) else { continue }
      Issue.record("\(flaw): \(world)")
      return
    }
  }

  /// From each of those worlds: all connections close, and their grace passes without another event, or after one.
  @Test func `what connections held ends, unless it is published or held again`() {
    for world in worlds(depth: 5) {
      for (id, holders) in world.open {
        let again = SessionOwners.Holder(number: 9)
        for event: SessionOwners.Event? in [nil, .published(id), .opened(id, by: again)] {
          var owners = world.owners
          var turn: UInt64?
          for holder in holders {
            if case .expireLater(let number) = owners.on(.closed(id, number: holder), { _ in true }) {
              turn = number
            }
          }
          if let event { _ = owners.on(event) { _ in true } }
          let effect = turn.flatMap { owners.on(.expired(id, turn: $0)) { _ in true } }
          guard effect != (event == nil ? .end : nil) else { continue }
          Issue.record("\(id) after \(String(describing: event)): \(world)")
          return
        }
      }
    }
  }
}
