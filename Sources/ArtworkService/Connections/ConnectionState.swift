import ArtworkModel
import NIOCore

/// One connection as a value: what it reads, what it still has to write, and how it ends. An event goes in with its time,
/// and the effects come out, in their order; ``ConnectionHandler`` performs them.
struct ConnectionState: Hashable {
  enum Input: Hashable {
    /// No byte of the next request has arrived.
    case between
    case head(since: NIODeadline)
    case body(since: NIODeadline, count: Int, isLast: Bool)
    /// The connection's last request has been read. Everything that still arrives is dropped.
    case finished
    /// Everything that still arrives is dropped.
    case dropped
  }

  enum Output: Hashable {
    /// Every request gets its response.
    case open
    /// The response under way is the last one, and announces that.
    case last
    /// A refusal follows when the responses under way are complete.
    case refusing(Problem, isHead: Bool)
    /// No more writes are accepted; what was written goes to the socket.
    case ending
    /// Our side is closed, and the client has a moment to read and to close its own.
    case lingering(until: NIODeadline)
    case closed
  }

  enum Event: Hashable {
    /// - Parameters:
    ///   - isLast: whether the connection has no request after this one.
    ///   - bodyLimit: of this request, if it has one of its own.
    case head(isLast: Bool, bodyLimit: Int? = nil)
    case body(bytes: Int)
    case end
    /// Everything that has arrived is decoded.
    ///
    /// - Parameter bytes: since the end of the last request.
    case decoded(hadPart: Bool, bytes: Int)
    case refused(Problem, isHead: Bool = false)
    case trusted
    /// - Parameter isLast: whether it announces that the connection closes.
    case responseHead(isInformal: Bool = false, isLast: Bool)
    case responseEnd
    /// The socket has all of a response.
    case written
    case writable(Bool)
    case inputClosed
    case stopping(isFinal: Bool)
    case tick
    case failed
  }

  enum Effect: Hashable {
    /// Takes the part of a request.
    case passOn
    case dropInput
    /// Reports a refusal.
    case note(Problem)
    /// Writes a refusal as the connection's last response.
    case answer(Problem, isHead: Bool)
    /// The head of the response announces that the connection closes.
    case sayLast
    case flush
    case closeOutput
    case close
  }

  /// What the routes of its requests have found out.
  struct Client: Hashable {
    /// A suspended player still publishes, so its connection has no write deadline.
    var ownsSession = false
    /// Who hears events asks for them again.
    var hearsEvents = false
  }

  private(set) var input = Input.between
  private(set) var output = Output.open
  /// Requests that were taken, in part or whole, and have no complete response.
  private(set) var outstanding = 0
  /// Complete responses that are not completely written to the socket.
  private(set) var unwritten = 0
  private(set) var responseHasBegun = false
  /// Whether the client has closed its side, so that the connection closes after its responses.
  private(set) var inputHasClosed = false
  private(set) var isStopping = false
  /// Until when a client over TCP must show the token; `nil` when it has, or need not.
  private(set) var authenticationDeadline: NIODeadline?
  private(set) var blockedSince: NIODeadline?
  private var idleSince: NIODeadline
  /// The most bytes of the body that is read.
  private var bodyLimit = 0
  private let limits: ServiceLimits

  init(_ limits: ServiceLimits, isUnauthenticated: Bool, at now: NIODeadline) {
    self.limits = limits
    idleSince = now
    if isUnauthenticated { authenticationDeadline = now + limits.authentication }
  }

  var acceptsWrites: Bool {
    switch output {
    case .open, .last, .refusing: true
    case .ending, .lingering, .closed: false
    }
  }

  /// Whether a complete request waits for its response.
  private var isAnswering: Bool {
    if case .body = input { false } else { outstanding > 0 || unwritten > 0 }
  }

  mutating func on(_ event: Event, at now: NIODeadline, _ client: Client) -> [Effect] {
    if case .written = event { return written(at: now, client) }
    if output == .closed { return [] }
    switch event {
    case .head, .body, .end, .decoded: return read(event, at: now)
    case .refused(let problem, let isHead): return refuse(problem, isHead: isHead, at: now)
    case .trusted: authenticationDeadline = nil
    case .responseHead(let isInformal, let isLast):
      if !isInformal { responseHasBegun = true }
      if isLast || isStopping || (hasLastRequest && outstanding == 1) { output = .last }
      return output == .last ? [.sayLast] : []
    case .responseEnd:
      responseHasBegun = false
      outstanding -= 1
      (unwritten, idleSince) = (unwritten + 1, now)
      if output == .last || (isStopping && outstanding == 0) { return finish(at: now, client) }
      if outstanding == 0, case .refusing(let problem, let isHead) = output {
        return answer(problem, isHead: isHead, at: now)
      }
    case .written: break
    case .writable(let isWritable): blockedSince = isWritable ? nil : now
    case .inputClosed:
      // A client that closes its side of a stream no longer holds the session, even if it still reads.
      if client.ownsSession || isLingering || !isAnswering { return close() }
      inputHasClosed = true
    case .stopping(isFinal: true): return close()
    case .failed: return acceptsWrites ? close() : []
    case .stopping:
      isStopping = true
      // Nobody reads, so what is written would not arrive before the time is up.
      if endsAtOnce(client), blockedSince != nil { return close() }
      if outstanding == 0, acceptsWrites {
        return unwritten == 0 ? close() : finish(at: now, client)
      }
    case .tick:
      guard let (end, expiry) = deadline(client), end <= now else { return [] }
      return expiry == .silently ? close() : refuse(.tooSlow, isHead: false, at: now)
    }
    return []
  }

