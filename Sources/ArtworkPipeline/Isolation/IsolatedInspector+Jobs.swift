import Glibc
import Synchronization

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
      let ready = poll(&watched, 1, 1000 / slicesPerSecond)
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
