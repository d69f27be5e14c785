internal import CIsolation
import Glibc
import Synchronization

/// The process that starts the workers, as this process sees it; ``ZygoteProcess`` is its inside.
/// It is forked while this process has a single thread and keeps to one, so that a worker is a
/// cheap `fork` with everything loaded. It reads no file, and ends, with all workers, when this
/// process does.
final class WorkerZygote: Sendable {
  let sandbox: Sandbox
  private let process: pid_t
  /// `nil` after ``stop()``.
  private let control: Mutex<FileDescriptor?>

  /// Forks it.
  ///
  /// - Throws: `worker-failed` if this process has other threads already, or cannot fork.
  static func start(limits: Limits) throws(InspectionError) -> WorkerZygote {
    guard artwork_thread_count() <= 1 else {
      throw failure("workers must be prepared before the first thread is started")
    }
    var ends: [Int32] = [-1, -1]
    guard artwork_socket_pair(&ends) == 0 else {
      throw failure("no socket: \(Errno(rawValue: errno).description)")
    }
    let (ours, theirs) = (FileDescriptor(rawValue: ends[0]), FileDescriptor(rawValue: ends[1]))
    let process = artwork_fork()
    if process == 0 {
      try? ours.close()
      ZygoteProcess.run(theirs, limits: limits)
    }
    try? theirs.close()
    guard process > 0 else {
      try? ours.close()
      throw failure("fork: \(Errno(rawValue: errno).description)")
    }
    guard let sandboxState = Channel.receive(from: ours, count: 3) else {
      try? ours.close()
      while waitpid(process, nil, 0) < 0, errno == EINTR {}
      throw failure("the zygote ended (is /proc mounted?)")
    }
    return WorkerZygote(
      sandbox: Sandbox(
        renouncesPrivileges: sandboxState[0] == 1, landlockVersion: Int(sandboxState[1]),
        filtersSystemCalls: sandboxState[2] == 1),
      process: process, control: ours)
  }

  private init(sandbox: Sandbox, process: pid_t, control: FileDescriptor) {
    self.sandbox = sandbox
    self.process = process
    self.control = Mutex(control)
  }

  deinit { stop() }

  /// Ends it and every worker, and waits for that.
  func stop() {
    control.withLock { control in
      guard let open = control else { return }
      control = nil
      try? open.close()
      var status: Int32 = 0
      while waitpid(process, &status, 0) < 0, errno == EINTR {}
    }
  }

  /// Starts a worker on `candidate`, for the request in `exchange`.
  ///
  /// - Returns: a socket, which the caller closes. It receives a ``WorkerExit`` when the worker has
  ///   ended; anything that is written to it ends the worker.
  func startWorker(
    candidate: FileDescriptor, exchange: FileDescriptor
  ) throws(InspectionError) -> FileDescriptor {
    var ends: [Int32] = [-1, -1]
    guard artwork_socket_pair(&ends) == 0 else {
      throw Self.failure("no socket: \(Errno(rawValue: errno).description)")
    }
    let (ours, theirs) = (FileDescriptor(rawValue: ends[0]), FileDescriptor(rawValue: ends[1]))
    // The status first: if only some descriptors arrive, it can still report why there is no worker.
    let handed = [theirs.rawValue, candidate.rawValue, exchange.rawValue]
    let isSent = control.withLock { control in
      control.map { control in
        // Descriptors cannot travel without a byte.
        var byte: UInt8 = 0
        return artwork_send_descriptors(control.rawValue, &byte, 1, handed, 3) == 0
      } ?? false
    }
    try? theirs.close()
    guard isSent else {
      try? ours.close()
      throw Self.failure("the process that starts workers has ended")
    }
    return ours
  }

  static func failure(_ message: String) -> InspectionError {
    InspectionError(.workerFailed, message, operation: "start a worker")
  }
}
