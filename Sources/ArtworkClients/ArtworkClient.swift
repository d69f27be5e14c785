public import ArtworkModel
public import FoundationEssentials
import Glibc

/// A client of the service beside a player (`artworkd serve`). Copies share a cache of previews; all clients of the
/// process share persistent connections.
public struct ArtworkClient: Sendable {
  public let address: ServiceAddress
  let previews = PreviewCache()
  private let tokenFile: TokenFile?
  /// The folder of the default socket, which must be this user's own.
  private let folder: String?

  public init(_ address: ServiceAddress = .standard()) {
    self.address = address
    tokenFile = nil
    folder = address.folderOfStandard
  }

  /// A client over TCP that survives a restart of the service, after which the token is a new one.
  ///
  /// - Parameters:
  ///   - address: its token, if it has one, is used until the service refuses it.
  ///   - tokenFile: the path of the service's token file, which is read whenever the service refuses the token.
  public init(_ address: ServiceAddress, tokenFile: String) {
    self.address = address
    self.tokenFile = TokenFile(tokenFile, token: address.token)
    folder = address.folderOfStandard
  }

  struct Answer: Sendable {
    var response: TransferResponse
    var body: [UInt8]
  }

  /// How long a response may take.
  enum Timeout {
    /// The time limit of requests that the service answers from memory or disk.
    static let short = Duration.seconds(15)
    /// The time limit of requests that wait for a worker or a download: longer than the 30 s that the service takes at most.
    static let long = Duration.seconds(45)
  }

  /// Query that waits as long as the service allows.
  static let patient = [("wait", "28")]

  // MARK: Requests

  /// Sends a request and collects the response; a status of 400 or more is thrown.
  ///
  /// - Parameters:
  ///   - path: segments, not percent-encoded.
  ///   - byteLimit: of the response's body.
  func send(
    _ method: String, _ path: [String], query: [(String, String)] = [],
    body: [UInt8]? = nil, headers: [String: String] = [:],
    within timeout: Duration = Timeout.short,
    byteLimit: Int = 16 << 20
  ) async throws(ClientError) -> Answer {
    do throws(ClientError) {
      return try await sendOnce(method, path, query, body, headers, timeout, byteLimit)
    } catch .lost where method == "GET" || method == "PUT" && headers["if-none-match"] == nil {
      // The service may have restarted meanwhile. The request may have been carried out: only one that has the same answer
      // the second time is sent again.
      return try await sendOnce(method, path, query, body, headers, timeout, byteLimit)
    }
  }

  /// Sends a DELETE request. One whose answer was lost is sent again; then nothing may be left to delete.
  func delete(_ path: [String], query: [(String, String)] = []) async throws(ClientError) {
    do throws(ClientError) {
      _ = try await send("DELETE", path, query: query)
    } catch .lost {
      do throws(ClientError) {
        _ = try await send("DELETE", path, query: query)
      } catch .refused(let problem) where problem.status == 404 {}
    }
  }

  private func sendOnce(
    _ method: String, _ path: [String], _ query: [(String, String)], _ body: [UInt8]?,
    _ headers: [String: String], _ timeout: Duration, _ byteLimit: Int
  ) async throws(ClientError) -> Answer {
    do {
      // The transfer's own timeout covers only the head.
      return try await Deadline.run(timeout, late: ClientError.late) {
        let response = try await open(method, path, query, body, headers, timeout)
        return Answer(response: response, body: try await response.body.collect(upTo: byteLimit))
      }
    } catch {
      throw failure(error)
    }
  }

  /// Sends a request and returns when the head of the response has arrived.
  func open(
    _ method: String, _ path: [String], _ query: [(String, String)] = [],
    _ body: [UInt8]? = nil, _ headers: [String: String] = [:],
    _ timeout: Duration = Timeout.short
  ) async throws(ClientError) -> TransferResponse {
    let token = tokenFile?.token ?? address.token
    do throws(ClientError) {
      return try await open(method, path, query, body, headers, timeout, token)
    } catch {
      guard case .refused(let problem) = error, problem.status == 401,
        let token = tokenFile?.token(insteadOf: token)
      else { throw error }
      return try await open(method, path, query, body, headers, timeout, token)
    }
  }

