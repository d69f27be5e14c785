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
    getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &own)
    var status: Int32 = 0
    var usage = rusage()
    var timedOut = false
    var sampled = 0
    while wait4(child, &status, WNOHANG, &usage) == 0 {
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
    withUnsafeTemporaryAllocation(of: CChar.self, capacity: 8192) { text in
      guard let start = text.baseAddress else { return }
      while let process = open.popLast() {
        if read("/proc/\(process)/status", into: text), let line = strstr(start, "VmHWM:") {
          peak = max(peak, strtol(line + 6, nil, 10) << 10)
        }
        for task in numbers(in: "/proc/\(process)/task") where read("/proc/\(process)/task/\(task)/children", into: text) {
          var place = start
          var end: UnsafeMutablePointer<CChar>?
          while case let child = strtol(place, &end, 10), let end, end > place {
            open.append(child)
            place = end
          }
        }
      }
    }
    return peak
  }

  /// The start of a file, ended by a zero; false where there is no such file.
  private static func read(_ path: String, into text: UnsafeMutableBufferPointer<CChar>) -> Bool {
    let file = open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return false }
    defer { close(file) }
    let count = Glibc.read(file, text.baseAddress, text.count - 1)
    text[max(0, count)] = 0
    return count > 0
  }

  /// The entries of a folder that are called by a number.
  private static func numbers(in folder: String) -> [Int] {
    guard let stream = opendir(folder) else { return [] }
    defer { closedir(stream) }
    var found: [Int] = []
    while let entry = readdir(stream) {
      let number = withUnsafeBytes(of: &entry.pointee.d_name) {
        $0.baseAddress.map { strtol($0.assumingMemoryBound(to: CChar.self), nil, 10) } ?? 0
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
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    posix_spawn_file_actions_addopen(&actions, 1, output, O_WRONLY | O_CREAT, 0o600)
    posix_spawn_file_actions_addopen(&actions, 2, error, O_WRONLY | O_CREAT, 0o600)
    // Measurements of an earlier run must not be reused.
    let cache = ["ARTWORKD_CACHE_DIR": output + ".cache"]
    let environment = ProcessInfo.processInfo.environment.merging(cache) { $1 }.map { "\($0.key)=\($0.value)" }
    let shell = ["/bin/sh", "-c", "cd \"$0\" && exec \"$@\"", folder, program]
    var words = (shell + arguments).map { strdup($0) } + [nil]
    var settings = environment.map { strdup($0) } + [nil]
    defer { for text in words + settings { free(text) } }
    var child: pid_t = 0
    let code = posix_spawn(&child, shell[0], &actions, nil, &words, &settings)
    guard code == 0 else { throw SpawnFailure(program: program, code: code) }
    return child
  }
}
