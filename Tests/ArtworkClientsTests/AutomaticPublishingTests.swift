import ArtworkClients
import Observation
import TestSupport

/// Players that publish themselves, and how often they do.
@Suite(.timeLimit(.minutes(5))) struct AutomaticPublishingTests {
  private let place: FakePlace
  private let client: ArtworkClient

  init() throws {
    place = try FakePlace()
    client = place.client
  }

  private func publishes(_ service: FakeService) -> Int {
    service.with { state in
      state.requests.filter { $0.hasPrefix("PUT /v1/sessions") || $0.hasPrefix("PATCH") }.count
    }
  }

  /// A film player, and when it was read.
  private struct WatchedPlayer: PlaybackSource {
    let film = FilmPlayer()
    let reads: AsyncStream<Void>
    private let wasRead: AsyncStream<Void>.Continuation

    init(_ content: MediaContent, state: PlaybackSnapshot.State = .playing()) {
      (reads, wasRead) = AsyncStream.makeStream(of: Void.self)
      film.change {
        $0 = PlaybackReading(item: PlaybackItem(content), state: state, timestamp: 1000)
      }
    }

    var reading: PlaybackReading {
      defer { wasRead.yield() }
      return film.reading
    }

    var changes: AsyncStream<Void> { film.changes }
  }

  private static let film = MediaContent.movie(id: "film/1", title: "Tide", duration: .finite(5000))

  @Test("600 ticks are no news; a seek, a pause, a rate and another item are one each")
  func publishesWhatIsSignificant() async throws {
    let service = try await place.start()
    let player = WatchedPlayer(Self.film)
    var reads = player.reads.makeAsyncIterator()
    let id = try SessionSamples.id("film")
    let held = try await client.publish(players: player, as: id, application: "player")
    await reads.next()
    #expect(publishes(service) == 1)
    var now = 1000.0
    func position() -> Double? { service.with { $0.board.session(id)?.playback?.elapsedSeconds } }
    /// Reads are sequential: by the second one, the first has been published.
    func expect(
      _ count: Int, _ location: SourceLocation = #_sourceLocation,
      after change: (inout PlaybackReading) -> Void = { _ in }
    ) async {
      player.film.change(change)
      await reads.next()
      player.film.change { _ in }
      await reads.next()
      #expect(publishes(service) == count, sourceLocation: location)
    }
    func tick(by seconds: Double = 0.25) async {
      now += seconds
      player.film.change {
        $0.timeSeconds += seconds
        $0.timestamp = now
      }
      await reads.next()
    }
    for _ in 0..<600 { await tick() }
    await expect(1)
    await expect(2) { $0.timeSeconds = 1200 }
    #expect(position() == 1200)
    for _ in 0..<100 { await tick() }
    await expect(3) { $0.state = .paused }
    #expect(position() == 1225)
    now += 60
    await expect(3) { $0.timestamp = now }
    await expect(4) { $0.timeSeconds += 5 }
    await expect(5) { $0.state = .playing(rate: 2) }
    await expect(6) { $0.state = .buffering }
    await expect(7) { $0.state = .playing() }
    await expect(8) {
      $0 = PlaybackReading(
        item: PlaybackItem(.movie(id: "film/2", title: "Ebb")), state: .playing(), timestamp: now)
    }
    #expect(service.with { $0.board.session(id)?.content?.title } == "Ebb")
    #expect(service.with { $0.board.session(id)?.playback?.duration } == .unknown)
    // The player learns the duration of the item that it has started, and where the ads are.
    await expect(9) { $0.item?.content.duration = .finite(100) }
    await expect(10) { $0.item?.adBreaks = [.init(startSeconds: 0, durationSeconds: 30)] }
    #expect(service.with { $0.board.session(id)?.playback?.netDuration } == 70)
    // At its end it remains there, and keeps reporting that for a while.
    await tick(by: 100)
    for _ in 0..<50 {
      now += 1
      await expect(10) { $0.timestamp = now }
    }
    await expect(11) { $0 = PlaybackReading() }
    #expect(service.with { $0.board.session(id)?.content } == nil)
    #expect(held.trouble == nil)
    // All but the first were changes, not whole sessions.
    #expect(service.with { $0.requests.filter { $0.hasPrefix("PUT") }.count } == 1)
  }

  @Test("A clock that drifts from the player's is set right when it matters")
  func correctsDrift() async throws {
    let service = try await place.start()
    let player = WatchedPlayer(Self.film)
    var reads = player.reads.makeAsyncIterator()
    let id = try SessionSamples.id("film")
    let held = try await client.publish(players: player, as: id, application: "player")
    await reads.next()
    // The player loses 1 ms a second.
    for second in 1...1200 {
      player.film.change {
        $0.timeSeconds = Double(second) * 0.999
        $0.timestamp = 1000 + Double(second)
      }
      await reads.next()
    }
    player.film.change { _ in }
    await reads.next()
    // After 501 s, and after as many again.
    #expect(publishes(service) == 3)
    try await held.end()
  }

  @Test("Of several players of one content, the first that plays stands for all")
  func sharesSession() async throws {
    let service = try await place.start()
    let main = WatchedPlayer(Self.film)
    let corner = WatchedPlayer(Self.film, state: .paused)
    let unrelated = WatchedPlayer(.movie(id: "other", title: "Other"))
    var reads = unrelated.reads.makeAsyncIterator()
    let id = try SessionSamples.id("race")
    let held = try await client.publish(
      players: main, corner, unrelated, as: id, application: "player")
    await reads.next()
    func expect(
      _ seconds: Double, _ location: SourceLocation = #_sourceLocation, after player: WatchedPlayer,
      _ change: (inout PlaybackReading) -> Void
    ) async {
      player.film.change(change)
      await reads.next()
      player.film.change { _ in }
      await reads.next()
      let shown = service.with { $0.board.session(id)?.playback?.elapsedSeconds }
      #expect(shown == seconds, sourceLocation: location)
    }
    #expect(publishes(service) == 1)
    await expect(0, after: corner) { $0.timeSeconds = 70 }
    await expect(0, after: corner) { $0.state = .playing() }
    await expect(0, after: unrelated) { $0.timeSeconds = 500 }
    #expect(publishes(service) == 1)
    await expect(70, after: main) { $0.state = .paused }
    #expect(publishes(service) == 2)
    await expect(0, after: corner) { $0.state = .paused }
    await expect(20, after: main) { $0.timeSeconds = 20 }
    await expect(70, after: main) { $0 = PlaybackReading() }
    #expect(service.with { $0.board.session(id)?.content?.id } == "film/1")
    try await held.end()
  }

  @Test("The session of a player ends with its object, which then keeps the player no longer")
  func endsWithObject() async throws {
    let service = try await place.start()
    var player: FilmPlayer? = FilmPlayer()
    weak let watched = player
    player?.change { $0 = PlaybackReading(item: PlaybackItem(Self.film), timestamp: 1000) }
    var held: HeldSession? = try await client.publish(
      players: #require(player), as: SessionSamples.id("film"), application: "player")
    player = nil
    #expect(held?.isEnded == false && watched != nil)
    held = nil
    try await until("the session did not end") { service.with { $0.board.sessions.isEmpty } }
    try await until("the player is kept") { watched == nil }
  }

  // MARK: Observed players

  @Test("All changes of one turn are one request, and a tick is none")
  @MainActor func coalesces() async throws {
    let service = try await place.start()
    let id = try SessionSamples.id("turntable")
    let player = Turntable()
    player.title = "Record"
    try await player.start(through: client)
    #expect(publishes(service) == 1)
    #expect(service.with { $0.board.session(id)?.content?.id } == "Record/A")
    for number in 0..<100 {
      player.title = "Record \(number)"
      player.side = "B"
    }
    try await until("it was not published") {
      service.with { $0.board.session(id)?.content?.id } == "Record 99/B"
    }
    #expect(publishes(service) == 2)
    // Less than a reader can see.
    for _ in 0..<50 {
      player.elapsedSeconds += 0.001
      await Task.yield()
    }
    player.elapsedSeconds = 600
    try await until("the seek was not published") {
      service.with { $0.board.session(id)?.playback?.elapsedSeconds } == 600
    }
    #expect(publishes(service) == 3)
    player.stop()
    try await until("the session did not end") { service.with { $0.board.sessions.isEmpty } }
  }

  @Test(
    "A command changes the player, and what the player then reports of its commands is published")
  @MainActor func carriesOut() async throws {
    let service = try await RunningService()
    let client = ArtworkClient(.socket(path: "\(service.local)"))
    let player = Turntable()
    player.title = "Record"
    try await player.start(through: client)
    #expect(try await client.perform(.next).status == .success)
    #expect(player.side == "B")
    let id = try SessionSamples.id("turntable")
    try await until("the command stays enabled") {
      try await client.session(id).session.commands[.next]?.isEnabled == false
    }
    #expect(try await client.session(id).session.content?.id == "Record/B")
    #expect(try await client.perform(.play).status == .success)
    try await until("it does not play") { try await client.session(id).session.isActive }
  }

  @Test("A player's commands travel with its readings")
  func carriesOutForPlayers() async throws {
    let service = try await RunningService()
    let client = ArtworkClient(.socket(path: "\(service.local)"))
    let player = FilmPlayer()
    player.change {
      $0.item = PlaybackItem(Self.film)
      $0.commands = [
        .pause { [weak player] in player?.change { $0.state = .paused } },
        .skipForward(preferredIntervals: [15]) { [weak player] seconds in
          player?.change { $0.timeSeconds += seconds }
        },
      ]
    }
    let held = try await client.publish(
      players: player, as: SessionSamples.id("film"), application: "player")
    // The film has a duration, so it is not live, though only its content states that.
    #expect(try await client.perform(.skipForward(interval: nil)).status == .success)
    try await until("it was not published") {
      try await client.session(held.id).session.playback?.elapsedSeconds == 15
    }
    player.change { $0.commands = [] }
    try await until("the commands are still offered") {
      try await client.session(held.id).session.commands.isEmpty
    }
    #expect(!held.isEnded)
  }

  @Test("A change that the service refuses is said, until another one is taken")
  @MainActor func reportsRefusals() async throws {
    let service = try await RunningService()
    let client = ArtworkClient(.socket(path: "\(service.local)"))
    let player = RestlessPlayer()
    let session = try await client.publish(observing: player, application: "player")
    #expect(session.trouble == nil)
    player.title = String(repeating: "x", count: 4097)
    try await until("the refusal was not said") { session.trouble?.code == "bad-request" }
    #expect(try await client.session(session.id).session.content?.title == "first")
    player.title = "second"
    try await until("the trouble stayed") { session.trouble == nil }
    #expect(try await client.session(session.id).session.content?.title == "second")
    #expect(!session.isEnded)
  }

  // MARK: Primaries

  @Test("Two films swap their places, and each session knows which one is shown")
  func swapsPictures() async throws {
    let service = try await RunningService()
    let client = ArtworkClient(.socket(path: "\(service.local)"))
    let films = [FilmPlayer(), FilmPlayer()]
    for (number, film) in films.enumerated() {
      film.change {
        $0.item = PlaybackItem(.movie(id: "\(number)", title: "Film \(number)"))
        $0.state = .playing()
      }
    }
    var pictures = try #require(try await PictureInPicture(films[0], films[1], through: client))
    func shown() async throws -> String? { try await client.nowPlaying().shown?.content?.title }
    let (first, second) = (pictures.full, pictures.corner)
    var changes = first.primaryChanges.makeAsyncIterator()
    while let now = await changes.next(), !now.isSystemPrimary || !now.isApplicationPrimary {}
    #expect(try await shown() == "Film 0")
    try await pictures.swap()
    #expect(try await shown() == "Film 1")
    #expect(pictures.full === second && pictures.corner === first)
    while let now = await changes.next(), now.isSystemPrimary || now.isApplicationPrimary {}
    #expect(!first.isApplicationPrimary && !first.isSystemPrimary)
    var others = second.primaryChanges.makeAsyncIterator()
    while let now = await others.next(), !now.isSystemPrimary || !now.isApplicationPrimary {}
    try await pictures.swap()
    #expect(try await shown() == "Film 0")
    try await second.end()
    // The readers of a session that has ended are notified.
    while await others.next() != nil {}
    #expect(try await client.sessions().map(\.id.text) == ["film"])
  }

  @Test("A session asks to be the one that the system shows, and takes it back")
  func systemPrimary() async throws {
    let service = try await RunningService()
    let client = ArtworkClient(.socket(path: "\(service.local)"))
    var sessions: [HeldSession] = []
    for number in 0...1 {
      let film = FilmPlayer()
      film.change {
        $0.item = PlaybackItem(.movie(id: "\(number)", title: "Film \(number)"))
        $0.state = .playing()
      }
      sessions.append(
        try await client.publish(
          players: film, as: try #require(SessionID("film")),
          application: "org.example.\(number)"))
    }
    func shown() async throws -> String? { try await client.nowPlaying().shown?.content?.title }
    for number in [0, 1, 0] {
      try await sessions[number].requestToBecomeSystemPrimary()
      #expect(try await shown() == "Film \(number)")
    }
    try await sessions[0].resignPrimary(.system)
    #expect(try await shown() == "Film 1")
    var changes = sessions[0].primaryChanges.makeAsyncIterator()
    while let now = await changes.next(), now.isSystemPrimary {}
    #expect(!sessions[0].isSystemPrimary)
  }
}

/// Publishes any title it is given.
@Observable
@MainActor
private final class RestlessPlayer: ObservableSessionRepresentable {
  let id = "restless"
  var title = "first"
  var content: MediaContent? { .movie(title: title) }
  var playbackSnapshot: PlaybackSnapshot? { nil }
}
