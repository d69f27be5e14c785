import ArtworkModel
internal import CIsolation
import Synchronization
import SystemPackage

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// The process that starts the workers: forked from this one while it had a single thread, it has one
/// itself, so that a worker is one cheap `fork` that has everything loaded. It reads nothing of any
/// file, and ends, with all workers, when this process does.
final class Nursery: Sendable {
  let sandbox: Sandbox
  private let process: pid_t
  /// `nil` after ``stop()``.
  private let control: Mutex<FileDescriptor?>

  /// Forks it.
  ///
  /// - Throws: `worker-failed` when this process has other threads already, or cannot fork.
  static func start(limits: Limits) throws(InspectionError) -> Nursery {
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
      serve(theirs, limits: limits)
    }
    try? theirs.close()
    guard process > 0 else {
      try? ours.close()
      throw failure("fork: \(Errno(rawValue: errno).description)")
    }
    guard let walls = Channel.receive(from: ours, count: 3) else {
      try? ours.close()
      throw failure("the nursery ended (is /proc mounted?)")
    }
    return Nursery(
      sandbox: Sandbox(
        renouncesPrivileges: walls[0] == 1, landlockVersion: Int(walls[1]),
        filtersSystemCalls: walls[2] == 1),
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

  /// Starts a worker on `candidate`, which replies in `exchange`. Its end is told through the descriptor that is
  /// returned, which the caller closes; whatever is written there ends the worker.
  func startWorker(
    _ task: WorkerTask, candidate: FileDescriptor, exchange: FileDescriptor
  ) throws(InspectionError) -> FileDescriptor {
    var ends: [Int32] = [-1, -1]
    guard artwork_socket_pair(&ends) == 0 else {
      throw Self.failure("no socket: \(Errno(rawValue: errno).description)")
    }
    let (ours, theirs) = (FileDescriptor(rawValue: ends[0]), FileDescriptor(rawValue: ends[1]))
    let handed = [candidate.rawValue, exchange.rawValue, theirs.rawValue]
    let isSent = control.withLock { control in
      control.map { control in
        task.numbers.withUnsafeBytes {
          artwork_send_descriptors(control.rawValue, $0.baseAddress, $0.count, handed, 3) == 0
        }
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

  // MARK: In the nursery

  private struct RunningWorker {
    var process: pid_t
    /// Where its end is told; readable or closed when it is no longer wanted.
    var status: FileDescriptor
    /// Closes when it ends.
    var life: FileDescriptor
  }

  /// Enough for most clips, so that a worker rarely has to ask for more: 64 MiB.
  private static let heapStep = 64 << 20

  private static func serve(_ control: FileDescriptor, limits: Limits) -> Never {
    // Not in the terminal's foreground group: Ctrl-C is the parent's to handle.
    setsid()
    artwork_reset_signals()
    artwork_forget_environment()
    let control = settle(control)
    WarmUp.run()
    artwork_prepare_heap(heapStep)
    // What is at hand and free counts towards the budget.
    let mapped = artwork_address_space()
    #if os(Linux)
      // Without it, memory would have no limit.
      if mapped == 0 { _exit(Worker.failure) }
    #endif
    let baseline = mapped > UInt64(heapStep) ? mapped - UInt64(heapStep) : 0
    let sandbox = Sandbox.enclose()
    Channel.send(
      [
        sandbox.renouncesPrivileges ? 1 : 0, Int64(sandbox.landlockVersion),
        sandbox.filtersSystemCalls ? 1 : 0,
      ], to: control)
    var workers: [RunningWorker] = []
    while true {
      var watched = [pollfd(fd: control.rawValue, events: Int16(POLLIN), revents: 0)]
      for worker in workers {
        watched.append(pollfd(fd: worker.status.rawValue, events: Int16(POLLIN), revents: 0))
        watched.append(pollfd(fd: worker.life.rawValue, events: Int16(POLLIN), revents: 0))
      }
      guard poll(&watched, nfds_t(watched.count), -1) > 0 else { continue }
      var running: [RunningWorker] = []
      for (index, worker) in workers.enumerated() {
        if watched[1 + 2 * index].revents == 0, watched[2 + 2 * index].revents == 0 {
          running.append(worker)
        } else {
          end(worker)
        }
      }
      workers = running
      if watched[0].revents != 0 {
        var received: [Int32] = [-1, -1, -1]
        var numbers = [Int64](repeating: 0, count: WorkerTask.numberCount)
        let status = numbers.withUnsafeMutableBytes {
          artwork_receive_descriptors(control.rawValue, $0.baseAddress, $0.count, &received, 3)
        }
        if status == 1, let task = WorkerTask(numbers: numbers) {
          let run = { Worker.run(task, limits: limits, sandbox: sandbox, baseline: baseline) }
          if let worker = fork(received, run) { workers.append(worker) }
        } else {
          // The parent is gone, or nobody will ask again.
          for worker in workers { end(worker) }
          _exit(0)
        }
      }
    }
  }

  /// Keeps the low numbers, where a worker finds its descriptors, on /dev/null, and nothing else but the
  /// control socket.
  private static func settle(_ control: FileDescriptor) -> FileDescriptor {
    let moved = fcntl(control.rawValue, F_DUPFD, Int32(WorkerDescriptors.count + 1))
    let null = nothing()
    let place = Int32(WorkerDescriptors.count)
    let isSettled =
      moved >= 0 && null >= 0
      && (0..<place).allSatisfy { $0 == null || dup2(null, $0) == $0 }
      && dup2(moved, place) == place
    // What a worker inherits would not be what was agreed.
    if !isSettled { _exit(Worker.failure) }
    artwork_close_from(place + 1)
    return FileDescriptor(rawValue: place)
  }

  /// /dev/null, or where there is none a pipe that nothing comes from and that cannot be written to.
  private static func nothing() -> Int32 {
    let null = open("/dev/null", O_RDWR)
    if null >= 0 { return null }
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { return -1 }
    close(ends[1])
    return ends[0]
  }

  private static func fork(
    _ received: [Int32], _ run: () -> Never
  ) -> RunningWorker? {
    let status = FileDescriptor(rawValue: received[2])
    defer { for descriptor in received.prefix(2) { close(descriptor) } }
    var pipeEnds: [Int32] = [-1, -1]
    guard pipe(&pipeEnds) == 0 else {
      Channel.send(WorkerExit(notStarted: errno).numbers, to: status)
      try? status.close()
      return nil
    }
    let nursery = getpid()
    let process = artwork_fork()
    if process == 0 {
      _ = artwork_die_with_parent()
      if getppid() != nursery { _exit(1) }
      // All of them lie above the places they go to.
      dup2(received[0], WorkerDescriptors.candidate)
      dup2(received[1], WorkerDescriptors.exchange)
      dup2(pipeEnds[1], WorkerDescriptors.life)
      artwork_close_from(Int32(WorkerDescriptors.count))
      run()
    }
    let reason = errno
    close(pipeEnds[1])
    guard process > 0 else {
      close(pipeEnds[0])
      Channel.send(WorkerExit(notStarted: reason).numbers, to: status)
      try? status.close()
      return nil
    }
    return RunningWorker(
      process: process, status: status, life: FileDescriptor(rawValue: pipeEnds[0]))
  }

  /// Makes sure that a worker has ended, and tells how. One that ended by itself is past the point where a
  /// signal changes its status.
  private static func end(_ worker: RunningWorker) {
    kill(worker.process, SIGKILL)
    var (status, usage): (Int32, rusage) = (0, rusage())
    while wait4(worker.process, &status, 0, &usage) < 0, errno == EINTR {}
    Channel.send(WorkerExit(status: status, usage: usage).numbers, to: worker.status)
    try? worker.status.close()
    try? worker.life.close()
  }
}

/// Short messages of whole numbers between this process and the nursery.
enum Channel {
  /// A receiver that has gone does not want it.
  static func send(_ numbers: [Int64], to socket: FileDescriptor) {
    _ = numbers.withUnsafeBytes { artwork_send(socket.rawValue, $0.baseAddress, $0.count) }
  }

  /// `nil` when the sender has gone.
  static func receive(from socket: FileDescriptor, count: Int) -> [Int64]? {
    var numbers = [Int64](repeating: 0, count: count)
    let status = numbers.withUnsafeMutableBytes {
      artwork_receive(socket.rawValue, $0.baseAddress, $0.count)
    }
    return status == 0 ? numbers : nil
  }
}
