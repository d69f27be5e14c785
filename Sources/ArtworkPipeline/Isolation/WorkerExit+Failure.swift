import Glibc

extension WorkerExit {
  /// The error of a file whose worker ended like this; `nil` for one that ended well.
  ///
  /// - Parameters:
  ///   - isLate: whether it was ended after `timeout` seconds.
  ///   - cpuSeconds: the processor time that it had.
  func failure(
    isLate: Bool, timeout: Int, cpuSeconds: Int, limits: Limits
  ) -> InspectionError? {
    switch ending {
    case .exited(0): return nil
    case .exited(let code):
      return InspectionError(.workerFailed, "the worker ended with code \(code)")
    case .notStarted(let errno): return WorkerZygote.failure(Errno(rawValue: errno).description)
    case .killed where isLate:
      return InspectionError(
        .timedOut,
        "not inspected within \(timeout) s, of which it had a processor for "
          + "\(cost.cpuMicroseconds / 1_000_000) s: the machine was busy",
        advice: "run the command again when the machine is less busy")
    case .killed(SIGXCPU):
      return Self.outOfTime(cpuSeconds)
    case .killed(SIGKILL):
      if cost.cpuMicroseconds / 1_000_000 >= Int64(cpuSeconds) { return Self.outOfTime(cpuSeconds) }
      return InspectionError(
        .outOfMemory, "the system ended the worker, most likely because memory ran out")
    case .killed(let signal):
      // Swift ends the process if an allocation fails, and so do some libraries. The failed allocation is not part of
      // the resident size.
      if cost.peakBytes > limits.memoryBytes / 2 {
        return InspectionError(
          .outOfMemory,
          "the decoder needs more than the \(limits.memoryBytes >> 20) MiB it may have")
      }
      guard let name = Self.crashes[signal] else {
        return InspectionError(
          .workerFailed, "signal \(signal) ended the worker",
          advice: "run the command again: this says nothing about the file")
      }
      return InspectionError(.decoderCrashed, "the decoder crashed (SIG\(name))")
    }
  }

  private static func outOfTime(_ cpuSeconds: Int) -> InspectionError {
    InspectionError(.timedOut, "not inspected within \(cpuSeconds) s of processor time")
  }

  private static let crashes: [Int32: String] = [
    SIGSEGV: "SEGV", SIGBUS: "BUS", SIGILL: "ILL", SIGABRT: "ABRT", SIGFPE: "FPE",
    SIGTRAP: "TRAP", SIGSYS: "SYS",
  ]
}
