import Testing

@testable import ArtworkClients

/// Every state in which a session can be held, and everything that can happen in it.
@Suite struct HoldingStateTests {
  private struct Passage: Hashable {
    var before: HoldingState
    var event: HoldingState.Event
    var after: HoldingState
  }

  private func passages() -> Set<Passage> {
    var (known, queue, passages) = (Set([HoldingState()]), [HoldingState()], Set<Passage>())
    while let state = queue.popLast() {
      for event in [HoldingState.Event.done, .missed, .failed, .ended] {
        // Only a stream reports missed events; only it and the check report an end.
        if event == .missed, state.next != .listen { continue }
        if event == .ended, state.next != .listen, state.next != .check { continue }
        var next = state
        next.on(event)
        passages.insert(Passage(before: state, event: event, after: next))
        if known.insert(next).inserted { queue.append(next) }
      }
    }
    return passages
  }

  @Test func `every passage keeps the promises`() {
    let passages = passages()
    #expect(passages.count > 60)
    for passage in passages {
      let (before, after) = (passage.before, passage.after)
      let isRight: Bool =
        switch passage.event {
        case .ended: after.next == nil
        case .missed: after.next == .check
        // No failure is final, and no retry is immediate.
        case .failed:
          switch after.next {
          case .wait(let pause): pause >= .milliseconds(100) && pause <= .seconds(5)
          case nil: before.next == nil
          default: false
          }
        case .done:
          switch before.next {
          case nil: after.next == nil
          case .listen, .publish: after.next == .listen
          case .wait: after.next == .open
          case .open: after.next == .check || after.next == .publish
          case .check: after.next == .listen || after.next == .publish
          }
        }
      #expect(isRight, "\(passage)")
    }
  }

  @Test func `from everywhere it listens again after a check, if one is due, and a publication`() {
    for passage in passages() {
      var (state, steps) = (passage.after, [HoldingState.Step]())
      while let step = state.next, step != .listen, steps.count < 9 {
        steps.append(step)
        state.on(.done)
      }
      #expect(state.next == .listen || passage.after.next == nil)
      if steps.contains(.open) { #expect(steps.last == .publish) }
    }
  }

  @Test func `an end that was missed is found before the session is published again`() {
    var state = HoldingState()
    for event in [HoldingState.Event.missed, .failed, .done] { state.on(event) }
    #expect(state.next == .open)
    state.on(.done)
    #expect(state.next == .check)
    state.on(.failed)
    // Still not known.
    state.on(.done)
    state.on(.done)
    #expect(state.next == .check)
    state.on(.ended)
    #expect(state.next == nil)
  }

  @Test func `pauses double up to five seconds, and begin anew after a publication`() {
    var (state, pauses) = (HoldingState(), [Duration]())
    for _ in 0..<8 {
      state.on(.failed)
      if case .wait(let pause) = state.next { pauses.append(pause) }
      state.on(.done)
    }
    #expect(pauses.map { $0 / .milliseconds(100) } == [1, 2, 4, 8, 16, 32, 50, 50])
    for _ in 0..<2 { state.on(.done) }
    #expect(state.next == .listen)
    state.on(.failed)
    #expect(state.next == .wait(.milliseconds(100)))
  }
}
