import TestSupport

@testable import ArtworkModel

/// A random life of sessions, their owners' connections and commands, beside an oracle that keeps plain lists.
@Suite struct CommandLifeTests {
  @Test(arguments: [1, 2] as [UInt64])
  func `every command ends once, and as it must`(seed: UInt64) throws {
    var life = try CommandLife(seed: seed)
    // At night 100,000 steps in all.
    for _ in 0..<(Nightly.isOn ? 50_000 : 4_000) { life.step() }
    life.closeAll()
    #expect(life.flaws == [])
    // The life saw every end and every refusal.
    #expect(life.seenEnds == Set(CommandOutcome.Status.allCases))
    #expect(
      life.seenRefusals == [
        .commandNotOffered, .commandDisabled, .notListening, .busy, .unknownCommand,
      ])
  }
}

private struct CommandLife {
  /// The actual events, as recorded by closures.
  private final class Record: Sendable {
    let delivered = Mutex<[(stream: Int, command: DeliveredCommand)]>([])
    let ended = Mutex<[UInt64: [CommandOutcome.Status]]>([:])
    let full = Mutex<Set<Int>>([])
  }

  private struct Stream {
    var number: Int
    var receiver: UInt64
    var session: SessionReference
  }

  private struct Waiting {
    var number: UInt64
    var session: SessionReference
    var stream: Int
  }

  private var noise: Noise
  private var desk = CommandRouter()
  private let record = Record()
  // The oracle.
  private var sessions: [SessionReference: MediaSession] = [:]
  private var streams: [Stream] = []
  private var waiting: [Waiting] = []
  private var expectedEnds: [UInt64: CommandOutcome.Status] = [:]
  private var lastEnded: [UInt64] = []
  private var lastStream = 0
  private var steps = 0
  private let names: [SessionID]

  private(set) var flaws: [String] = []
  private(set) var seenRefusals: Set<StoreError.Code> = []

  var seenEnds: Set<CommandOutcome.Status> { Set(expectedEnds.values) }

  init(seed: UInt64) throws {
    noise = Noise(seed: seed)
    names = [try SessionSamples.id("a"), try SessionSamples.id("b")]
  }

  private mutating func choose<T>(_ list: [T]) -> T? { list.randomElement(using: &noise) }

  private mutating func chance(_ part: Double) -> Bool {
    Double.random(in: 0..<1, using: &noise) < part
  }

  mutating func step() {
    let id = SessionReference(chance(0.5) ? "one" : "two", names[chance(0.5) ? 0 : 1])
    switch Int.random(in: 0..<100, using: &noise) {
    case 0..<10: publish(id)
    case 10..<12: end(id)
    case 12..<18: open(id)
    case 18..<21: close()
    case 21..<23: fill()
    case 23..<70: ask(id)
    case 70..<90: answer()
    case 90..<95: answerWrongly(id)
    default: giveUp()
    }
    steps += 1
    compare(all: steps % 1000 == 0)
  }

  mutating func closeAll() {
    while !streams.isEmpty { close() }
    compare(all: true)
    if desk.pendingCount != 0 { flaws.append("commands wait for nobody") }
  }

  // MARK: Steps

  private mutating func publish(_ id: SessionReference) {
    var session = MediaSession(application: id.application)
    for name in [CommandName.play, .next] where chance(0.7) {
      session.commands[name] = OfferedCommand(isEnabled: chance(0.7))
    }
    sessions[id] = session
  }

  private mutating func end(_ id: SessionReference) {
    guard sessions.removeValue(forKey: id) != nil else { return }
    for command in desk.end(id) { command.end(.sessionEnded) }
    expect(.sessionEnded) { $0.session == id }
  }

  private mutating func open(_ id: SessionReference) {
    guard streams.count < 6 else { return }
    lastStream += 1
    let number = lastStream
    let receiver = desk.open(
      CommandRouter.Receiver(id) { [record] command in
        if record.full.withLock({ $0.contains(number) }) { return false }
        record.delivered.withLock { $0.append((number, command)) }
        return true
      })
    streams.append(Stream(number: number, receiver: receiver, session: id))
  }

