import ArtworkModel
internal import CIsolation
import SystemPackage

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// The process that looks at one file and ends. It can read that file, write its reply, use a budget of
/// memory and time, and nothing else.
enum Worker {
  /// A worker that cannot put up the walls that ``Sandbox`` promises, or cannot reply, ends with this.
  static let failure: Int32 = 3

  /// - Parameters:
  ///   - sandbox: what the nursery has put up, and what is left to this process.
  ///   - baseline: bytes of address space that are in use before anything is read.
  static func run(_ task: WorkerTask, limits: Limits, sandbox: Sandbox, baseline: UInt64) -> Never {
    let exchange = WorkerExchange(file: FileDescriptor(rawValue: WorkerDescriptors.exchange))
    func confine() { Self.confine(task, limits: limits, sandbox: sandbox, baseline: baseline) }
    do {
      switch task {
      case .trial:
        let descriptors = SandboxTrial.openDescriptors()
        confine()
        try exchange.write(WorkerReply.trial(.perform(descriptors: descriptors)))
      case .inspect, .still, .loop, .seam:
        do {
          let file = try InputFile(
            adopting: FileDescriptor(rawValue: WorkerDescriptors.candidate), limits: limits)
          confine()
          #if DEBUG
            if let fault = DecoderFault(askedForBy: file) {
              try WorkerFault.strike(fault, exchange)
            }
          #endif
          try answer(task, on: file, limits: limits, exchange)
        } catch let error as InspectionError {
          try exchange.write(WorkerReply.refusal(error))
        }
      }
    } catch {
      _exit(failure)
    }
    _exit(0)
  }

  private static func answer(
    _ task: WorkerTask, on file: InputFile, limits: Limits, _ exchange: WorkerExchange
  ) throws {
    switch task {
    case .inspect(let request):
      let result = try Inspector(limits: limits).inspect(file, request)
      try exchange.write(
        WorkerReply.inspection(result.inspection, result.exhibit.map(ExhibitForm.init)),
        preview: (result.exhibit?.bytes ?? []) + (result.preview ?? []))
    case .still:
      try exchange.write(
        WorkerReply.still(try Inspector(limits: limits).inspectStill(file)))
    case .loop(let request, let withPictures):
      let found = try Inspector(limits: limits)
        .findLoops(file, request, withPictures: withPictures)
      try exchange.write(
        WorkerReply.loops(found.report, stripBytes: found.strip?.count ?? 0),
        preview: (found.strip ?? []) + (found.animation ?? []))
    case .seam:
      let drawn = try Inspector(limits: limits).drawSeam(file)
      try exchange.write(WorkerReply.seam(drawn.facts), preview: drawn.picture)
    case .trial: break
    }
  }

  /// Puts up the last walls; what the request needs is open by now.
  private static func confine(
    _ task: WorkerTask, limits: Limits, sandbox: Sandbox, baseline: UInt64
  ) {
    var budget = artwork_budget(
      address_space: baseline == 0 ? 0 : baseline + UInt64(clamping: limits.memoryBytes),
      cpu_seconds: UInt64(clamping: task.cpuSeconds(limits)),
      file_size: UInt64(clamping: WorkerExchange.capacity(for: task)))
    guard artwork_limit_resources(&budget) == 0,
      !sandbox.filtersSystemCalls || artwork_filter_system_calls() == 0
    else { _exit(failure) }
  }
}
