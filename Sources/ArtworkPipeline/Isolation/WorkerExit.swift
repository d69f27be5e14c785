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
