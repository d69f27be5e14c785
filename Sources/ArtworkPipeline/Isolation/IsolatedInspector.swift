import Glibc
import Synchronization

/// Inspects each file in a worker: a separate process that can open no files, has no network, and has a budget of
/// time and memory. A file that breaks the decoder costs only its own result.
///
/// Per file, it costs a `fork` and the decoder set-up more than a long-lived process would. Peak memory is one worker
/// per concurrent call.
package struct IsolatedInspector: Sendable {
  package let limits: Limits
  /// How many workers share a processor, at least 1; the time that a worker may take grows with it.
  package var workersPerProcessor = 1
  let zygote: WorkerZygote

  /// Prepares for workers. Call this first thing in `main`: the process must not have a second
  /// thread yet.
  ///
  /// - Throws: `worker-failed` if it has, or if the system cannot start a process.
  package init(limits: Limits = Limits()) throws(InspectionError) {
    self.limits = limits
    zygote = try WorkerZygote.start(limits: limits)
  }

  /// The layers of the sandbox around every worker.
  package var sandbox: Sandbox { zygote.sandbox }

  /// Ends all workers and waits for them; calls that are under way and later ones throw
  /// `worker-failed`. Also happens when the last copy of this value is released.
  package func stop() { zygote.stop() }

  /// Has a worker try everything that the sandbox forbids.
  package func tryOut() throws(InspectionError) -> SandboxTrial {
    // Every worker needs a file. This one is not read, but it begins like an animation, so that the worker also has
    // threads.
    let file: FileDescriptor
    do {
      file = try WorkerExchange.makeFile(holding: Array("{}".utf8))
    } catch {
      throw WorkerZygote.failure("cannot create a file in memory: \(error)")
    }
    return try run(
      TrialJob(), on: InputFile(adopting: file, limits: limits), isCancelled: { false },
      progress: nil)
  }
}

/// The parent's side of a job.
extension IsolatedInspector: JobRunner {
  /// Workers inspect as a new ``Inspector`` does.
  package var variant: String { "Isolated\(Inspector().variant)" }

  package var cpuSeconds: Double { Double(zygote.spent.load(ordering: .relaxed)) / 1e6 }

  package func run<Work: Job>(
    _ job: Work, on file: InputFile, isCancelled: () -> Bool, progress: JobProgress?
  ) throws(InspectionError) -> Work.Outcome {
    while true {
      let exchange = try makeExchange(for: job, on: file)
      defer { try? exchange.file.close() }
      let (process, status) = try file.withDescriptor { descriptor throws(InspectionError) in
        try zygote.startWorker(candidate: descriptor, exchange: exchange.file)
      }
      defer { try? status.close() }
      let cpuSeconds = job.cpuSeconds(limits)
      let timeout = timeout(cpuSeconds)
      let (end, isLate) = try waitForEnd(status, timeout: timeout) {
        if let progress, let known = exchange.progress() { progress(known.done, known.count) }
        return isCancelled()
      }
      if isCancelled() { throw InspectionError(.workerFailed, "the inspection was cancelled") }
      guard let end else {
        // Somebody ended the process that starts workers: the file is not to blame.
        if zygote.replace(process) { continue }
        throw InspectionError(
          .workerFailed, "the process that starts workers has ended",
          advice: "run the command again: this says nothing about the file")
      }
      zygote.spent.add(max(0, end.cost.cpuMicroseconds), ordering: .relaxed)
      if let failure = end.failure(
        isLate: isLate, timeout: timeout, cpuSeconds: cpuSeconds, limits: limits)
      {
        throw failure
      }
      guard let outcome = job.outcome(of: try exchange.answer(to: job, limits: limits)) else {
        throw WorkerExchange.malformedReply
      }
      return outcome
    }
  }

  private func makeExchange(
    for job: some Job, on file: InputFile
  ) throws(InspectionError) -> WorkerExchange {
    let exchange: WorkerExchange
    do throws(Errno) {
      exchange = WorkerExchange(file: try WorkerExchange.makeFile())
    } catch {
      throw WorkerZygote.failure("cannot create a file in memory: \(error.description)")
    }
    do {
      let start = file.bytes(at: 0, count: MediaSignature.length)
      try exchange.write(request: job, startsThreads: MediaSignature.mayBeDrawn(start))
    } catch {
      try? exchange.file.close()
      throw WorkerZygote.failure("cannot write the request: \(error)")
    }
    return exchange
  }

  /// The wall-clock limit of a worker in seconds, only against one that sleeps: ten times its processor time, so that
  /// neither a slow disk nor a busy machine ends it.
  private func timeout(_ cpuSeconds: Int) -> Int {
    cpuSeconds.multipliedClamped(by: 10).multipliedClamped(by: max(1, workersPerProcessor))
  }

  /// Waits for the end of a worker. Ends one that is late or cancelled.
  ///
  /// - Parameter isCancelled: called twice a second.
  /// - Returns: `nil` if the process that started it has ended.
  private func waitForEnd(
    _ status: FileDescriptor, timeout: Int, isCancelled: () -> Bool
  ) throws(InspectionError) -> (WorkerExit?, isLate: Bool) {
    // Counted in slices, so that time during which this process is stopped or the machine sleeps
    // does not count.
    let slicesPerSecond: Int32 = 2
    var left = timeout.multipliedClamped(by: Int(slicesPerSecond))
    var isLate = false
    var watched = pollfd(fd: status.rawValue, events: Int16(POLLIN), revents: 0)
    while true {
      let ready = unsafe poll(&watched, 1, 1000 / slicesPerSecond)
      if ready > 0 { break }
      // A signal cuts a slice short.
      if ready < 0, errno == EINTR { continue }
      left = isCancelled() ? min(left - 1, 0) : left - 1
      if left <= 0, !isLate {
        isLate = true
        Channel.send([0], to: status)
      }
      // Killing a worker takes no time, unless the zygote has been stopped.
      if left <= -10 * Int(slicesPerSecond) {
        throw InspectionError(.workerFailed, "the process that starts workers does not answer")
      }
    }
    let numbers = Channel.receive(from: status, count: 4)
    return (numbers.flatMap { WorkerExit(numbers: $0) }, isLate)
  }
}
