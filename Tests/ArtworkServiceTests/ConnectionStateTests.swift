import ArtworkModel
import NIOCore
import TestSupport

@testable import ArtworkService

/// Every state that a connection reaches with two requests under way, and every event in it.
@Suite struct ConnectionStateTests {
  fileprivate typealias Event = ConnectionState.Event
  fileprivate typealias Effect = ConnectionState.Effect
  fileprivate typealias Client = ConnectionState.Client

  private static let problem = Problem.badRequest("x")
  private static let limits = {
    var limits = ServiceLimits()
    (limits.body, limits.fields, limits.framing) = (1, 1, 1)
    return limits
  }()
  private static let start = NIODeadline.uptimeNanoseconds(0)
  private static let clients = [
    Client(), Client(hearsEvents: true), Client(ownsSession: true, hearsEvents: true),
  ]
  private static let events: [Event] = [
    .head(isLast: false), .head(isLast: true), .body(bytes: 1), .end,
    .decoded(hadPart: true, bytes: 0), .decoded(hadPart: false, bytes: 1),
    .decoded(hadPart: false, bytes: 9), .refused(problem), .trusted,
    .responseHead(isInformal: true, isLast: false), .responseHead(isLast: false),
    .responseHead(isLast: true), .responseEnd, .written, .writable(true), .writable(false),
    .inputClosed, .stopping(isFinal: false), .stopping(isFinal: true), .tick, .failed,
  ]

  /// Whether the decoder, the routes or the channel may send the event now.
  private static func mayCome(_ event: Event, to state: ConnectionState) -> Bool {
    let isInRequest =
      switch state.input {
      case .body: true
      case .between, .head: false
      case .finished, .dropped: nil as Bool?
      }
    return switch event {
    case .head: isInRequest != true && state.outstanding < 2
    case .body, .end: isInRequest != false
    case .responseHead, .responseEnd:
      state.outstanding > 0 && state.acceptsWrites && state.unwritten < 1
        && state.responseHasBegun == (event == .responseEnd)
    case .written: state.unwritten > 0
    default: true
    }
  }

  fileprivate struct Step {
    var before: ConnectionState
    var event: Event
    var effects: [Effect]
    var after: ConnectionState
  }

  private static let (steps, states): ([Step], Set<ConnectionState>) = {
    // A client that presents the token is no longer an unauthenticated peer.
    let first = ConnectionState(limits, isUnauthenticated: true, at: start)
    var (known, queue, steps) = (Set([first]), [first], [Step]())
    while let state = queue.popLast() {
      for event in events where mayCome(event, to: state) {
        for client in clients {
          var next = state
          // Two times are enough, and keep the states finite.
          let effects = next.on(event, at: event == .tick ? start + .hours(1) : start, client)
          steps.append(Step(before: state, event: event, effects: effects, after: next))
          if known.insert(next).inserted { queue.append(next) }
        }
      }
    }
    return (steps, known)
  }()

  @Test func `a connection keeps its promises in every state`() {
    #expect(Self.steps.count > 10_000)
    for step in Self.steps where !step.keepsPromises {
      Issue.record("\(step.event) in \(step.before): \(step.effects), \(step.after)")
      return
    }
  }

  /// Routes answer pending requests, the socket accepts written data or does not, and time passes.
  @Test(arguments: [false, true])
  func `every connection ends, but that of an owner who does not read`(socketTakes: Bool) {
    for state in Self.states {
      var (state, now) = (state, Self.start)
      func isOver() -> Bool { state.output == .closed }
      if !socketTakes { _ = state.on(.writable(false), at: now, Client()) }
      for _ in 0..<8 where !isOver() {
        while state.acceptsWrites, state.outstanding > 0, state.isComplete {
          if !state.responseHasBegun {
            _ = state.on(.responseHead(isLast: false), at: now, Client())
          }
          _ = state.on(.responseEnd, at: now, Client())
        }
        while socketTakes, state.unwritten > 0 { _ = state.on(.written, at: now, Client()) }
        now = now + .hours(1)
        _ = state.on(.tick, at: now, Client())
      }
      guard !isOver() else { continue }
      Issue.record("never ends: \(state)")
      return
    }
  }

  @Test func `only who owns a session may leave everything unread`() {
    var state = ConnectionState(Self.limits, isUnauthenticated: false, at: Self.start)
    let owner = Client(ownsSession: true, hearsEvents: true)
    _ = state.on(.head(isLast: false), at: Self.start, owner)
    _ = state.on(.end, at: Self.start, owner)
    _ = state.on(.responseHead(isLast: false), at: Self.start, owner)
    _ = state.on(.writable(false), at: Self.start, owner)
    #expect(state.on(.tick, at: Self.start + .hours(1), owner) == [])
    #expect(state.on(.tick, at: Self.start + .hours(1), Client()) == [.close])
  }
}

extension ConnectionState {
  /// Whether no request is only partly read.
  fileprivate var isComplete: Bool { if case .body = input { outstanding > 1 } else { true } }

  fileprivate var isDeaf: Bool { input == .dropped || input == .finished || output == .closed }
}

extension ConnectionStateTests.Step {
  var keepsPromises: Bool {
    let answers = effects.contains { if case .answer = $0 { true } else { false } }
    var broken = after.outstanding < 0 || after.unwritten < 0
    // A closed output remains closed, and is not read.
    if before.output == .closed { broken = broken || !effects.isEmpty }
    if before.isDeaf { broken = broken || !after.isDeaf || effects.contains(.passOn) }
    if !after.acceptsWrites { broken = broken || !after.isDeaf }
    if !before.acceptsWrites { broken = broken || after.acceptsWrites || answers }
    // A refusal is the last response, and cuts no other one in two.
    if answers {
      broken = broken || after.acceptsWrites || !effects.contains(.dropInput)
      broken = broken || after.responseHasBegun || after.outstanding > 1
    }
    // Written data arrives before our side closes.
    if effects.contains(.closeOutput) { broken = broken || after.unwritten > 0 }
    if effects.contains(.close) { broken = broken || after.output != .closed }
    // The client of a last response knows that it is the last.
    if after.output == .last {
      broken = broken || !(before.output == .last || effects == [.sayLast])
    }
    return !broken
  }
}
