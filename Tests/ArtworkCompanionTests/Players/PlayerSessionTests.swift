import TestSupport

@testable import ArtworkCompanion
@testable import ArtworkModel

/// Every state of a player's session that can be reached, and everything that a player and the service can do in it.
@Suite struct PlayerSessionTests {
  private enum Event: CaseIterable {
    case seesOne, seesTwo, seesOneEnded, wantsOne, wantsTwo, wantsOther, begins, fails, ends
  }

  private static let first = MediaContent(kind: .music, title: "one")
  private static let second = MediaContent(kind: .music, title: "two")
  private let one = MediaSession(application: "a", content: Self.first)
  private let two = MediaSession(application: "a", content: Self.second)
  private let other = MediaSession(application: "b", content: Self.first)

  private struct Passage {
    var before: PlayerSession<String>
    var event: Event
    var after: PlayerSession<String>
    var isToBePublished: Bool?
    var effect: PlayerSession<String>.Effect?
  }

  private func pass(_ before: PlayerSession<String>, _ event: Event) -> Passage {
    var (session, isToBePublished) = (before, nil as Bool?)
    var effect: PlayerSession<String>.Effect?
    func want(_ wanted: MediaSession) { effect = session.want(wanted) { $0 == wanted } }
    switch event {
    case .seesOne: isToBePublished = session.see(Self.first) { _ in false }
    case .seesTwo: isToBePublished = session.see(Self.second) { _ in false }
    case .seesOneEnded: isToBePublished = session.see(Self.first) { _ in true }
    case .wantsOne: want(one)
    case .wantsTwo: want(two)
    case .wantsOther: want(other)
    case .begins: session.begin("held")
    case .fails: session.fail()
    case .ends: session.end()
    }
    return Passage(
      before: before, event: event, after: session, isToBePublished: isToBePublished, effect: effect
    )
  }

  private func passages() -> [Passage] {
    var (known, queue, passages) = (Set<String>(), [PlayerSession<String>()], [Passage]())
    while let session = queue.popLast() {
      guard known.insert("\(session)").inserted else { continue }
      for event in Event.allCases {
        let passage = pass(session, event)
        passages.append(passage)
        queue.append(passage.after)
      }
    }
    return passages
  }

  @Test func `whatever a player and the service do, one session is held, and the latest is sent`() {
    let passages = passages()
    #expect(passages.count >= 90)
    for passage in passages {
      let isRight: Bool =
        switch (passage.before.state, passage.event, passage.after.state) {
        case (_, .ends, .none): true
        case (_, .ends, _): false
        // No state holds two sessions.
        case (.opening, .wantsOne, .opening), (.opening, .wantsTwo, .opening),
          (.opening, .wantsOther, .opening):
          if case .later = passage.effect { true } else { false }
        case (.none, .wantsOne, .opening(let wanted)): wanted == one
        case (.none, .wantsTwo, .opening(let wanted)): wanted == two
        case (_, .wantsOther, .opening(let wanted)): wanted == other
        case (.opening(let wanted), .begins, .held(_, let application, let published)):
          wanted == published && wanted.application == application
        // Too late, or twice.
        case (.held, .begins, .held), (.none, .begins, .none), (.dismissed, .begins, .dismissed):
          true
        case (.opening, .fails, .none), (.none, .fails, .none), (.dismissed, .fails, .dismissed):
          true
        case (.held, .fails, .held(_, _, let published)): published == nil
        case (.held, .seesOneEnded, .dismissed(let content)):
          content == Self.first && passage.isToBePublished == false
        case (.dismissed(let before), .seesOne, .dismissed),
          (.dismissed(let before), .seesOneEnded, .dismissed):
          before == Self.first && passage.isToBePublished == false
        case (.dismissed(let before), .seesTwo, .none):
          before != Self.second && passage.isToBePublished == true
        case (.dismissed, _, .dismissed):
          if case .nothing = passage.effect { true } else { false }
        case (.held(_, "a", let before), .wantsOne, .held(_, "a", let after)):
          after == one && sends(passage) == (before != one)
        case (.held(_, "a", let before), .wantsTwo, .held(_, "a", let after)):
          after == two && sends(passage) == (before != two)
        case (.held(_, "b", let before), .wantsOther, .held(_, "b", let after)):
          after == other && sends(passage) == (before != other)
        case (.held(_, "b", _), .wantsOne, .opening), (.held(_, "b", _), .wantsTwo, .opening): true
        case (.none, _, .none), (.opening, _, .opening), (.held, _, .held):
          passage.isToBePublished == true
        default: false
        }
      #expect(isRight, "\(passage)")
    }
  }

  private func sends(_ passage: Passage) -> Bool {
    if case .update = passage.effect { true } else { false }
  }
}
