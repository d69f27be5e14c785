internal import CIsolation
import Glibc
import Synchronization

/// The process that starts the workers, as this process sees it; ``ZygoteProcess`` is its inside.
/// It is forked while this process has a single thread and keeps to one, so that a worker is a
/// cheap `fork` with everything loaded. It reads no file, and ends, with all workers, when this
/// process does.
final class WorkerZygote: Sendable {
  let sandbox: Sandbox
  /// Processor time of all workers that ended, in microseconds.
  let spent = Atomic<Int64>(0)
  /// The process that starts workers, and one that replaces it if it ends, which cannot be forked later; `nil` after
  /// ``stop()``.
  private let processes: Mutex<(current: Forked, spare: Forked?)?>

  private struct Forked {
    var process: pid_t
    var control: FileDescriptor
  }

  /// Forks it.
  ///
  /// - Throws: `worker-failed` if this process has other threads already, or cannot fork.
  static func start(limits: Limits) throws(InspectionError) -> WorkerZygote {
    guard artwork_thread_count() <= 1 else {
      throw failure("workers must be prepared before the first thread is started")
    }
    // Before the first, whose end of the socket it would keep open.
    let spare = try? fork(limits: limits, waits: true)
    let first = try fork(limits: limits, leaving: spare?.control)
    guard let sandboxState = Channel.receive(from: first.control, count: 3) else {
      for forked in [first, spare].compactMap(\.self) { end(forked) }
      throw failure("the zygote ended (is /proc mounted?)")
    }
    return WorkerZygote(
      sandbox: Sandbox(
        renouncesPrivileges: sandboxState[0] == 1, landlockVersion: Int(sandboxState[1]),
        filtersSystemCalls: sandboxState[2] == 1),
      first, spare: spare)
  }

  /// - Parameters:
  ///   - waits: whether it prepares nothing before it receives a byte.
  ///   - other: a socket of this process that is no business of the new one.
  private static func fork(
    limits: Limits, waits: Bool = false, leaving other: FileDescriptor? = nil
  ) throws(InspectionError) -> Forked {
    var ends: [Int32] = [-1, -1]
    guard unsafe artwork_socket_pair(&ends) == 0 else {
      throw failure("no socket: \(Errno(rawValue: errno).description)")
    }
    let (ours, theirs) = (FileDescriptor(rawValue: ends[0]), FileDescriptor(rawValue: ends[1]))
    let process = artwork_fork()
    if process == 0 {
      try? ours.close()
      try? other?.close()
      if waits { ZygoteProcess.wait(for: theirs) }
      ZygoteProcess.run(theirs, limits: limits)
    }
    try? theirs.close()
    guard process > 0 else {
      try? ours.close()
      throw failure("fork: \(Errno(rawValue: errno).description)")
    }
    return Forked(process: process, control: ours)
  }

  private static func end(_ forked: Forked) {
    try? forked.control.close()
    var status: Int32 = 0
    while unsafe waitpid(forked.process, &status, 0) < 0, errno == EINTR {}
  }

  private init(sandbox: Sandbox, _ first: Forked, spare: Forked?) {
    self.sandbox = sandbox
    processes = Mutex((first, spare))
  }

  deinit { stop() }

  /// Ends it and every worker, and waits for that.
  func stop() {
    processes.withLock { processes in
      guard let open = processes else { return }
      processes = nil
      for forked in [open.current, open.spare].compactMap(\.self) { Self.end(forked) }
    }
  }

  /// Replaces the process if it has ended, once.
  ///
  /// - Parameter process: that did not answer, as ``startWorker(candidate:exchange:)`` returned it.
  /// - Returns: whether a worker can be started now.
  func replace(_ process: pid_t) -> Bool {
    processes.withLock { processes in
      guard let open = processes else { return false }
      if open.current.process != process { return true }
      guard let spare = open.spare else { return false }
      kill(open.current.process, SIGKILL)
      Self.end(open.current)
      processes = (spare, nil)
      Channel.send([0], to: spare.control)
      return Channel.receive(from: spare.control, count: 3) != nil
    }
  }

  /// Starts a worker on `candidate`, for the request in `exchange`.
  ///
  /// - Returns: the process that starts it, and a socket, which the caller closes. That receives a ``WorkerExit`` when the worker has
  ///   ended; anything that is written to it ends the worker.
  func startWorker(
    candidate: FileDescriptor, exchange: FileDescriptor
  ) throws(InspectionError) -> (process: pid_t, status: FileDescriptor) {
    var ends: [Int32] = [-1, -1]
    guard unsafe artwork_socket_pair(&ends) == 0 else {
      throw Self.failure("no socket: \(Errno(rawValue: errno).description)")
    }
    let (ours, theirs) = (FileDescriptor(rawValue: ends[0]), FileDescriptor(rawValue: ends[1]))
    // The status first: if only some descriptors arrive, it can still report why there is no worker.
    let handed = [theirs.rawValue, candidate.rawValue, exchange.rawValue]
    let process = processes.withLock { processes -> pid_t? in
      guard let current = processes?.current else { return nil }
      // Descriptors cannot travel without a byte. If this fails, the socket ends without a report.
      var byte: UInt8 = 0
      _ = unsafe artwork_send_descriptors(current.control.rawValue, &byte, 1, handed, 3)
      return current.process
    }
    try? theirs.close()
    guard let process else {
      try? ours.close()
      throw Self.failure("the process that starts workers has ended")
    }
    return (process, ours)
  }

  static func failure(_ message: String) -> InspectionError {
    InspectionError(.workerFailed, message, operation: "start a worker")
  }
}

/// The numbers of a worker's descriptors. Below them are its standard streams, all /dev/null (or an empty pipe on a
/// system without it). Above them, nothing is open.
enum WorkerDescriptors {
  /// The candidate, read-only.
  static let candidate: Int32 = 3
  /// The request, then the reply.
  static let exchange: Int32 = 4
  /// A pipe that carries nothing: it closes when the worker ends.
  static let life: Int32 = 5
  static let count = 6
}

/// Short messages of whole numbers between this process and the zygote.
enum Channel {
  /// Does nothing if the receiver has closed.
  static func send(_ numbers: [Int64], to socket: FileDescriptor) {
    _ = unsafe numbers.withUnsafeBytes {
      unsafe artwork_send(socket.rawValue, $0.baseAddress, $0.count)
    }
  }

  /// `nil` if the sender has closed.
  static func receive(from socket: FileDescriptor, count: Int) -> [Int64]? {
    var numbers = [Int64](repeating: 0, count: count)
    let status = unsafe numbers.withUnsafeMutableBytes {
      unsafe artwork_receive(socket.rawValue, $0.baseAddress, $0.count)
    }
    return status == 0 ? numbers : nil
  }
}
