import ArtworkPipeline
import NIOCore
import Synchronization

/// The open connections. Unix sockets and TCP have places of their own, so that other users, who can reach only TCP, take
/// none from this one.
final class ConnectionTable: Sendable {
  enum Kind: Hashable {
    /// A connection at a Unix socket.
    case local
    /// Over TCP, and has shown the token.
    case known
    /// Over TCP, and has not shown the token.
    case unauthenticated
  }

  private struct Entry {
    var channel: any Channel
    var kind: Kind
    /// The place in the order of admission.
    var number: UInt64
  }

  private struct State {
    var channels: [ObjectIdentifier: Entry] = [:]
    var counts: [Kind: Int] = [:]
    var isStopping = false
    var admitted: UInt64 = 0
    /// The most connections since memory was returned last.
    var peak = 0

    var hasDrained: Bool { peak >= ConnectionTable.many && channels.count * 2 <= peak }

    func count(_ kinds: Kind...) -> Int { kinds.reduce(0) { $0 + counts[$1, default: 0] } }

    mutating func remove(_ name: ObjectIdentifier) -> Entry? {
      guard let entry = channels.removeValue(forKey: name) else { return nil }
      counts[entry.kind, default: 0] -= 1
      return entry
    }

    /// Takes the place of the unauthenticated peer that came first.
    mutating func removeOldestUnauthenticated() -> Entry? {
      channels.filter { $0.value.kind == .unauthenticated }.min {
        $0.value.number < $1.value.number
      }
      .flatMap { remove($0.key) }
    }
  }

  private let state = Mutex(State())
  private let limits: ServiceLimits
  /// Marked when most of many connections have gone.
  let drained: AsyncStream<Void>
  private let drain: AsyncStream<Void>.Continuation

  init(_ limits: ServiceLimits) {
    self.limits = limits
    (drained, drain) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
  }

  var count: Int { state.withLock { $0.channels.count } }

  /// Admits a connection. At the limit of TCP, the oldest one without the token makes room, so a client with the token
  /// gets in.
  ///
  /// - Returns: `false` when a limit is reached or the service stops.
  func admit(_ channel: any Channel, isLocal: Bool) -> Bool {
    let (isAdmitted, dropped) = state.withLock { state -> (Bool, (any Channel)?) in
      var dropped: Entry?
      var hasRoom = state.count(.local) < limits.connections
      if !isLocal, !state.isStopping {
        if state.count(.unauthenticated) >= limits.unauthenticatedPeers
          || state.count(.known, .unauthenticated) >= limits.connections
        {
          dropped = state.removeOldestUnauthenticated()
        }
        hasRoom = state.count(.known, .unauthenticated) < limits.connections
      }
      guard hasRoom, !state.isStopping else { return (false, dropped?.channel) }
      let kind: Kind = isLocal ? .local : .unauthenticated
      state.admitted += 1
      state.channels[ObjectIdentifier(channel)] = Entry(
        channel: channel, kind: kind, number: state.admitted)
      state.counts[kind, default: 0] += 1
      state.peak = max(state.peak, state.channels.count)
      return (true, dropped?.channel)
    }
    dropped?.close(promise: nil)
    if isAdmitted {
      channel.closeFuture.whenComplete { [weak channel] _ in
        guard let channel else { return }
        let hasDrained = self.state.withLock { state in
          _ = state.remove(ObjectIdentifier(channel))
          return state.hasDrained
        }
        if hasDrained { self.drain.yield() }
      }
    }
    return isAdmitted
  }

  /// Whether most of many connections have gone since this was asked last: their buffers stay with the process otherwise.
  func consumeDidDrain() -> Bool {
    state.withLock { state in
      guard state.hasDrained else { return false }
      state.peak = state.channels.count
      return true
    }
  }

  private static let many = 64

  /// Frees the place of an unauthenticated peer, which has shown the token.
  func trust(_ channel: any Channel) {
    state.withLock { state in
      let name = ObjectIdentifier(channel)
      guard state.channels[name]?.kind == .unauthenticated else { return }
      state.channels[name]?.kind = .known
      state.counts[.unauthenticated, default: 0] -= 1
      state.counts[.known, default: 0] += 1
    }
  }

  /// Notifies every connection once, and admits no more.
  func beginStopping() {
    let channels = state.withLock { state in
      defer { state.isStopping = true }
      return state.isStopping ? [] : state.channels.values.map(\.channel)
    }
    for channel in channels { channel.pipeline.fireUserInboundEventTriggered(StopEvent()) }
  }

  /// Idle connections close at once, others after their requests. When the time is up or the task is cancelled, the rest is
  /// closed.
  func stop(within time: TimeAmount) async {
    beginStopping()
    let end = NIODeadline.now() + time
    while count > 0, NIODeadline.now() < end, !Task.isCancelled {
      try? await Task.sleep(for: .milliseconds(20))
    }
    for channel in state.withLock({ $0.channels.values.map(\.channel) }) {
      channel.pipeline.fireUserInboundEventTriggered(StopEvent(isFinal: true))
    }
  }
}
