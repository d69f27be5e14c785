public import ArtworkModel
import SystemPackage

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Looks at each file in a process of its own, which can open nothing, talk to nobody, and has a budget of
/// time and memory: whatever a file does to the decoder costs its own result.
///
/// A file costs about as much more as a `fork` and the set-up of decoders that a process would otherwise
/// keep. Peak memory is one worker for each call at a time.
public struct IsolatedInspector: CandidateInspector {
  public let limits: Limits
  /// How many workers share a processor, at least 1; the time that a worker may take grows with it.
  public var workersPerProcessor = 1
  private let nursery: Nursery

  /// Prepares for workers. Call this first thing in `main`: the process must not have a second thread yet.
  ///
  /// - Throws: `worker-failed` when it has, or when the system lends no process.
  public init(limits: Limits = Limits()) throws(InspectionError) {
    self.limits = limits
    nursery = try Nursery.start(limits: limits)
  }

  /// The walls around every worker.
  public var sandbox: Sandbox { nursery.sandbox }

  public func inspect(
    _ candidate: Candidate, _ request: InspectionRequest
  ) throws(InspectionError) -> InspectedCandidate {
    try inspect(candidate, request, isWanted: { true })
  }

  public func inspect(
    _ candidate: Candidate, _ request: InspectionRequest, isWanted: @escaping @Sendable () -> Bool
  ) throws(InspectionError) -> InspectedCandidate {
    let file = try InputFile.open(candidate.path, beneath: candidate.folder, limits: limits)
    let (reply, bytes, cost) = try perform(
      .inspect(request), on: file, isWanted: isWanted)
    switch reply {
    case .inspection(let inspection, let form):
      let exhibit = form?.exhibit(from: bytes)
      let preview = Array(bytes.dropFirst(exhibit?.bytes.count ?? 0))
      guard request.exhibit == (exhibit != nil),
        request.preview == .none ? preview.isEmpty : PNGFile.isWellFormed(preview)
      else { throw Self.nonsense }
      return InspectedCandidate(
        inspection: inspection, preview: request.preview == .none ? nil : preview,
        exhibit: exhibit, cost: cost)
    case .refusal(let error): throw error
    case .loops, .seam, .still, .trial: throw Self.nonsense
    }
  }

  public func inspectStill(_ still: Candidate) throws(InspectionError) -> StillPicture {
    let file = try InputFile.open(still.path, beneath: still.folder, limits: limits)
    switch try perform(.still, on: file).0 {
    case .still(let picture):
      guard picture.width > 0, picture.height > 0 else { throw Self.nonsense }
      return picture
    case .refusal(let error): throw error
    case .inspection, .loops, .seam, .trial: throw Self.nonsense
    }
  }

  func perform(
    _ task: WorkerTask, on file: InputFile, isWanted: () -> Bool = { true }
  ) throws(InspectionError) -> (WorkerReply, preview: [UInt8], InspectedCandidate.Cost) {
    try file.whileUnchanged { () throws(InspectionError) in
      try file.withDescriptor { descriptor throws(InspectionError) in
        try perform(task, on: descriptor, isWanted: isWanted)
      }
    }
  }

  /// Ends all workers and waits for them; calls that are under way and later ones throw `worker-failed`.
  /// Also happens when the last copy of this value goes.
  public func stop() { nursery.stop() }

  /// Has a worker try what the sandbox forbids.
  public func tryOut() throws(InspectionError) -> SandboxTrial {
    let null: FileDescriptor
    do {
      null = try FileDescriptor.open("/dev/null", .readOnly, options: .closeOnExec)
    } catch {
      throw Nursery.failure("cannot open /dev/null")
    }
    defer { try? null.close() }
    guard case (.trial(let trial), _, _) = try perform(.trial, on: null)
    else {
      throw Self.nonsense
    }
    return trial
  }

  static let nonsense = InspectionError(
    .workerFailed, "the worker's reply cannot be understood")