  private mutating func close() {
    guard let stream = choose(streams) else { return }
    streams.removeAll { $0.number == stream.number }
    for command in desk.close(stream.receiver) { command.end(.ownerGone) }
    expect(.ownerGone) { $0.stream == stream.number }
  }

  /// A stream takes nothing more, or something again.
  private mutating func fill() {
    guard let stream = choose(streams) else { return }
    record.full.withLock { full in
      if full.remove(stream.number) == nil { full.insert(stream.number) }
    }
  }

  private func holder(of id: SessionReference) -> Stream? { streams.last { $0.session == id } }

  private mutating func ask(_ id: SessionReference) {
    guard let session = sessions[id], let command = choose([RequestedCommand.play, .next]) else {
      return
    }
    let holder = holder(of: id)
    let isFull = holder.map { stream in record.full.withLock { $0.contains(stream.number) } }
    let expected: StoreError.Code? =
      switch session.commands[command.name] {
      case nil: .commandNotOffered
      case .some(let offer) where !offer.isEnabled: .commandDisabled
      default:
        if holder == nil {
          .notListening
        } else if isFull == true
          || waiting.count(where: { $0.session == id }) >= CommandRouter.limit
        {
          .busy
        } else {
          nil
        }
      }
    do throws(StoreError) {
      let number = record.delivered.withLock(\.count)
      let admitted = try session.admitted(command, to: id.id, at: 0)
      let sent = try desk.send(
        admitted, to: id, at: 0,
        finish: { [record] outcome in
          record.ended.withLock { $0[outcome.number, default: []].append(outcome.status) }
        })
      let delivered = record.delivered.withLock { Array($0[number...]) }
      if expected != nil {
        flaws.append("\(command) was sent, not \(String(describing: expected))")
      }
      if delivered.count != 1 || delivered[0].command != sent
        || delivered[0].stream != holder?.number
      {
        flaws.append("\(sent) did not reach its owner alone")
      }
      waiting.append(Waiting(number: sent.number, session: id, stream: holder?.number ?? 0))
    } catch {
      seenRefusals.insert(error.code)
      if error.code != expected { flaws.append("\(error), not \(String(describing: expected))") }
    }
  }

  private mutating func answer() {
    guard let command = choose(waiting), let status = choose(CommandStatus.allCases) else { return }
    do throws(StoreError) {
      try desk.answer(command.number, of: command.session).end(CommandAnswer(status))
      expect(CommandOutcome.Status(status)) { $0.number == command.number }
    } catch {
      flaws.append("\(error) to a right answer")
    }
  }

  /// For a command that has ended, that never was, or that another session got.
  private mutating func answerWrongly(_ id: SessionReference) {
    let others = waiting.filter { $0.session != id }.map(\.number)
    guard let number = choose(others + lastEnded + [1 << 40]) else {
      return
    }
    do throws(StoreError) {
      _ = try desk.answer(number, of: id)
      flaws.append("a wrong answer to \(number) was taken")
    } catch {
      seenRefusals.insert(error.code)
    }
  }

  private mutating func giveUp() {
    guard let command = choose(waiting) else { return }
    desk.giveUp(command.number)?.end(.timedOut)
    expect(.timedOut) { $0.number == command.number }
    if desk.giveUp(command.number) != nil { flaws.append("a command was given up twice") }
  }

  // MARK: The oracle

  private mutating func expect(_ status: CommandOutcome.Status, _ isMeant: (Waiting) -> Bool) {
    for command in waiting where isMeant(command) {
      expectedEnds[command.number] = status
      lastEnded = lastEnded.suffix(4) + [command.number]
    }
    waiting.removeAll(where: isMeant)
  }

  /// - Parameter all: whether to compare the end of each command, and not only their number.
  private mutating func compare(all: Bool) {
    record.ended.withLock { ended in
      if ended.count != expectedEnds.count || (all && ended != expectedEnds.mapValues { [$0] }) {
        flaws.append("the ends differ")
      }
    }
    if desk.pendingCount != waiting.count { flaws.append("the waiting commands differ") }
  }
}
