import CSystemCalls
import Glibc
import Synchronization

/// One transfer, shared by the loop's thread, which writes arriving data, and one task, which reads it.
final class Transfer: Sendable {
  /// Bytes that may wait for the reader; then the connection is paused. 1 MiB is several of libcurl's buffers.
  static let backlogLimit = 1 << 20

  enum End: Sendable, Equatable {
    case complete
    case failed(TransferError)
  }

  private typealias Waiter = @Sendable () -> Void

  private struct State {
    var parser = ResponseHeadParser()
    var parts: [[UInt8]] = []
    var byteCount = 0
    var isPaused = false
    let start = ContinuousClock.now
    var lastArrival = ContinuousClock.now
    /// Descriptor of a new connection to a Unix socket.
    var socket: Int32?
    /// Why that connection is not used.
    var refusal: TransferError?
    /// Set once. Bytes that arrived before a failure are read first.
    var end: End?
    /// Resumes the reader, which then checks the state again.
    var waiter: Waiter?

    mutating func takeWaiter() -> Waiter? {
      defer { waiter = nil }
      return waiter
    }
  }

  let request: TransferRequest
  private let state = Mutex(State())
  /// Notifies the loop to check this transfer.
  private let wakeLoop: @Sendable (Transfer) -> Void

  init(_ request: TransferRequest, wakeLoop: @escaping @Sendable (Transfer) -> Void) {
    self.request = request
    self.wakeLoop = wakeLoop
  }

  // MARK: The loop's side

  /// - Returns: the socket for a connection; -1 if the system has none.
  func openSocket(family: Int32) -> Int32 {
    let socket = artwork_stream_socket(family)
    // libcurl knows no other number for a failure.
    guard socket >= 0 else { return -1 }
    state.withLock { $0.socket = socket }
    return socket
  }

  /// Whether a new connection leads to a process of this user or root, and nowhere else. Nothing has been sent yet.
  func checkPeer() -> Bool {
    // A reused connection was checked when it was opened.
    guard let socket = state.withLock(\.socket) else { return true }
    var user: UInt32 = 0
    let result = artwork_peer_user(socket, &user)
    if result == 0, user == geteuid() || user == 0 { return true }
    // libcurl may treat a socket as connected that still waits in the backlog.
    let refusal: TransferError =
      result == 0 ? .foreign(user: user) : .noConnection(errno: EAGAIN, reason: "")
    state.withLock { $0.refusal = refusal }
    return false
  }

  var refusal: TransferError? { state.withLock(\.refusal) }

  /// - Returns: `false` to abort; the transfer has ended with the reason.
  func receive(headerLine line: UnsafeRawBufferPointer) -> Bool {
    let (isAccepted, waiter) = state.withLock { state -> (Bool, Waiter?) in
      state.lastArrival = .now
      do throws(TransferError) {
        try state.parser.read(line)
      } catch {
        if state.end == nil { state.end = .failed(error) }
        return (false, state.takeWaiter())
      }
      return (true, state.parser.head == nil ? nil : state.takeWaiter())
    }
    waiter?()
    return isAccepted
  }

  /// - Returns: `false` if the backlog is full: nothing was stored, and the connection must be paused.
  func receive(_ bytes: UnsafeRawBufferPointer) -> Bool {
    let (isAccepted, waiter) = state.withLock { state -> (Bool, Waiter?) in
      state.lastArrival = .now
      guard state.byteCount < Self.backlogLimit else {
        state.isPaused = true
        return (false, nil)
      }
      state.parts.append(Array(bytes))
      state.byteCount += bytes.count
      return (true, state.takeWaiter())
    }
    waiter?()
    return isAccepted
  }

  /// Ends it, unless it has ended.
  func finish(_ end: End) {
    let waiter = state.withLock { state -> Waiter? in
      if state.end == nil { state.end = end }
      return state.takeWaiter()
    }
    waiter?()
  }

  var isFinished: Bool { state.withLock { $0.end != nil } }

  /// - Returns: `true` once after each pause, when the reader has made room.
  func takeResumption() -> Bool {
    state.withLock { state in
      guard state.isPaused, state.byteCount < Self.backlogLimit else { return false }
      state.isPaused = false
      state.lastArrival = .now
      return true
    }
  }

  /// When it times out; `nil` while it is paused.
  var deadline: ContinuousClock.Instant? {
    state.withLock { state in
      if state.isPaused { return nil }
      let timeouts = request.timeouts
      return state.parser.head == nil
        ? state.start + timeouts.head : state.lastArrival + timeouts.idle
    }
  }

  // MARK: The reader's side

  func cancel() {
    // The loop need not check the transfer when the body of a complete one is released.
    if isFinished { return }
    finish(.failed(.cancelled))
    wakeLoop(self)
  }

  func head() async throws(TransferError) -> ResponseHead {
    try await value { state in
      if let head = state.parser.head { return .success(head) }
      return switch state.end {
      case .failed(let error): .failure(error)
      case .complete: .failure(.lost("the response has no head"))
      case nil: nil
      }
    }
  }

  /// The next bytes; `nil` at the end. One caller at a time.
  func next() async throws(TransferError) -> [UInt8]? {
    let parts = try await value { state -> Result<[[UInt8]]?, TransferError>? in
      if !state.parts.isEmpty, state.end != .failed(.cancelled) {
        defer { (state.parts, state.byteCount) = ([], 0) }
        return .success(state.parts)
      }
      return switch state.end {
      case .failed(let error): .failure(error)
      case .complete: .success(nil)
      case nil: nil
      }
    }
    if state.withLock(\.isPaused) { wakeLoop(self) }
    // Whole parts at a time: `joined()` would copy byte by byte.
    return parts.map { $0.count == 1 ? $0[0] : $0.reduce(into: []) { $0 += $1 } }
  }

  /// Waits until `ready` returns a result. Cancels the transfer when the task is cancelled.
  private func value<T: Sendable>(
    _ ready: @escaping @Sendable (inout State) -> Result<T, TransferError>?
  ) async throws(TransferError) -> T {
    while true {
      let result = await withTaskCancellationHandler {
        await withCheckedContinuation {
          (continuation: CheckedContinuation<Result<T, TransferError>?, Never>) in
          let result = state.withLock { state -> Result<T, TransferError>? in
            if let result = ready(&state) { return result }
            precondition(state.waiter == nil, "a transfer has one reader")
            state.waiter = { continuation.resume(returning: nil) }
            return nil
          }
          if let result { continuation.resume(returning: result) }
        }
      } onCancel: {
        cancel()
      }
      if let result { return try result.get() }
    }
  }
}
