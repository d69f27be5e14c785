import Synchronization

/// What one transfer has received: written by the loop's thread, read by one task.
final class Transfer: Sendable {
  /// Bytes that wait for the reader before the connection is paused: 1 MiB, several of libcurl's buffers.
  static let largestBacklog = 1 << 20
  /// Of the head of an answer: 256 KiB, more than any server of ours sends and no burden.
  private static let largestHead = 256 << 10

  struct Head: Sendable {
    var status: Int
    var headers: [(name: String, value: String)] = []
  }

  enum End: Sendable, Equatable {
    case complete
    case failed(TransferError)
  }

  private struct State {
    /// Of the answer that is being read; informational ones (1xx) come before the last.
    var partialHead: Head?
    var headBytes = 0
    var head: Head?
    var parts: [[UInt8]] = []
    var bytes = 0
    var isPaused = false
    var lastArrival: ContinuousClock.Instant
    /// Set once. What arrived before a failure is read first.
    var end: End?
    /// Has the reader look again.
    var reader: (@Sendable () -> Void)?

    mutating func read(headerLine line: String) -> Bool {
      let text = line.prefix { !$0.isNewline }
      if text.hasPrefix("HTTP/") {
        let status = text.split(separator: " ").dropFirst().first.flatMap { Int($0) }
        partialHead = status.map { Head(status: $0) }
        return status != nil
      }
      if text.isEmpty {
        if let partialHead, partialHead.status >= 200 { head = partialHead }
      } else if let colon = text.firstIndex(of: ":") {
        let value = text[text.index(after: colon)...].drop { $0 == " " || $0 == "\t" }
        partialHead?.headers.append((String(text[..<colon]), String(value)))
      }
      return true
    }

    mutating func takeReader() -> (@Sendable () -> Void)? {
      defer { reader = nil }
      return reader
    }
  }

  let request: TransferRequest
  private let state: Mutex<State>
  /// Tells the loop to look at this transfer again.
  private let wake: @Sendable (Transfer) -> Void

  init(_ request: TransferRequest, wake: @escaping @Sendable (Transfer) -> Void) {
    self.request = request
    self.wake = wake
    state = Mutex(State(lastArrival: .now))
  }

  // MARK: The loop's side

  /// - Returns: whether the line is acceptable.
  func receive(headerLine line: String) -> Bool {
    let (isFine, reader) = state.withLock { state -> (Bool, (@Sendable () -> Void)?) in
      state.lastArrival = .now
      // Trailers of a chunked body.
      if state.head != nil { return (true, nil) }
      state.headBytes += line.utf8.count
      let isFine = state.headBytes <= Self.largestHead && state.read(headerLine: line)
      return (isFine, state.head == nil ? nil : state.takeReader())
    }
    reader?()
    return isFine
  }

  /// - Returns: whether the bytes were taken; if not, they come again after a pause.
  func receive(_ bytes: UnsafeRawBufferPointer) -> Bool {
    let (isTaken, reader) = state.withLock { state -> (Bool, (@Sendable () -> Void)?) in
      state.lastArrival = .now
      guard state.bytes < Self.largestBacklog else {
        state.isPaused = true
        return (false, nil)
      }
      state.parts.append(Array(bytes))
      state.bytes += bytes.count
      return (true, state.takeReader())
    }
    reader?()
    return isTaken
  }

  func finish(_ end: End) {
    let reader = state.withLock { state -> (@Sendable () -> Void)? in
      if state.end == nil { state.end = end }
      return state.takeReader()
    }
    reader?()
  }

  var isFinished: Bool { state.withLock { $0.end != nil } }

  /// Whether the reader has made room since the connection was paused.
  func takeResumption() -> Bool {
    state.withLock { state in
      guard state.isPaused, state.bytes < Self.largestBacklog else { return false }
      state.isPaused = false
      state.lastArrival = .now
      return true
    }
  }

  /// When it is late; `nil` while it waits for its reader.
  var deadline: ContinuousClock.Instant? {
    state.withLock { state in
      if state.isPaused { return nil }
      let patience = request.patience
      return state.lastArrival + (state.head == nil ? patience.head : patience.idle)
    }
  }

  // MARK: The reader's side

  /// Ends it, unless it has ended.
  func cancel() {
    finish(.failed(.cancelled))
    wake(self)
  }

  func head() async throws(TransferError) -> Head {
    try await value { state in
      if let head = state.head { return .success(head) }
      return switch state.end {
      case .failed(let error): .failure(error)
      case .complete: .failure(.lost("the answer has no head"))
      case nil: nil
      }
    }
  }

  /// The next bytes; `nil` at the end.
  func next() async throws(TransferError) -> [UInt8]? {
    let bytes = try await value { state -> Result<[UInt8]?, TransferError>? in
      if !state.parts.isEmpty, state.end != .failed(.cancelled) {
        defer { (state.parts, state.bytes) = ([], 0) }
        return .success(state.parts.count == 1 ? state.parts[0] : Array(state.parts.joined()))
      }
      return switch state.end {
      case .failed(let error): .failure(error)
      case .complete: .success(nil)
      case nil: nil
      }
    }
    if state.withLock(\.isPaused) { wake(self) }
    return bytes
  }

  /// What `ready` gives as soon as it gives something. Cancels the transfer when the task is cancelled.
  private func value<T: Sendable>(
    _ ready: @escaping @Sendable (inout State) -> Result<T, TransferError>?
  ) async throws(TransferError) -> T {
    while true {
      let result = await withTaskCancellationHandler {
        await withCheckedContinuation {
          (continuation: CheckedContinuation<Result<T, TransferError>?, Never>) in
          let result = state.withLock { state -> Result<T, TransferError>? in
            if let result = ready(&state) { return result }
            state.reader = { continuation.resume(returning: nil) }
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