  func perform(
    _ task: WorkerTask, on descriptor: FileDescriptor, isWanted: () -> Bool = { true }
  ) throws(InspectionError) -> (WorkerReply, preview: [UInt8], InspectedCandidate.Cost) {
    let exchange: WorkerExchange
    do throws(Errno) {
      exchange = WorkerExchange(file: try WorkerExchange.makeFile())
    } catch {
      throw Nursery.failure("no file for the reply: \(error.description)")
    }
    defer { try? exchange.file.close() }
    let status = try nursery.startWorker(task, candidate: descriptor, exchange: exchange.file)
    defer { try? status.close() }
    let cpuSeconds = task.cpuSeconds(limits)
    let (end, isLate) = try waitForEnd(
      status, patience: patience(cpuSeconds), isWanted: isWanted)
    if !isWanted() { throw InspectionError(.workerFailed, "nobody waits for it any more") }
    switch end.ending {
    case .exited(0): break
    case .exited(let code):
      throw InspectionError(.workerFailed, "the worker ended with code \(code)")
    case .notStarted(let errno): throw Nursery.failure(Errno(rawValue: errno).description)
    case .killed(let signal):
      throw refusal(
        signal: signal, isLate: isLate, cost: end.cost, cpuSeconds: cpuSeconds)
    }
    guard
      let (reply, bytes) = exchange.read(capacity: WorkerExchange.capacity(for: task))
    else { throw Self.nonsense }
    return (reply, bytes, end.cost)
  }

  /// Seconds that a worker may take: three times the processor time that it has, since one that waits for
  /// a slow disk is not late.
  private func patience(_ cpuSeconds: Int) -> Int {
    cpuSeconds.multipliedClamped(by: 3).multipliedClamped(by: max(1, workersPerProcessor))
  }

  /// Waits for the end of a worker and brings it about when it is late or no longer wanted.
  private func waitForEnd(
    _ status: FileDescriptor, patience: Int, isWanted: () -> Bool
  ) throws(InspectionError) -> (WorkerExit, isLate: Bool) {
    // Counted in slices: time during which this process is stopped or the machine sleeps is nobody's.
    let slicesPerSecond: Int32 = 2
    var left = patience.multipliedClamped(by: Int(slicesPerSecond))
    var isLate = false
    var watched = pollfd(fd: status.rawValue, events: Int16(POLLIN), revents: 0)
    while true {
      let ready = poll(&watched, 1, 1000 / slicesPerSecond)
      if ready > 0 { break }
      // A signal cuts a slice short.
      if ready < 0, errno == EINTR { continue }
      left = isWanted() ? left - 1 : min(left - 1, 0)
      if left <= 0, !isLate {
        isLate = true
        Channel.send([0], to: status)
      }
      // Killing takes no time, unless whoever does it has been stopped.
      if left <= -10 * Int(slicesPerSecond) {
        throw InspectionError(.workerFailed, "the process that starts workers does not answer")
      }
    }
    guard let numbers = Channel.receive(from: status, count: 4),
      let end = WorkerExit(numbers: numbers)
    else { throw InspectionError(.workerFailed, "the process that starts workers has ended") }
    return (end, isLate)
  }

  private func refusal(
    signal: Int32, isLate: Bool, cost: InspectedCandidate.Cost, cpuSeconds: Int
  ) -> InspectionError {
    if isLate {
      return InspectionError(
        .timedOut, "not inspected within \(patience(cpuSeconds)) s, though idle for most of them")
    }
    if signal == SIGXCPU
      || signal == SIGKILL && cost.cpuMicroseconds / 1_000_000 >= Int64(cpuSeconds)
    {
      return InspectionError(
        .timedOut, "not inspected within \(cpuSeconds) s of processor time")
    }
    if signal == SIGKILL {
      return InspectionError(
        .outOfMemory, "the system ended the worker, most likely for its memory")
    }
    // Swift ends the process when an allocation fails, and so do some libraries. The last one, which failed,
    // does not show in what was resident.
    if cost.peakBytes > limits.memoryBytes / 2 {
      return InspectionError(
        .outOfMemory, "the decoder needs more than the \(limits.memoryBytes >> 20) MiB it may have")
    }
    let name = Self.crashes[signal].map { "SIG\($0)" } ?? "signal \(signal)"
    return InspectionError(.decoderCrashed, "the decoder crashed (\(name))")
  }

  private static let crashes: [Int32: String] = [
    SIGSEGV: "SEGV", SIGBUS: "BUS", SIGILL: "ILL", SIGABRT: "ABRT", SIGFPE: "FPE",
    SIGTRAP: "TRAP", SIGSYS: "SYS",
  ]
}
