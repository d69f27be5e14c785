import Dispatch
import Glibc
import Synchronization
import SystemPackage

/// Runs connections to message buses on one dedicated thread.
final class BusLoop: Sendable {
  /// The loop of this process. Its thread starts with the first connection and never ends.
  static let shared = BusLoop()

  /// Called on the loop's thread with each signal and call, and with replies that arrive too late for their caller.
  /// Must be quick.
  typealias Receiver = @Sendable (BusMessage) -> BusAnswer?

  typealias Answer = CheckedContinuation<Result<[BusValue], BusError>, Never>

  enum Request: Sendable {
    case open(
      BusAddress, Receiver, onLoss: @Sendable () -> Void,
      CheckedContinuation<Result<Void, BusError>, Never>)
    case call(OutgoingMessage, until: ContinuousClock.Instant, Answer)
    case signal(OutgoingMessage)
    case close
  }

  private struct Queue {
    var requests: [(connection: Int, request: Request)] = []
    var connections = 0
    /// The end of a pipe that wakes the thread; `nil` until it runs.
    var wakeup: FileDescriptor?
  }

  private let queue = Mutex(Queue())

  private init() {}

  /// A number for a new connection.
  func makeConnection() -> Int {
    queue.withLock {
      $0.connections += 1
      return $0.connections
    }
  }

  func add(_ request: Request, to connection: Int) {
    let failed = queue.withLock { queue in
      if queue.wakeup == nil {
        guard let pipe = try? FileDescriptor.pipe(options: .closeOnExec) else { return true }
        queue.wakeup = pipe.writeEnd
        DispatchQueue(label: "artworkd.buses").async { [self] in run(pipe.readEnd) }
      }
      // One byte is enough for all requests that wait.
      if queue.requests.isEmpty { _ = try? queue.wakeup?.writeAll([0]) }
      queue.requests.append((connection, request))
      return false
    }
    if failed { request.fail(.noBus(reason: "too many open files")) }
  }

  private func run(_ wakeup: FileDescriptor) {
    var connections: [Int: OpenBus] = [:]
    var byte: [UInt8] = [0]
    while true {
      var waiting = [pollfd(fd: wakeup.rawValue, events: Int16(POLLIN), revents: 0)]
      var pause = Int32(-1)
      for bus in connections.values {
        waiting.append(bus.connection.waiting)
        pause = Self.earlier(pause, bus.pause)
      }
      _ = unsafe poll(&waiting, nfds_t(waiting.count), pause)
      if waiting[0].revents != 0 {
        _ = unsafe byte.withUnsafeMutableBytes { try? unsafe wakeup.read(into: $0) }
      }
      let requests = queue.withLock { queue in
        defer { queue.requests = [] }
        return queue.requests
      }
      for (number, request) in requests { Self.start(request, number, &connections) }
      for (number, bus) in connections where !bus.proceed() {
        connections[number] = nil
        bus.end()
      }
    }
  }

  private static func start(_ request: Request, _ number: Int, _ connections: inout [Int: OpenBus]) {
    switch request {
    case .open(let address, let receiver, let onLoss, let continuation):
      do throws(BusError) {
        connections[number] = OpenBus(try BusConnection.open(address), receiver, onLoss)
        continuation.resume(returning: .success(()))
      } catch {
        continuation.resume(returning: .failure(error))
      }
    case .call(let message, let deadline, let answer):
      guard let bus = connections[number] else { return request.fail(.lost) }
      bus.call(message, until: deadline, answer)
    case .signal(let message): connections[number]?.signal(message)
    case .close: connections.removeValue(forKey: number)?.close()
    }
  }

  /// Returns the earlier of two times for poll(2), where -1 is never.
  private static func earlier(_ one: Int32, _ other: Int32) -> Int32 {
    one < 0 ? other : other < 0 ? one : min(one, other)
  }
}

extension BusLoop.Request {
  fileprivate func fail(_ error: BusError) {
    switch self {
    case .open(_, _, _, let continuation): continuation.resume(returning: .failure(error))
    case .call(_, _, let answer): answer.resume(returning: .failure(error))
    case .signal, .close: break
    }
  }
}

/// A connection and the calls that wait for answers. Only the loop's thread uses it.
private final class OpenBus {
  let connection: BusConnection
  private let receiver: BusLoop.Receiver
  private let onLoss: @Sendable () -> Void
  /// Pending calls by the numbers of their messages.
  private var calls: [UInt64: (deadline: ContinuousClock.Instant, answer: BusLoop.Answer)] = [:]

  init(
    _ connection: consuming BusConnection, _ receiver: @escaping BusLoop.Receiver,
    _ onLoss: @escaping @Sendable () -> Void
  ) {
    self.connection = connection
    self.receiver = receiver
    self.onLoss = onLoss
  }

  func call(
    _ message: OutgoingMessage, until deadline: ContinuousClock.Instant, _ answer: BusLoop.Answer
  ) {
    do throws(BusError) {
      calls[try connection.send(message)] = (deadline, answer)
    } catch {
      answer.resume(returning: .failure(error))
    }
  }

  /// A signal that cannot be sent is dropped: a lost connection is detected when it is read.
  func signal(_ message: OutgoingMessage) { _ = try? connection.send(message) }

  /// Milliseconds until there is something to do without a message; -1 for never.
  var pause: Int32 {
    var pause: Int64 = .max
    if let time = connection.deadline {
      var now = timespec()
      unsafe clock_gettime(CLOCK_MONOTONIC, &now)
      let micros = UInt64(now.tv_sec) * 1_000_000 + UInt64(now.tv_nsec) / 1000
      pause = time > micros ? Int64(clamping: (time - micros) / 1000 + 1) : 0
    }
    if let next = calls.values.map(\.deadline).min() {
      pause = min(
        pause, max(0, Int64(ContinuousClock.now.duration(to: next) / .milliseconds(1)) + 1))
    }
    return pause == .max ? -1 : Int32(clamping: pause)
  }

  /// Processes the messages that have arrived, and ends calls that have timed out.
  ///
  /// - Returns: whether the connection lives.
  func proceed() -> Bool {
    do throws(BusError) {
      // So that a flood on one bus leaves time for the others.
      for _ in 0..<256 {
        let mayBeMore = try connection.process { message in receive(message) }
        if !mayBeMore { break }
      }
    } catch {
      return false
    }
    let now = ContinuousClock.now
    for (number, call) in calls where call.deadline <= now {
      calls[number] = nil
      call.answer.resume(returning: .failure(.late))
    }
    return true
  }

  private func receive(_ message: BusMessage) -> BusAnswer? {
    switch message.kind {
    case .reply(let number):
      guard let call = calls.removeValue(forKey: number) else { return receiver(message) }
      call.answer.resume(returning: .success(message.body))
    case .error(let number, let name):
      guard let call = calls.removeValue(forKey: number) else { return receiver(message) }
      call.answer.resume(returning: .failure(.refused(name: name)))
    case .signal, .call: return receiver(message)
    }
    return nil
  }

  /// After the connection was lost.
  func end() {
    close()
    onLoss()
  }

  /// The calls fail. The connection closes with this object.
  func close() {
    for call in calls.values { call.answer.resume(returning: .failure(.lost)) }
    calls = [:]
  }
}