  private func open(
    _ method: String, _ path: [String], _ query: [(String, String)], _ body: [UInt8]?,
    _ headers: [String: String], _ timeout: Duration, _ token: String?
  ) async throws(ClientError) -> TransferResponse {
    var request = TransferRequest(method, url(path, query))
    request.headers = headers.map { ($0.key, $0.value) }
    if case .socket(let path) = address { request.route = .socket(path: path) }
    request.timeouts.head = timeout
    if let token { request.headers.append(("Authorization", "Bearer \(token)")) }
    if let body {
      request.headers.append(("Content-Type", "application/json"))
      request.body = body
    }
    if let flaw = folder.flatMap({ DefaultSocket.flaw(of: $0) }) {
      throw .untrusted(address: "\(address)", reason: flaw)
    }
    let response: TransferResponse
    do {
      response = try await sendInTurn(request)
    } catch {
      throw failure(error)
    }
    guard response.status >= 400 else { return response }
    throw await problem(in: response)
  }

  /// Retries while the backlog of the socket is full.
  ///
  /// - Throws: `busy` if it is still full after the time limit.
  private func sendInTurn(_ request: TransferRequest) async throws -> TransferResponse {
    let end = ContinuousClock.now + request.timeouts.head
    var pause = Duration.milliseconds(5)
    while true {
      do throws(TransferError) {
        return try await TransferLoop.shared.send(request)
      } catch {
        guard case .noConnection(EAGAIN?, _) = error else { throw error }
        guard ContinuousClock.now + pause < end else { throw Self.busy(address) }
        try await Task.sleep(for: pause)
        pause = min(pause * 2, .milliseconds(200))
      }
    }
  }

  private func url(_ path: [String], _ query: [(String, String)]) -> String {
    let values = query.map { "\($0)=\($1.percentEncoded)" }.joined(separator: "&")
    return address.base + path.map { "/\($0.percentEncoded)" }.joined()
      + (values.isEmpty ? "" : "?\(values)")
  }

  // MARK: Errors

  private func problem(in response: TransferResponse) async -> ClientError {
    let status = response.status
    var problem = ClientError.Problem(
      code: "status-\(status)", status: status, title: "status \(status)")
    // Without a valid problem document, only the status is known.
    if let body = try? await response.body.collect(upTo: 1 << 20),
      let stated = try? JSONDecoder().decode(ClientError.Problem.self, from: Data(body))
    {
      problem = stated
    }
    problem.retryAfterSeconds = response.header("Retry-After").flatMap { Int($0) }
    return .refused(problem)
  }

  func failure(_ error: any Error) -> ClientError {
    switch error {
    case let error as ClientError: error
    case is CancellationError: .cancelled
    case let error as TransferError: failure(error)
    default: .lost("\(error)")
    }
  }

  private func failure(_ error: TransferError) -> ClientError {
    switch error {
    case .invalidRequest(let reason): Self.badRequest(reason)
    case .noConnection(let errno, let reason):
      .noService(
        address: "\(address)",
        reason: errno.map { unsafe String(cString: strerror($0)).lowercased() } ?? reason)
    case .foreign(let user):
      .untrusted(address: "\(address)", reason: "it is that of user \(user)")
    case .timedOut: .late
    case .lost(let reason): .lost(reason)
    case .tooLong: .notUnderstood("the response is too long")
    case .cancelled: .cancelled
    }
  }

  // MARK: JSON

  static func json(_ value: some Encodable) throws(ClientError) -> [UInt8] {
    do {
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
      return Array(try encoder.encode(value))
    } catch {
      // JSON has no infinite numbers.
      throw badRequest("the request cannot be encoded as JSON: \(error)")
    }
  }

  /// The error of a request that the service would refuse, before it is sent.
  static func badRequest(_ detail: String) -> ClientError {
    .refused(
      ClientError.Problem(code: "bad-request", status: 400, title: "Bad Request", detail: detail))
  }

  private static func busy(_ address: ServiceAddress) -> ClientError {
    .refused(
      ClientError.Problem(
        code: "busy", status: 503, title: "Service Unavailable",
        detail: "too many clients wait at \(address); try again"))
  }

  static func value<T: Decodable>(_ type: T.Type, in body: [UInt8]) throws(ClientError) -> T {
    do {
      return try JSONDecoder().decode(type, from: Data(body))
    } catch {
      throw .notUnderstood("\(error)")
    }
  }
}

