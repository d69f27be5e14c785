public import Foundation
import Glibc

/// The result and the cost of a program.
public struct MeasuredProcess: Sendable {
  /// The exit status, or `nil` if a signal ended it.
  public var status: Int32?
  public var signal: Int32?
  /// It was killed because it took too long.
  public var timedOut: Bool
  public var output: Data
  public var error: String
  /// The largest resident size of the program or of one of its descendants, in bytes. A descendant
  /// that nobody waited for counts by samples; so does a program that used less than this
  /// process.
  public var peakBytes: Int
  public var seconds: Double
  public var processorSeconds: Double

  /// Runs a program to its end, and kills it after `limit` seconds. Blocks.
  public static func run(_ program: String, _ arguments: [String], in folder: URL, limit: Double) throws -> MeasuredProcess {
    let scratch = FileManager.default.temporaryDirectory.appendingPathComponent("artworkd-measured-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: scratch, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: scratch) }
    let (out, err) = (scratch.appendingPathComponent("out"), scratch.appendingPathComponent("err"))
    let clock = ContinuousClock()
    let start = clock.now
    let child = try spawn(program, arguments, in: folder.path, output: out.path, error: err.path)
    // A program's peak starts with that of the process that starts it, up to its exec, which is over now.
    var own = rusage()
    unsafe getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &own)
    var status: Int32 = 0
    var usage = rusage()
    var timedOut = false
    var sampled = 0
    while unsafe wait4(child, &status, WNOHANG, &usage) == 0 {
      sampled = max(sampled, largest(below: child))
      if !timedOut, (clock.now - start) / .seconds(1) > limit {
        timedOut = true
        kill(child, SIGKILL)
      }
      usleep(2000)
    }
    let unit = 1024
    func seconds(_ time: timeval) -> Double { Double(time.tv_sec) + Double(time.tv_usec) / 1e6 }
    let signal = status & 0x7f
    return MeasuredProcess(
      status: signal == 0 ? status >> 8 & 0xff : nil, signal: signal == 0 ? nil : signal, timedOut: timedOut,
      output: try Data(contentsOf: out), error: String(decoding: try Data(contentsOf: err), as: UTF8.self),
      peakBytes: usage.ru_maxrss > own.ru_maxrss ? max(usage.ru_maxrss * unit, sampled) : sampled,
      seconds: (clock.now - start) / .seconds(1), processorSeconds: seconds(usage.ru_utime) + seconds(usage.ru_stime))
  }

  /// The largest peak among the processes that descend from `root`. Asked for hundreds of times per second, so without
  /// what Foundation does around reading a few bytes.
  private static func largest(below root: pid_t) -> Int {
    var (open, peak) = ([Int(root)], 0)
    unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: 8192) { text in
      guard let start = text.baseAddress else { return }
      while let process = open.popLast() {
        if unsafe read("/proc/\(process)/status", into: unsafe text), let line = unsafe strstr(start, "VmHWM:") {
          peak = unsafe max(peak, strtol(line + 6, nil, 10) << 10)
        }
        for task in numbers(in: "/proc/\(process)/task")
        where unsafe read("/proc/\(process)/task/\(task)/children", into: unsafe text) {
          var place = unsafe start
          var end: UnsafeMutablePointer<CChar>?
          while case let child = unsafe strtol(place, &end, 10), let end = unsafe end, unsafe end > place {
            open.append(child)
            unsafe place = unsafe end
          }
        }
      }
    }
    return peak
  }

  /// The start of a file, ended by a zero; false where there is no such file.
  private static func read(_ path: String, into text: UnsafeMutableBufferPointer<CChar>) -> Bool {
    let file = unsafe open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return false }
    defer { close(file) }
    let count = unsafe Glibc.read(file, text.baseAddress, text.count - 1)
    unsafe text[max(0, count)] = 0
    return count > 0
  }

  /// The entries of a folder that are called by a number.
  private static func numbers(in folder: String) -> [Int] {
    guard let stream = unsafe opendir(folder) else { return [] }
    defer { unsafe closedir(stream) }
    var found: [Int] = []
    while let entry = unsafe readdir(stream) {
      let number = unsafe withUnsafeBytes(of: &entry.pointee.d_name) {
        unsafe $0.baseAddress.map { unsafe strtol($0.assumingMemoryBound(to: CChar.self), nil, 10) } ?? 0
      }
      if number > 0 { found.append(number) }
    }
    return found
  }

  private struct SpawnFailure: Error {
    var program: String
    var code: Int32
  }

  private static func spawn(_ program: String, _ arguments: [String], in folder: String, output: String, error: String) throws
    -> pid_t
  {
    var actions = unsafe posix_spawn_file_actions_t()
    unsafe posix_spawn_file_actions_init(&actions)
    defer { unsafe posix_spawn_file_actions_destroy(&actions) }
    unsafe posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    unsafe posix_spawn_file_actions_addopen(&actions, 1, output, O_WRONLY | O_CREAT, 0o600)
    unsafe posix_spawn_file_actions_addopen(&actions, 2, error, O_WRONLY | O_CREAT, 0o600)
    // Measurements of an earlier run must not be reused.
    let cache = ["ARTWORKD_CACHE_DIR": output + ".cache"]
    let environment = ProcessInfo.processInfo.environment.merging(cache) { $1 }.map { "\($0.key)=\($0.value)" }
    let shell = ["/bin/sh", "-c", "cd \"$0\" && exec \"$@\"", folder, program]
    var words = unsafe (shell + arguments).map { unsafe strdup($0) } + [nil]
    var settings = unsafe environment.map { unsafe strdup($0) } + [nil]
    defer { for index in unsafe words.indices { unsafe free(words[index]) } }
    defer { for index in unsafe settings.indices { unsafe free(settings[index]) } }
    var child: pid_t = 0
    let code = unsafe posix_spawn(&child, shell[0], &actions, nil, &words, &settings)
    guard code == 0 else { throw SpawnFailure(program: program, code: code) }
    return child
  }
}
