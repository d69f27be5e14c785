import Glibc

/// How a worker ended. The zygote sends it as four numbers through a socket.
struct WorkerExit: Equatable {
  enum Ending: Equatable {
    case exited(Int32)
    case killed(signal: Int32)
    /// No worker was started.
    case notStarted(errno: Int32)
  }

  var ending: Ending
  var cost: Cost

  struct Cost: Equatable {
    /// Processor time, user and system.
    var cpuMicroseconds: Int64
    /// The most memory that was resident at once, in bytes.
    var peakBytes: Int64
  }

  /// No worker was started, for this reason of the system.
  init(notStarted errno: Int32) {
    ending = .notStarted(errno: errno)
    cost = Cost(cpuMicroseconds: 0, peakBytes: 0)
  }

  /// The results of wait4(2).
  init(status: Int32, usage: rusage) {
    // As the macros of <sys/wait.h> decode it: the signal in the low seven bits, else the exit code in the next
    // eight.
    ending = status & 0x7f == 0 ? .exited(status >> 8 & 0xff) : .killed(signal: status & 0x7f)
    func microseconds(_ time: timeval) -> Int64 {
      Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_usec)
    }
    let peak = Int64(usage.ru_maxrss) * 1024
    cost = Cost(
      cpuMicroseconds: microseconds(usage.ru_utime) + microseconds(usage.ru_stime), peakBytes: peak)
  }

  /// Kind, its number, microseconds of processor time, bytes.
  var numbers: [Int64] {
    let (kind, number): (Int64, Int32) =
      switch ending {
      case .exited(let code): (0, code)
      case .killed(let signal): (1, signal)
      case .notStarted(let errno): (2, errno)
      }
    return [kind, Int64(number), cost.cpuMicroseconds, cost.peakBytes]
  }

  init?(numbers: [Int64]) {
    guard numbers.count == 4, let number = Int32(exactly: numbers[1]) else { return nil }
    switch numbers[0] {
    case 0: ending = .exited(number)
    case 1: ending = .killed(signal: number)
    case 2: ending = .notStarted(errno: number)
    default: return nil
    }
    cost = Cost(cpuMicroseconds: numbers[2], peakBytes: numbers[3])
  }
}

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

#if DEBUG
  import SystemPackage

  import Glibc

  /// A worker that gives bad answers, in debug builds only; see ``DecoderFault``, which handles all other words.
  enum WorkerFault {
    static func inject(_ fault: DecoderFault, _ exchange: WorkerExchange) throws {
      switch fault.word {
      case "leave": _exit(0)
      case "fail": _exit(1)
      case "vanish":
        close(WorkerDescriptors.life)
        while true { sleep(1000) }
      case "garbage":
        try exchange.file.resize(to: 0)
        try exchange.file.writeAll(toAbsoluteOffset: 0, noise)
        _exit(0)
      case "half":
        try exchange.write(JobAnswer(value: InspectionError(.notAMovie, "half"), bytes: noise))
        try exchange.file.resize(to: 40)
        _exit(0)
      case "flood":
        var offset: Int64 = 0
        while (try? exchange.file.writeAll(toAbsoluteOffset: offset, noise)) != nil {
          offset += Int64(noise.count)
        }
        _exit(0)
      default: try fault.inject()
      }
    }

    private static let noise = (0..<65_536).map { UInt8(truncatingIfNeeded: $0 &* 151) }
  }
#endif