/// Registration of a player's artwork: by ID, and once, as the system requests it.
extension ArtworkClient {
  /// Registers the animated artwork of a session's content.
  ///
  /// - Returns: the session as sent to the service, with the artwork's ID in place of its providers.
  func registering(_ session: MediaSession) async throws(ClientError) -> MediaSession {
    if let artwork = session.content?.animatedArtwork { try await registerIfUnknown(artwork) }
    return session.namingArtwork
  }

  /// Registers the shapes that the service does not know. If a provider throws, its shape has no video; the provider
  /// is called again when the session is updated.
  private func registerIfUnknown(_ artwork: AnimatedArtwork) async throws(ClientError) {
    for ratio in Set(artwork.supportedAspectRatios) {
      let reference = ArtworkReference(artwork.id, ratio)
      if try await isKnown(reference) { continue }
      let size = PixelSize(width: 1080, height: ratio == .square ? 1080 : 1440)
      guard let url = try? await artwork.video(size, ratio) else { continue }
      if url.isFileURL {
        _ = try await put(reference, .file(path: url.path))
      } else if let preview = try? await artwork.preview?(size, ratio) {
        try await writing(preview) { path throws(ClientError) in
          _ = try await put(reference, .url(url.absoluteString), preview: path)
        }
      } else {
        _ = try await put(reference, .url(url.absoluteString))
      }
    }
  }

  /// Registers a cover that the service does not know. If the provider throws, the session has no cover; the provider
  /// is called again when the session is updated.
  func registerIfUnknown(_ cover: Artwork) async throws(ClientError) {
    let reference = ArtworkReference(coverOf: cover.id)
    if try await isKnown(reference) { return }
    guard let picture = try? await cover.provider(PixelSize(width: 1080, height: 1080)) else {
      return
    }
    try await writing(picture) { path throws(ClientError) in
      _ = try await put(reference, .file(path: path))
    }
  }

  /// Lends a file with a picture. The service copies it before it answers.
  private func writing(
    _ picture: ArtworkRepresentation, _ body: (String) async throws(ClientError) -> Void
  ) async throws(ClientError) {
    let file = FileManager.default.temporaryDirectory
      .appendingPathComponent("artwork-\(UUID().uuidString).\(picture.type.rawValue)")
    guard
      FileManager.default.createFile(
        atPath: file.path, contents: Data(picture.data), attributes: [.posixPermissions: 0o600])
    else { throw Self.badRequest("cannot write \(file.path)") }
    defer { try? FileManager.default.removeItem(at: file) }
    try await body(file.path)
  }

  /// Whether the service has an artwork or can fetch it: not if its file was removed.
  private func isKnown(_ reference: ArtworkReference) async throws(ClientError) -> Bool {
    do throws(ClientError) {
      let record = try await artwork(reference)
      if record.status == .registered, case .file(let path, _) = record.source {
        return FileManager.default.fileExists(atPath: path)
      }
      return record.status != .refused
    } catch {
      if error.code != StoreError.Code.unknownArtwork.rawValue { throw error }
      return false
    }
  }
}

extension MediaSession {
  /// The session with the ID of its content's animated artwork for each shape, in place of the artwork and its providers.
  var namingArtwork: MediaSession {
    guard let animated = content?.animatedArtwork else { return self }
    var session = self
    session.content?.animatedArtwork = nil
    for ratio in animated.supportedAspectRatios { session.artwork[ratio] = animated.id }
    return session
  }
}

extension ArtworkClient {
  /// Registers the source of an artwork. A file is taken in now, a URL on the first request.
  ///
  /// - Parameters:
  ///   - prepares: whether a file is taken in now; `false` leaves that to the first request.
  ///   - preview: the absolute path of a PNG or JPEG picture in the shape of the key, which is the preview until the video
  ///     is there.
  /// - Returns: the artwork. A video that cannot be used is not an error: its status is `refused`.
  /// - Throws: `conflict` for other bytes under an ID that has some, `source-not-allowed`, `busy` and others.
  public func put(
    _ reference: ArtworkReference, _ source: ArtworkSource, prepares: Bool = true,
    preview: String? = nil
  ) async throws(ClientError) -> ArtworkRecord {
    let answer = try await send(
      "PUT", Self.path(reference), query: Self.patient,
      body: try Self.json(
        Registration(source: source, prepare: prepares ? nil : false, preview: preview)),
      within: Timeout.long)
    return try Self.value(ArtworkRecord.self, in: answer.body)
  }

