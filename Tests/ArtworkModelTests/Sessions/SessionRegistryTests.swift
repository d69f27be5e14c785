import TestSupport

@Suite struct SessionRegistryTests {
  private typealias Samples = SessionSamples
  private let a: SessionID
  private let b: SessionID
  private let c: SessionID
  private var board = SessionRegistry()

  init() throws {
    a = try Samples.id("a")
    b = try Samples.id("b")
    c = try Samples.id("c")
  }

  private func shown(_ board: SessionRegistry) -> NowPlaying.Shown? {
    board.nowPlaying(at: 0) { _ in .unknown }.shown
  }

  /// `#expect` accepts no mutating calls.
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
    #expect(board.systemPrimary?.id == b)
    board.publish(Samples.session("one", title: "Next", playing: .playing(rate: 2)), as: a)
    #expect(board.systemPrimary?.id == b)
    board.publish(Samples.session("one", playing: .paused), as: a)
    board.publish(Samples.session("one", playing: .playing()), as: a)
    #expect(board.systemPrimary?.id == a)
    #expect(shown(board)?.reason == "Of all sessions that play or buffer, it started last.")
  }

  @Test("The reason is true of what plays now, whatever started after it")
  mutating func saysWhyTruly() {
    board.publish(Samples.session("two", playing: .playing()), as: b)
    board.publish(Samples.session("one", playing: .playing()), as: a)
    board.publish(Samples.session("one", playing: .paused), as: a)
    #expect(board.systemPrimary?.id == b)
    #expect(shown(board)?.reason == "Of all sessions, only this one plays or buffers.")
    board.publish(Samples.session("two", playing: .paused), as: b)
    #expect(board.systemPrimary?.id == a)
    #expect(
      shown(board)?.reason
        == "Of all sessions with content, it appeared or started last; none plays or buffers.")
    // A session beside its application's primary is no candidate.
    expect(board.promote(b, .application))
    board.publish(Samples.session("two", playing: .playing()), as: b)
    board.publish(Samples.session("two", playing: .playing()), as: c)
    #expect(board.systemPrimary?.id == b)
    #expect(
      shown(board)?.reason
        == "Its application promoted it, and of the applications' primary sessions, only this one "
        + "plays or buffers.")
  }

  @Test("A promotion that is taken back leaves the rank")
  mutating func demotes() {
    board.publish(Samples.session("one", playing: .paused), as: a)
    board.publish(Samples.session("one", playing: .playing()), as: b)
    expect(board.promote(a, .system))
    expect(board.demote(a, .system))
    #expect(board.systemPrimary?.id == a)
    #expect(board.applicationPrimary(of: "one")?.id == a)
    expect(board.promote(a, .system))
    expect(board.demote(a, .application))
    #expect(board.systemPrimary?.id == b)
    expect(board.demote(a, .application))
    expect(!board.demote(c, .application))
  }

  @Test("What plays or buffers comes before what does not, and what is loaded before what is not")
  mutating func ranks() {
    board.publish(Samples.session("one", playing: .buffering), as: a)
    board.publish(Samples.session("two", playing: .interrupted), as: b)
    board.publish(Samples.session("three", title: nil), as: c)
    #expect(board.systemPrimary?.id == a)
    board.publish(Samples.session("one", playing: .paused), as: a)
    #expect(board.systemPrimary?.id == b)
    board.publish(Samples.session("three", title: "Loaded"), as: c)
    #expect(board.systemPrimary?.id == c)
  }

  @Test("An application shows the session that it promoted, until that ends")
  mutating func promotesWithinApplication() {
    board.publish(Samples.session(playing: .paused), as: a)
    board.publish(Samples.session(playing: .playing()), as: b)
    #expect(board.applicationPrimary(of: "player")?.id == b)
    expect(board.promote(a, .application))
    #expect(board.applicationPrimary(of: "player")?.id == a)
    #expect(board.systemPrimary?.id == a)
    board.publish(Samples.session(playing: .playing()), as: c)
    #expect(board.applicationPrimary(of: "player")?.id == a)
    expect(board.end(a))
    #expect(board.applicationPrimary(of: "player")?.id == c)
    #expect(board.applicationPrimary(of: "elsewhere") == nil)
  }

  @Test("Promoted for the system, a session is shown whatever else plays, until it ends")
  mutating func promotesForSystem() {
    board.publish(Samples.session("one", playing: .paused), as: a)
    board.publish(Samples.session("two", playing: .playing()), as: b)
    expect(board.promote(a, .system))
    #expect(board.systemPrimary?.id == a)
    #expect(shown(board)?.reason == "It was promoted for the system.")
    board.publish(Samples.session("three", playing: .playing()), as: c)
    #expect(board.systemPrimary?.id == a)
    expect(board.end(a))
    #expect(board.systemPrimary?.id == c)
  }

  @Test("What the system shows is its application's primary, also after another was promoted there")
  mutating func keepsScopesTogether() {
    board.publish(Samples.session("one", playing: .paused), as: a)
    board.publish(Samples.session("one", playing: .playing()), as: b)
    board.publish(Samples.session("two", playing: .playing()), as: c)
    expect(board.promote(a, .system))
    #expect(board.applicationPrimary(of: "one")?.id == a)
    expect(board.promote(b, .application))
    #expect(board.systemPrimary?.id == b)
    expect(board.promote(c, .application))
    #expect(board.systemPrimary?.id == b)
    expect(board.promote(c, .system))
    #expect(board.systemPrimary?.id == c)
    #expect(board.applicationPrimary(of: "one")?.id == b)
  }

  @Test("Sessions of one name belong to their applications")
  mutating func scopesNames() throws {
    board.publish(Samples.session("one", title: "A", playing: .playing()), as: a)
    board.publish(Samples.session("two", title: "B"), as: a)
    #expect(board.sessions.count == 2)
    #expect(board.sessions[SessionReference("one", a)]?.content?.title == "A")
    let error = #expect(throws: StoreError.self) { try board.reference(a) }
    #expect(error?.code == .ambiguousSession)
    #expect(error?.message.contains("one, two") == true)
    #expect(try board.reference(a, of: "two") == SessionReference("two", a))
    let unknown = #expect(throws: StoreError.self) { try board.reference(a, of: "three") }
    #expect(unknown?.code == .unknownSession)
    expect(board.promote(SessionReference("two", a), .system))
    #expect(board.systemPrimary == SessionReference("two", a))
    #expect(board.applicationPrimary(of: "one") == SessionReference("one", a))
    expect(board.end(SessionReference("two", a)))
    #expect(try board.reference(a) == SessionReference("one", a))
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
    #expect(board.systemPrimary?.id == b)
  }

  @Test("Names that differ only in how é is written are two sessions")
  mutating func tellsNamesApartByBytes() throws {
    let composed = try Samples.id("caf\u{e9}")
    let decomposed = try Samples.id("cafe\u{301}")
    board.publish(Samples.session(title: "one"), as: composed)
    board.publish(Samples.session(title: "two"), as: decomposed)
    #expect(board.sessions.count == 2)
    expect(board.end(composed))
    #expect(board.sessions[SessionReference("player", decomposed)]?.content?.title == "two")
  }

  private static func reference(_ published: PublishedSession) -> SessionReference {
    SessionReference(published.session.application, published.id)
  }

  /// A linear generator: the same steps in every run.
  private struct Steps {
    var state: UInt64 = 7
    mutating func next(_ count: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int(truncatingIfNeeded: state >> 33) % count
    }
  }

  @Test("A thousand random steps keep one primary in each application and one in the system")
  mutating func keepsInvariants() throws {
    let ids = try (0..<5).map { try Samples.id("s\($0)") }
    let states: [PlaybackSnapshot.State?] = [.playing(), .paused, .buffering, .interrupted, nil]
    var steps = Steps()
    for step in 0..<1000 {
      let id = ids[steps.next(5)]
      switch steps.next(4) {
      case 0: _ = board.end(SessionReference("app\(steps.next(2))", id))
      case 1:
        _ = board.promote(
          SessionReference("app\(steps.next(2))", id),
          steps.next(2) == 0 ? .system : .application)
      default:
        board.publish(
          Samples.session("app\(steps.next(2))", playing: states[steps.next(5)]), as: id)
      }
      let document = board.nowPlaying(at: 0) { _ in .unknown }
      let applications = Set(board.sessions.values.map(\.application))
      let primaries = document.sessions.filter(\.isApplicationPrimary)
      #expect(primaries.map(\.session.application).sorted() == applications.sorted(), "\(step)")
      #expect(
        document.sessions.filter(\.isSystemPrimary).map(Self.reference)
          == (board.sessions.isEmpty ? [] : [try #require(board.systemPrimary)]), "\(step)")
      #expect(
        primaries.map(Self.reference).contains { $0 == board.systemPrimary } || primaries.isEmpty)
    }
  }
}

/// By names that are unique here.
extension SessionRegistry {
  fileprivate mutating func end(_ id: SessionID) -> Bool {
    guard let session = try? reference(id) else { return false }
    return end(session)
  }

  fileprivate mutating func promote(_ id: SessionID, _ scope: Scope) -> Bool {
    guard let session = try? reference(id) else { return false }
    return promote(session, scope)
  }

  fileprivate mutating func demote(_ id: SessionID, _ scope: Scope) -> Bool {
    guard let session = try? reference(id) else { return false }
    return demote(session, scope)
  }
}
