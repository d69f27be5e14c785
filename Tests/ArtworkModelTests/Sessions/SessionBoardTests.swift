import ArtworkModel
import TestSupport
import Testing

@Suite struct SessionBoardTests {
  private typealias Samples = SessionSamples
  private let a: SessionID
  private let b: SessionID
  private let c: SessionID
  private var board = SessionBoard()

  init() throws {
    a = try Samples.id("a")
    b = try Samples.id("b")
    c = try Samples.id("c")
  }

  private func shown(_ board: SessionBoard) -> NowPlaying.Shown? {
    board.nowPlaying(at: 0) { _ in .unknown }.shown
  }

  /// `#expect` takes no calls that change something.
  private func expect(_ holds: Bool, _ location: SourceLocation = #_sourceLocation) {
    #expect(holds, sourceLocation: location)
  }

  @Test("Without sessions nothing is shown")
  func showsNothing() {
    #expect(board.systemPrimary == nil)
    #expect(shown(board) == nil)
  }

  @Test(
    "The session that started to play last is shown; a new position of another one changes nothing")
  mutating func showsWhatBeganToPlayLast() {
    board.publish(Samples.session("one", playing: .playing()), as: a)
    board.publish(Samples.session("two", playing: .playing()), as: b)
    #expect(board.systemPrimary == b)
    board.publish(Samples.session("one", title: "Next", playing: .playing(rate: 2)), as: a)
    #expect(board.systemPrimary == b)
    board.publish(Samples.session("one", playing: .paused), as: a)
    board.publish(Samples.session("one", playing: .playing()), as: a)
    #expect(board.systemPrimary == a)
    #expect(shown(board)?.reason == "Of all sessions, it started to play last.")
  }

  @Test(
    "What plays or buffers comes before what does not, and what is loaded before what is not")
  mutating func ranks() {
    board.publish(Samples.session("one", playing: .buffering), as: a)
    board.publish(Samples.session("two", playing: .interrupted), as: b)
    board.publish(Samples.session("three", title: nil), as: c)
    #expect(board.systemPrimary == a)
    board.publish(Samples.session("one", playing: .paused), as: a)
    #expect(board.systemPrimary == b)
    board.publish(Samples.session("three", title: "Loaded"), as: c)
    #expect(board.systemPrimary == c)
  }

  @Test("An application shows the session that it promoted, until that ends")
  mutating func promotesWithinApplication() {
    board.publish(Samples.session(playing: .paused), as: a)
    board.publish(Samples.session(playing: .playing()), as: b)
    #expect(board.applicationPrimary(of: "player") == b)
    expect(board.promote(a, .application))
    #expect(board.applicationPrimary(of: "player") == a)
    #expect(board.systemPrimary == a)
    board.publish(Samples.session(playing: .playing()), as: c)
    #expect(board.applicationPrimary(of: "player") == a)
    expect(board.end(a))
    #expect(board.applicationPrimary(of: "player") == c)
    #expect(board.applicationPrimary(of: "elsewhere") == nil)
  }

  @Test("Promoted for the system, a session is shown whatever else plays, until it ends")
  mutating func promotesForSystem() {
    board.publish(Samples.session("one", playing: .paused), as: a)
    board.publish(Samples.session("two", playing: .playing()), as: b)
    expect(board.promote(a, .system))
    #expect(board.systemPrimary == a)
    #expect(shown(board)?.reason == "It was promoted for the system.")
    board.publish(Samples.session("three", playing: .playing()), as: c)
    #expect(board.systemPrimary == a)
    expect(board.end(a))
    #expect(board.systemPrimary == c)
  }

  @Test("What the system shows is its application's primary, also after another was promoted there")
  mutating func keepsScopesTogether() {
    board.publish(Samples.session("one", playing: .paused), as: a)
    board.publish(Samples.session("one", playing: .playing()), as: b)
    board.publish(Samples.session("two", playing: .playing()), as: c)
    expect(board.promote(a, .system))
    #expect(board.applicationPrimary(of: "one") == a)
    expect(board.promote(b, .application))
    #expect(board.systemPrimary == b)
    expect(board.promote(c, .application))
    #expect(board.systemPrimary == b)
    expect(board.promote(c, .system))
    #expect(board.systemPrimary == c)
    #expect(board.applicationPrimary(of: "one") == b)
  }

  @Test("A session that moves to another application takes no promotion along")
  mutating func demotesWhatMoves() {
    board.publish(Samples.session("one"), as: a)
    board.publish(Samples.session("two"), as: b)
    expect(board.promote(a, .system))
    board.publish(Samples.session("two"), as: a)
    #expect(board.systemPrimary == b)
    #expect(board.applicationPrimary(of: "one") == nil)
    #expect(board.applicationPrimary(of: "two") == b)
  }

  @Test(
    "What is not there is neither ended nor promoted, and a promotion does not outlive its session")
  mutating func knowsItsSessions() {
    expect(!board.end(a))
    expect(!board.promote(a, .system))
    board.publish(Samples.session("one"), as: a)
    expect(board.promote(a, .system))
    expect(board.end(a))
    expect(!board.end(a))
    board.publish(Samples.session("one"), as: a)
    board.publish(Samples.session("two"), as: b)
    #expect(board.systemPrimary == b)
  }

  @Test("Names that differ only in how é is written are two sessions")
  mutating func tellsNamesApartByBytes() throws {
    let composed = try Samples.id("caf\u{e9}")
    let decomposed = try Samples.id("cafe\u{301}")
    board.publish(Samples.session(title: "one"), as: composed)
    board.publish(Samples.session(title: "two"), as: decomposed)
    #expect(board.sessions.count == 2)
    expect(board.end(composed))
    #expect(board.sessions[decomposed]?.content?.title == "two")
  }

  /// A linear generator: the same steps in every run.
  private struct Steps {
    var state: UInt64 = 7
    mutating func next(_ count: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int(truncatingIfNeeded: state >> 33) % count
    }
  }

  @Test(
    "Through a thousand random steps one session is primary in each application and one in the system, and a stored board goes on alike"
  )
  mutating func keepsInvariants() throws {
    let ids = try (0..<5).map { try Samples.id("s\($0)") }
    let states: [PlaybackSnapshot.State?] = [.playing(), .paused, .buffering, .interrupted, nil]
    var steps = Steps()
    for step in 0..<1000 {
      let id = ids[steps.next(5)]
      switch steps.next(4) {
      case 0: _ = board.end(id)
      case 1: _ = board.promote(id, steps.next(2) == 0 ? .system : .application)
      default:
        board.publish(
          Samples.session("app\(steps.next(2))", playing: states[steps.next(5)]), as: id)
      }
      let document = board.nowPlaying(at: 0) { _ in .unknown }
      let applications = Set(board.sessions.values.map(\.application))
      let primaries = document.sessions.filter(\.isApplicationPrimary)
      #expect(primaries.map(\.session.application).sorted() == applications.sorted(), "\(step)")
      #expect(
        document.sessions.filter(\.isSystemPrimary).map(\.id)
          == (board.sessions.isEmpty ? [] : [try #require(document.shown).sessionID]), "\(step)")
      #expect(primaries.map(\.id).contains { $0 == document.shown?.sessionID } || primaries.isEmpty)
      let stored = try Samples.decode(SessionBoard.self, Samples.encode(board))
      #expect(stored == board, "\(step)")
    }
  }
}