  /// - Throws: `unknown-artwork`.
  public func artwork(_ reference: ArtworkReference) async throws(ClientError) -> ArtworkRecord {
    try Self.value(
      ArtworkRecord.self, in: try await send("GET", Self.path(reference)).body)
  }

  private struct Variants: Decodable { var variants: [ArtworkKey: ArtworkRecord] }

  /// All keys of an artwork, without its cover and without their reports.
  ///
  /// - Throws: `unknown-artwork` if no key has a source.
  public func artworks(
    _ artworkID: ArtworkID
  ) async throws(ClientError) -> [ArtworkKey: ArtworkRecord] {
    let answer = try await send("GET", ["v1", "artworks", artworkID.text])
    return try Self.value(Variants.self, in: answer.body).variants
  }

  /// Removes an artwork.
  ///
  /// - Throws: `unknown-artwork`, and `in-use` while a session publishes it.
  public func remove(_ reference: ArtworkReference) async throws(ClientError) {
    try await delete(Self.path(reference))
  }

  /// The video's first frame, or the picture of a static cover, as PNG, fitted inside `size` and never enlarged. The
  /// last preview of an artwork is cached and returned again if the service confirms that it is current.
  ///
  /// - Throws: `unknown-artwork`, `refused`, `busy` and others.
  public func preview(
    _ reference: ArtworkReference, inside size: PixelSize? = nil
  ) async throws(ClientError) -> PreviewImage {
    let known = previews.preview(of: reference, inside: size)
    let answer = try await send(
      "GET", Self.path(reference) + ["preview"],
      query: (size.map { [("width", "\($0.width)"), ("height", "\($0.height)")] } ?? [])
        + Self.patient,
      headers: known.map { ["if-none-match": $0.tag] } ?? [:], within: Timeout.long,
      byteLimit: 512 << 20)
    if answer.response.status == 304, let known { return known.image }
    let png = answer.body
    guard let pixels = PreviewImage.size(ofPNG: png) else {
      throw .notUnderstood("the preview is not a PNG file")
    }
    let image = PreviewImage(png: png, size: pixels)
    if let tag = answer.response.header("ETag") {
      previews.insert(image, tag: tag, of: reference, inside: size)
    }
    return image
  }

  /// Prepares the files that a session will request, before it is published: fetches a URL, and makes the version
  /// that a session with these codecs gets in this size. It may be evicted before a session holds it.
  ///
  /// - Parameters:
  ///   - size: the box that the video fills, in pixels; `nil` for the original.
  ///   - videoCodecs: as ``MediaSession/videoCodecs``.
  ///   - waits: as in ``video(for:of:_:size:waits:)``.
  /// - Throws: `unknown-artwork`, `refused`, `late`: the work continues, so retry.
  public func prepare(
    _ reference: ArtworkReference, size: PixelSize? = nil, videoCodecs: Set<String>? = nil,
    waits: Bool = true
  ) async throws(ClientError) -> PreparedVideo {
    let answer = try await send(
      "POST", Self.path(reference) + ["prepare"], query: waits ? Self.patient : [],
      body: try Self.json(PreparationRequest(size: size, videoCodecs: videoCodecs)),
      within: Timeout.long)
    return try Self.value(PreparedVideo.self, in: answer.body)
  }

  /// An artwork whose providers call the service, for a player that passes it to Apple's frameworks or displays it
  /// itself. They throw a ``ClientError``; the video provider throws a ``Presentation/Reason`` if the session gets no
  /// video.
  ///
  /// - Parameters:
  ///   - session: the session that publishes the artwork; the video file is valid while it does.
  ///   - application: of the session; `nil` for the only one of its name.
  public func animatedArtwork(
    _ artworkID: ArtworkID, supportedAspectRatios: [AnimatedArtwork.AspectRatio] = [.square],
    in session: SessionID, of application: String? = nil
  ) -> AnimatedArtwork {
    AnimatedArtwork(
      id: artworkID, supportedAspectRatios: supportedAspectRatios,
      preview: { size, ratio in
        let image = try await preview(ArtworkReference(artworkID, ratio), inside: size)
        return try ArtworkRepresentation(data: image.png)
      },
      video: { size, ratio in
        let answer = try await video(for: session, of: application, ratio, size: size)
        guard let text = answer.url else { throw answer.reason }
        guard let url = URL(string: text) else {
          throw ClientError.notUnderstood("\(text) is not a URL")
        }
        return url
      })
  }