  // MARK: Input

  private mutating func read(_ event: Event, at now: NIODeadline) -> [Effect] {
    switch (event, input) {
    case (_, .dropped), (_, .finished): return []
    case (.head(let isLast, let limit), _):
      bodyLimit = limit ?? limits.body
      var since = now
      if case .head(let first) = input { since = first }
      input = .body(since: since, count: 0, isLast: isLast)
      outstanding += 1
      return Self.passOn
    case (.body(let bytes), .body(let since, let count, let isLast)):
      input = .body(since: since, count: count + bytes, isLast: isLast)
      return count + bytes > bodyLimit
        ? refuse(.tooLarge(bodyLimit), isHead: false, at: now) : Self.passOn
    case (.end, .body(_, _, isLast: true)):
      input = .finished
      return [.dropInput, .passOn]
    case (.end, .body):
      input = .between
      return Self.passOn
    // Bytes that make no part are the beginning of a head.
    case (.decoded(hadPart: false, _), .between): input = .head(since: now)
    // Extensions of chunks and trailers make no part before the end.
    case (.decoded(_, let bytes), .body(_, let count, _))
    where bytes > count + limits.fields + limits.framing:
      return refuse(.tooMuchFraming, isHead: false, at: now)
    default: break
    }
    return []
  }

  /// Made once: every part of a request has this effect.
  private static let passOn: [Effect] = [.passOn]

  private var hasLastRequest: Bool {
    switch input {
    case .finished, .body(_, _, isLast: true): true
    default: false
    }
  }

  /// Drops everything that still arrives before the decoder, which would buffer it.
  private mutating func dropInput() -> [Effect] {
    if input != .finished { input = .dropped }
    return [.dropInput]
  }

  // MARK: Ends

  private mutating func refuse(
    _ problem: Problem, isHead: Bool, at now: NIODeadline
  ) -> [Effect] {
    let isIncomplete = if case .body = input { true } else { false }
    let effects = dropInput()
    guard output == .open || output == .last else { return effects }
    // A request whose body is refused would wait for that body for ever.
    if outstanding == 0 || (isIncomplete && outstanding == 1 && !responseHasBegun) {
      return effects + [.note(problem)] + answer(problem, isHead: isHead, at: now)
    }
    if isIncomplete { return effects + [.note(problem)] + close() }
    if output == .open { output = .refusing(problem, isHead: isHead) }
    return effects + [.note(problem)]
  }

  private mutating func answer(
    _ problem: Problem, isHead: Bool, at now: NIODeadline
  ) -> [Effect] {
    output = .ending
    (unwritten, idleSince) = (unwritten + 1, now)
    return [.answer(problem, isHead: isHead)] + dropInput() + [.flush]
  }

  /// Closes our side when everything is written, and waits for the client to close its own: closing at once while it
  /// still sends would take the answer away from it.
  private mutating func finish(at now: NIODeadline, _ client: Client) -> [Effect] {
    output = .ending
    // What the socket does not take at once would wait for a client that does not read.
    if endsAtOnce(client) { return dropInput() + [.flush] + close() }
    return dropInput() + [.flush] + (unwritten == 0 ? closeOutput(at: now, client) : [])
  }

  private mutating func written(at now: NIODeadline, _ client: Client) -> [Effect] {
    (unwritten, idleSince) = (unwritten - 1, now)
    guard unwritten == 0, output != .closed else { return [] }
    if output == .ending { return closeOutput(at: now, client) }
    return inputHasClosed && !isAnswering && !isLingering ? close() : []
  }

  private mutating func closeOutput(at now: NIODeadline, _ client: Client) -> [Effect] {
    if inputHasClosed || endsAtOnce(client) { return close() }
    output = .lingering(until: now + limits.linger)
    return [.closeOutput]
  }

  private mutating func close() -> [Effect] {
    output = .closed
    return [.close]
  }

  private var isLingering: Bool { if case .lingering = output { true } else { false } }

  /// Whether nothing is lost by not waiting for the client.
  private func endsAtOnce(_ client: Client) -> Bool { isStopping && client.hearsEvents }

  // MARK: Deadlines

  enum Expiry: Hashable {
    case tooSlow
    case silently
  }

  func deadline(_ client: Client) -> (at: NIODeadline, expiry: Expiry)? {
    if case .lingering(let until) = output { return (until, .silently) }
    if let authenticationDeadline {
      let isInHead = if case .head = input { true } else { false }
      return (authenticationDeadline, isInHead ? .tooSlow : .silently)
    }
    if let blockedSince, !client.ownsSession { return (blockedSince + limits.write, .silently) }
    switch input {
    case .head(let since): return (since + limits.head, .tooSlow)
    case .body(let since, _, _): return (since + limits.request, .tooSlow)
    case .between, .finished, .dropped: break
    }
    guard outstanding == 0 else { return nil }
    return (idleSince + (unwritten == 0 ? limits.idle : limits.write), .silently)
  }

  /// When to check the deadline again: no later than the soonest that could have been set since.
  func wait(at now: NIODeadline, _ client: Client) -> TimeAmount {
    let left = deadline(client).map { $0.at - now } ?? limits.shortest
    return left > .zero ? min(left, limits.shortest) : limits.shortest
  }
}
