import TestSupport

/// Sessions that are not eligible, and why others are not shown.
@Suite struct EligibilityTests {
  private let a: SessionID
  private let b: SessionID
  private var board = SessionRegistry()

  init() throws {
    a = try SessionSamples.id("a")
    b = try SessionSamples.id("b")
  }

  private func document(_ board: SessionRegistry) -> NowPlaying {
    board.nowPlaying(at: 0) { _ in .unknown }
  }

  private func reason(_ id: SessionID, _ board: SessionRegistry) -> Presentation.Reason? {
    document(board).sessions.first { $0.id == id }?.notShown
  }

  @Test mutating func `a session that mixes or has no commands is published and not shown`() {
    var session = SessionSamples.session("one", playing: .playing())
    board.publish(session, as: a)
    #expect(board.systemPrimary?.id == a && reason(a, board) == nil)
    session.mixesWithOthers = true
    let before = board
    board.publish(session, as: a)
    #expect(document(board).shown == nil && document(board).sessions.count == 1)
    #expect(board.applicationPrimary(of: "one") == nil)
    #expect(reason(a, board)?.code == "mixes-with-others")
    // Listeners are notified that no session is shown.
    #expect(board.primaries(since: before).map(\.1) == [.system])
    #expect(board.primaries(since: before).allSatisfy { $0.0 == nil })
    session.mixesWithOthers = false
    session.eligibility = .withCommands
    board.publish(session, as: a)
    #expect(document(board).shown == nil)
    #expect(reason(a, board)?.code == "no-commands")
    // A disabled command is one as well.
    session.commands = [.next: OfferedCommand(isEnabled: false)]
    board.publish(session, as: a)
    #expect(board.systemPrimary?.id == a)
  }

  @Test mutating func `a promotion rests while its session is not eligible`() throws {
    let session = SessionSamples.session("one", playing: .playing())
    board.publish(session, as: a)
    board.publish(session, as: b)
    let promoted = board.promote(SessionReference("one", a), .system)
    #expect(promoted && board.systemPrimary?.id == a)
    var mixing = session
    mixing.mixesWithOthers = true
    board.publish(mixing, as: a)
    #expect(board.systemPrimary?.id == b && board.applicationPrimary(of: "one")?.id == b)
    #expect(document(board).shown?.reason == "It is the only eligible session.")
    board.publish(session, as: a)
    #expect(board.systemPrimary?.id == a)
  }

  @Test mutating func `each session that is not shown reports which one is, and why`() throws {
    board.publish(SessionSamples.session("one", playing: .playing()), as: a)
    board.publish(SessionSamples.session("one", playing: .paused), as: b)
    #expect(
      reason(b, board)
        == .init(
          code: "application-primary",
          message: "Its application shows a: it plays or buffers, and this one does not."))
    board.publish(SessionSamples.session("two", title: nil), as: b)
    board.publish(SessionSamples.session("one", playing: .paused), as: a)
    let two = try #require(board.published(SessionReference("two", b)))
    #expect(
      two.notShown
        == .init(
          code: "system-primary",
          message: "The system shows b of one: it has content, and this one has none."))
    let promoted = board.promote(SessionReference("one", a), .system)
    #expect(promoted)
    board.publish(SessionSamples.session("one", playing: .playing()), as: b)
    let own = try #require(board.published(SessionReference("one", b)))
    #expect(own.notShown?.message == "Its application shows a: it was promoted.")
    let again = try #require(board.published(SessionReference("two", b)))
    #expect(again.notShown?.message == "The system shows a of one: it was promoted.")
    board.publish(SessionSamples.session("two", playing: .playing()), as: a)
    let demoted = board.demote(SessionReference("one", a), .application)
    #expect(demoted)
    board.publish(SessionSamples.session("one", playing: .paused), as: b)
    board.publish(SessionSamples.session("one", playing: .playing()), as: b)
    let one = try #require(board.published(SessionReference("two", a)))
    #expect(one.notShown?.message == "The system shows b of one: it appeared or started later.")
    #expect(board.published(SessionReference("one", b))?.notShown == nil)
  }
}