  private static func path(_ reference: ArtworkReference) -> [String] {
    ["v1", "artworks", reference.artworkID.text, reference.part]
  }
}

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

extension ArtworkClient {
  /// Publishes what players play, for as long as the returned object lives: their item, its duration, state and
  /// position. Only significant changes are sent: another item, a pause, another rate, a seek. The position in
  /// between is extrapolated.
  ///
  /// Several players share a session if they play the same content, for example views of one race. The first one that
  /// plays or buffers represents them all. For players with different content, as in picture in picture, publish a
  /// session for each, and make the one that fills the screen primary
  /// (``HeldSession/requestToBecomeApplicationPrimary()``).
  ///
  /// - Parameters:
  ///   - players: retained by the returned object.
  ///   - application: the application that the session belongs to, for example a bundle identifier.
  public func publish(
    players: any PlaybackSource..., as id: SessionID = .unique(),
    application: String = ProcessInfo.processInfo.processName
  ) async throws(ClientError) -> HeldSession {
    // Before the first reading, so that no change is lost between the two.
    let (changes, change) = AsyncStream.makeStream(
      of: Void.self, bufferingPolicy: .bufferingNewest(1))
    let sources = await Self.changes(of: players)
    let listening = Task {
      await withTaskGroup { group in
        for source in sources {
          group.addTask { for await _ in source { change.yield() } }
        }
      }
      change.finish()
    }
    let first = await Self.moment(of: players, id)
    let session: HeldSession
    do {
      session = try await publish(first, application: application)
    } catch {
      listening.cancel()
      throw error
    }
    let following = Task { [weak session] in
      await withTaskCancellationHandler {
        for await _ in changes {
          await session?.follow(await Self.moment(of: players, id))
        }
      } onCancel: {
        listening.cancel()
      }
    }
    session.follow(following)
    return session
  }

  private static func changes(of players: [any PlaybackSource]) async -> [AsyncStream<Void>] {
    var changes: [AsyncStream<Void>] = []
    for player in players { changes.append(await player.changes) }
    return changes
  }

  private static func moment(
    of players: [any PlaybackSource], _ id: SessionID
  ) async -> PlaybackState {
    var readings: [PlaybackReading] = []
    for player in players { readings.append(await player.reading) }
    return PlaybackReading.leading(readings).moment(id)
  }
}

extension ArtworkClient {
  /// Asks the owner of a session to carry out a command, and waits for the answer for at most 5 s.
  ///
  /// - Returns: the outcome; check its `status`.
  /// - Throws: `unknown-session`, also if no session is shown; `command-not-offered`, `command-disabled`,
  ///   `live-content`, `not-listening`, `busy`; `bad-request` for an argument that the session does not accept.
  public func perform(
    _ command: RequestedCommand, for target: CommandTarget = .system
  ) async throws(ClientError) -> CommandOutcome {
    let (path, query): ([String], [(String, String)]) =
      switch target {
      case .session(let id, let application): (Self.path(id), Self.query(application))
      case .application(let application): (["v1", "applications", application], [])
      case .system: (["v1", "now-playing"], [])
      }
    let answer = try await send(
      "POST", path + ["commands"], query: query, body: try Self.json(command))
    return try Self.value(CommandOutcome.self, in: answer.body)
  }

  /// Answers a command that arrived on an event stream. A ``HeldSession`` with handlers does this automatically.
  ///
  /// - Throws: `unknown-command` if no request waits for the answer any more.
  public func answer(
    _ command: DeliveredCommand, _ answer: CommandAnswer
  ) async throws(ClientError) {
    _ = try await send(
      "POST", Self.path(command.session.id) + ["commands", "\(command.number)"],
      query: Self.query(command.session.application), body: try Self.json(answer))
  }
}
