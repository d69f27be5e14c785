import NIOCore
import Synchronization

/// What a request may ask of the connection that it came through.
final class Connection: Sendable {
  let limits: ServiceLimits
  /// The process at the other end of a Unix socket.
  let peer: Int32?
  /// Fulfilled when the client has closed its side, or the connection is gone.
  let inboundClosed: EventLoopFuture<Void>

  private let promise: EventLoopPromise<Void>
  private struct State {
    var ownsSession = false
    var isStopping = false
    var endings: [@Sendable () -> Void] = []
  }
  private let state = Mutex(State())

  init(limits: ServiceLimits, peer: Int32?, on loop: any EventLoop) {
    self.limits = limits
    self.peer = peer
    promise = loop.makePromise()
    inboundClosed = promise.futureResult
  }

  /// Its client is never too slow: a suspended player still publishes.
  var ownsSession: Bool {
    get { state.withLock { $0.ownsSession } }
    set { state.withLock { $0.ownsSession = newValue } }
  }

  /// The service is ending; what this connection owns stays.
  var isStopping: Bool { state.withLock { $0.isStopping } }

  /// Calls `ending` when the client closes its side or the service stops; at once when that has happened.
  func whenEnding(_ ending: @escaping @Sendable () -> Void) {
    let isStopping = state.withLock { state in
      state.endings.append(ending)
      return state.isStopping
    }
    if isStopping { ending() }
    inboundClosed.whenComplete { _ in ending() }
  }

  func stop() {
    let endings = state.withLock { state in
      state.isStopping = true
      return state.endings
    }
    for ending in endings { ending() }
  }

  /// Called once or more by whoever sees the end of the inbound side.
  func noteInboundClosed() { promise.succeed() }
}
