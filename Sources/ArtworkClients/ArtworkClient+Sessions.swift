public import ArtworkModel

/// A session's name is scoped by its application. If several applications have a session with that name, requests
/// without `of` are refused with `ambiguous-session`.
extension ArtworkClient {
  /// Adds or replaces a session, and registers the animated artwork of its content. It exists until it is ended,
  /// until `process` exits, or until the last connection that holds it (``events(holding:)``) closes.
  ///
  /// - Parameters:
  ///   - process: a process on this machine, which owns the session from now on.
  ///   - isNew: whether the session must not exist yet; if it does, the request fails with `precondition-failed`.
  public func publish(
    _ session: MediaSession, as id: SessionID, ownedBy process: Int32? = nil, isNew: Bool = false
  ) async throws(ClientError) -> PublishedSession {
    let request = SessionRequest(session: try await registering(session), ownerProcess: process)
    let answer = try await send(
      "PUT", Self.path(id), body: try Self.json(request),
      headers: isNew ? ["if-none-match": "*"] : [:])
    return try Self.value(PublishedSession.self, in: answer.body)
  }

  /// Changes only the fields of a published session that differ between two versions. For example, a pause sends only
  /// the playback state.
  ///
  /// - Parameter former: the version that the changes are relative to.
  /// - Throws: `unknown-session`.
  public func update(
    _ id: SessionID, from former: MediaSession, to session: MediaSession
  ) async throws(ClientError) -> PublishedSession {
    let session = try await registering(session)
    let patch = try Self.tree(session).patch(of: try Self.tree(former.namingArtwork))
    let answer = try await send(
      "PATCH", Self.path(id), query: Self.query(former.application), body: patch.bytes)
    var published = try Self.value(PublishedSession.self, in: answer.body)
    var moved = former.namingArtwork
    moved.playback = session.playback
    // The answer to a change of playback has nothing else.
    if moved == session {
      moved.playback = published.session.playback
      published.session = moved
    }
    return published
  }

  private static func tree(_ session: MediaSession) throws(ClientError) -> JSONNode {
    let json = try json(session)
    do { return try JSONReader.read(json) } catch { throw badRequest(error.message) }
  }

  private struct SessionList: Decodable { var sessions: [PublishedSession] }

  /// All sessions: the shown one first, then the others, the most recently active ones first.
  public func sessions() async throws(ClientError) -> [PublishedSession] {
    try Self.value(SessionList.self, in: try await send("GET", ["v1", "sessions"]).body).sessions
  }

  /// - Throws: `unknown-session`.
  public func session(
    _ id: SessionID, of application: String? = nil
  ) async throws(ClientError) -> PublishedSession {
    let answer = try await send("GET", Self.path(id), query: Self.query(application))
    return try Self.value(PublishedSession.self, in: answer.body)
  }

  /// Ends a session and removes its files.
  ///
  /// - Throws: `unknown-session`.
  public func end(
    _ id: SessionID, of application: String? = nil
  ) async throws(ClientError) {
    try await delete(Self.path(id), query: Self.query(application))
  }

  /// Makes a session the one that its application or the system shows.
  ///
  /// - Throws: `unknown-session`; `not-eligible` with the reason.
  public func promote(
    _ id: SessionID, of application: String? = nil, _ scope: SessionRegistry.Scope = .application
  ) async throws(ClientError) {
    _ = try await send(
      "POST", Self.path(id) + ["primary"], query: Self.query(application),
      body: try Self.json(["scope": scope]))
  }

  /// Reverts a promotion. Within the application this includes the promotion for the system.
  ///
  /// - Throws: `unknown-session`.
  public func demote(
    _ id: SessionID, of application: String? = nil, _ scope: SessionRegistry.Scope = .application
  ) async throws(ClientError) {
    try await delete(
      Self.path(id) + ["primary"], query: [("scope", scope.rawValue)] + Self.query(application))
  }

  /// Requests the video of an artwork that a session publishes. Returns within 30 s; if the video is not ready by
  /// then, retry.
  ///
  /// - Parameters:
  ///   - size: the box that the video fills, in pixels. If the video is much larger, the service makes a smaller one,
  ///     which it returns from the next request on; both files remain.
  ///   - waits: whether to wait for a video that is being prepared; `false` returns `late` after 2 s, and the
  ///     artwork's event reports when it is ready.
  /// - Throws: `unknown-session`, `not-published`.
  public func video(
    for id: SessionID, of application: String? = nil, _ key: ArtworkKey, size: PixelSize,
    waits: Bool = true
  ) async throws(ClientError) -> VideoAnswer {
    let answer = try await send(
      "POST", Self.path(id) + ["artwork", key.rawValue, "video"],
      query: Self.query(application) + (waits ? Self.patient : []),
      body: try Self.json(size),
      within: Timeout.long)
    return try Self.value(VideoAnswer.self, in: answer.body)
  }

  public func conditions() async throws(ClientError) -> DeviceConditions {
    try Self.value(
      DeviceConditions.self, in: try await send("GET", ["v1", "conditions"]).body)
  }

  public func set(_ conditions: DeviceConditions) async throws(ClientError) {
    _ = try await send("PUT", ["v1", "conditions"], body: try Self.json(conditions))
  }

  /// The now-playing state: the session that is shown, and why.
  ///
  /// - Parameter languages: the reader's languages, for metadata in several languages.
  public func nowPlaying(
    for languages: ReaderLanguages = ReaderLanguages()
  ) async throws(ClientError) -> NowPlaying {
    let answer = try await send(
      "GET", ["v1", "now-playing"], headers: Self.headers(languages))
    return try Self.value(NowPlaying.self, in: answer.body)
  }

  static func headers(_ languages: ReaderLanguages) -> [String: String] {
    languages.acceptLanguage.map { ["accept-language": $0] } ?? [:]
  }

  static func query(_ application: String?) -> [(String, String)] {
    application.map { [("application", $0)] } ?? []
  }

  static func path(_ id: SessionID) -> [String] { ["v1", "sessions", id.text] }
}
