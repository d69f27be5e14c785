import ArtworkLottie
internal import CIsolation
import Glibc

/// The process that runs one job on one file and ends. It can read that file, write its reply, and use a budget of
/// memory and time, but nothing else.
enum Worker {
  /// The exit code of a worker that understands no request, cannot set up the layers that ``Sandbox`` states, or cannot
  /// reply.
  static let failure: Int32 = 3

  /// Runs the job in the exchange file. Until the sandbox is complete, it reads nothing but this request, which the
  /// parent wrote.
  ///
  /// - Parameters:
  ///   - sandbox: the parts that the zygote has set up, and those that this process must.
  ///   - baseline: bytes of address space that are in use before anything is read.
  static func run(limits: Limits, sandbox: Sandbox, baseline: UInt64) -> Never {
    let exchange = WorkerExchange(file: FileDescriptor(rawValue: WorkerDescriptors.exchange))
    guard let request = exchange.request() else { _exit(failure) }
    if request.startsThreads { startThreads() }
    let job = request.job
    do {
      do {
        let file = try InputFile(
          adopting: FileDescriptor(rawValue: WorkerDescriptors.candidate), limits: limits)
        confine(job, limits: limits, sandbox: sandbox, baseline: baseline)
        #if DEBUG
          if let fault = DecoderFault(askedForBy: file) { try WorkerFault.inject(fault, exchange) }
        #endif
        try answer(job, on: file, limits: limits, exchange)
      } catch let error as InspectionError {
        try exchange.write(refusal: error)
      }
    } catch {
      _exit(failure)
    }
    _exit(0)
  }

  /// Runs the job and writes its answer.
  static func answer(
    _ job: some Job, on file: InputFile, limits: Limits, _ exchange: WorkerExchange
  ) throws {
    let answer = try job.run(on: file, limits: limits) { done, count in
      exchange.write(progress: done, of: count)
    }
    try exchange.write(answer)
  }

  /// rlottie starts its threads with the first frame that it draws, which is one of ours. The filter that follows covers
  /// them and allows no others.
  private static func startThreads() {
    artwork_prepare_threads()
    AnimationRenderer.warmUp(startsThreads: true)
  }

  /// Completes the sandbox; everything that the job needs is open by now.
  private static func confine(
    _ job: some Job, limits: Limits, sandbox: Sandbox, baseline: UInt64
  ) {
    if job.mayStartThreads { artwork_prepare_threads() }
    var budget = artwork_budget(
      address_space: baseline == 0 ? 0 : baseline + UInt64(clamping: limits.memoryBytes),
      cpu_seconds: UInt64(clamping: job.cpuSeconds(limits)),
      file_size: UInt64(clamping: WorkerExchange.capacity(for: job, limits)))
    guard unsafe artwork_limit_resources(&budget) == 0,
      !sandbox.filtersSystemCalls || artwork_filter_system_calls(job.mayStartThreads ? 1 : 0) == 0
    else { _exit(failure) }
  }
}
