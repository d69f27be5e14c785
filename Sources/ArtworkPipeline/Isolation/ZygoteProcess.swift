internal import CIsolation
import Glibc

/// The process of the zygote. It receives candidates, forks a worker for each, and reports how each worker ended. It
/// does not read the files.
enum ZygoteProcess {
  private struct RunningWorker {
    var process: pid_t
    /// Receives the report. Readable or closed when the worker is no longer wanted.
    var status: FileDescriptor
    /// Closes when the worker ends.
    var life: FileDescriptor
  }

  /// 64 MiB is enough for most clips, so a worker rarely has to allocate more.
  private static let heapStep = 64 << 20

  /// Prepares everything that workers inherit, and starts workers until the parent has ended.
  static func run(_ control: FileDescriptor, limits: Limits) -> Never {
    // Leaves the terminal's foreground group, because the parent handles Ctrl-C.
    setsid()
    artwork_reset_signals()
    artwork_forget_environment()
    let control = settle(control)
    WarmUp.run()
    artwork_prepare_heap(heapStep)
    artwork_clear_new_memory()
    // The heap that is reserved but free counts towards the budget.
    let mapped = artwork_address_space()
    // Without this number there is no limit on memory.
    if mapped == 0 { _exit(Worker.failure) }
    let baseline = mapped > UInt64(heapStep) ? mapped - UInt64(heapStep) : 0
    let sandbox = Sandbox.enclose()
    Channel.send(
      [
        sandbox.renouncesPrivileges ? 1 : 0, Int64(sandbox.landlockVersion),
        sandbox.filtersSystemCalls ? 1 : 0,
      ], to: control)
    serve(control) { Worker.run(limits: limits, sandbox: sandbox, baseline: baseline) }
  }

  /// Waits for a message, and ends if the parent does.
  static func wait(for control: FileDescriptor) {
    setsid()
    artwork_reset_signals()
    if Channel.receive(from: control, count: 1) == nil { _exit(0) }
  }

  private static func serve(_ control: FileDescriptor, _ runWorker: () -> Never) -> Never {
    var workers: [RunningWorker] = []
    while true {
      var watched = [pollfd(fd: control.rawValue, events: Int16(POLLIN), revents: 0)]
      for worker in workers {
        watched.append(pollfd(fd: worker.status.rawValue, events: Int16(POLLIN), revents: 0))
        watched.append(pollfd(fd: worker.life.rawValue, events: Int16(POLLIN), revents: 0))
      }
      guard unsafe poll(&watched, nfds_t(watched.count), -1) > 0 else { continue }
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
        var byte: UInt8 = 0
        switch unsafe artwork_receive_descriptors(control.rawValue, &byte, 1, &received, 3) {
        case 1: if let worker = fork(received, runWorker) { workers.append(worker) }
        case 0:
          // The parent has ended or stopped.
          for worker in workers { end(worker) }
          _exit(0)
        default:
          // This fails only the one file. Descriptors that did not arrive are closed, so that the parent notices in
          // any case.
          let reason = errno
          // Any other error would recur immediately.
          if ![EMFILE, EPROTO, EINTR, EAGAIN].contains(reason) { _exit(Worker.failure) }
          if received[0] >= 0 {
            refuse(FileDescriptor(rawValue: received[0]), reason)
          }
        }
      }
    }
  }

  /// Points the low numbers, where a worker finds its descriptors, to /dev/null, and closes
  /// everything else but the control socket.
  private static func settle(_ control: FileDescriptor) -> FileDescriptor {
    let moved = fcntl(control.rawValue, F_DUPFD, Int32(WorkerDescriptors.count + 1))
    let null = nothing()
    let place = Int32(WorkerDescriptors.count)
    let isSettled =
      moved >= 0 && null >= 0
      && (0..<place).allSatisfy { $0 == null || dup2(null, $0) == $0 }
      && dup2(moved, place) == place
    // Otherwise a worker would inherit other descriptors than it should.
    if !isSettled { _exit(Worker.failure) }
    artwork_close_from(place + 1)
    return FileDescriptor(rawValue: place)
  }

  /// /dev/null, or on a system without it the reading end of a pipe that is closed at the other.
  private static func nothing() -> Int32 {
    let null = unsafe open("/dev/null", O_RDWR)
    if null >= 0 { return null }
    var ends: [Int32] = [-1, -1]
    guard unsafe pipe(&ends) == 0 else { return -1 }
    close(ends[1])
    return ends[0]
  }

  private static func fork(_ received: [Int32], _ runWorker: () -> Never) -> RunningWorker? {
    let status = FileDescriptor(rawValue: received[0])
    defer { for descriptor in received.dropFirst() { close(descriptor) } }
    var pipeEnds: [Int32] = [-1, -1]
    guard unsafe pipe(&pipeEnds) == 0 else {
      refuse(status, errno)
      return nil
    }
    let zygote = getpid()
    let process = artwork_fork()
    if process == 0 {
      _ = artwork_die_with_parent()
      if getppid() != zygote { _exit(1) }
      // All of them have higher numbers than their new places.
      dup2(received[1], WorkerDescriptors.candidate)
      dup2(received[2], WorkerDescriptors.exchange)
      dup2(pipeEnds[1], WorkerDescriptors.life)
      artwork_close_from(Int32(WorkerDescriptors.count))
      runWorker()
    }
    let reason = errno
    close(pipeEnds[1])
    guard process > 0 else {
      close(pipeEnds[0])
      refuse(status, reason)
      return nil
    }
    return RunningWorker(
      process: process, status: status, life: FileDescriptor(rawValue: pipeEnds[0]))
  }

  /// Reports to the parent that there is no worker, and why.
  private static func refuse(_ status: FileDescriptor, _ errno: Int32) {
    Channel.send(WorkerExit(notStarted: errno).numbers, to: status)
    try? status.close()
  }

  /// Makes sure that a worker has ended, and reports how. The signal does not change the status of one that has
  /// already exited.
  private static func end(_ worker: RunningWorker) {
    kill(worker.process, SIGKILL)
    var (status, usage): (Int32, rusage) = (0, rusage())
    while unsafe wait4(worker.process, &status, 0, &usage) < 0, errno == EINTR {}
    Channel.send(WorkerExit(status: status, usage: usage).numbers, to: worker.status)
    try? worker.status.close()
    try? worker.life.close()
  }
}
