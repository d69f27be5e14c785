import Synchronization

/// A connection as the routes of its requests see it.
final class Connection: Sendable {
  let limits: ServiceLimits
  /// The process at the other end of a Unix socket.
  let peer: Int32?

  private struct State {
    var isTrusted: Bool
    var client = ConnectionState.Client()
    var isStopping = false
    /// Whether the client has closed its side, or the connection has closed.
    var inputHasClosed = false
    var endings: [@Sendable () -> Void] = []
    /// Callbacks of waiting requests, by number.
    var waiting: [UInt64: @Sendable () -> Void] = [:]
    var lastNumber: UInt64 = 0
  }
  private let state: Mutex<State>

  /// - Parameter isTrusted: whether the client may use the service without a token.
  init(limits: ServiceLimits, peer: Int32?, isTrusted: Bool) {
    self.limits = limits
    self.peer = peer
    state = Mutex(State(isTrusted: isTrusted))
  }

  /// Whether the client needs no token or has shown it.
  var isTrusted: Bool { state.withLock { $0.isTrusted } }

  func trust() { state.withLock { $0.isTrusted = true } }

  var client: ConnectionState.Client {
    get { state.withLock(\.client) }
    set { state.withLock { $0.client = newValue } }
  }

  /// Whether the service stops. The sessions of this connection stay then.
  var isStopping: Bool { state.withLock { $0.isStopping } }

  /// Calls `ending` when the client closes its side and when the service stops; at once if that has happened.
  func whenEnding(_ ending: @escaping @Sendable () -> Void) {
    let hasEnded = state.withLock { state in
      state.endings.append(ending)
      return state.isStopping || state.inputHasClosed
    }
    if hasEnded { ending() }
  }

  /// Calls `giveUp` when the service stops; at once if it does.
  ///
  /// - Returns: what takes that back.
  func whenStopping(_ giveUp: @escaping @Sendable () -> Void) -> @Sendable () -> Void {
    let (number, isStopping) = state.withLock { state in
      state.lastNumber += 1
      state.waiting[state.lastNumber] = giveUp
      return (state.lastNumber, state.isStopping)
    }
    if isStopping { giveUp() }
    return { [weak self] in self?.state.withLock { $0.waiting[number] = nil } }
  }

  func stop() {
    let endings = state.withLock { state in
      state.isStopping = true
      return state.endings + state.waiting.values
    }
    for ending in endings { ending() }
  }

  /// May be called more than once.
  func recordInputClosed() {
    let endings = state.withLock { state in
      state.inputHasClosed = true
      return state.endings
    }
    for ending in endings { ending() }
  }
}
