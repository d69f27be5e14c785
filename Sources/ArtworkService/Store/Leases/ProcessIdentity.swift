import ArtworkPipeline
import FoundationEssentials
import Glibc
import SystemPackage

/// Distinguishes a process from a later one with the same number.
enum ProcessIdentity {
  /// - Returns: the start time in ticks since the system started (field 22 of `/proc/PID/stat`, proc(5)); `.some(nil)` if
  ///   the system does not report it; `nil` if there is no such process, or if it is a zombie.
  static func start(of process: Int32) -> UInt64?? {
    guard process > 0 else { return nil }
    guard let bytes = try? Data(contentsOf: URL(filePath: "/proc/\(process)/stat")) else {
      // Without /proc, only the number counts.
      return FilePath("/proc/self/stat").exists ? nil : isThere(process) ? .some(nil) : nil
    }
    // The second field is a name in parentheses that may hold anything, parentheses included.
    let text = String(decoding: bytes, as: UTF8.self)
    guard let end = text.lastIndex(of: ")") else { return nil }
    let fields = text[text.index(after: end)...].split(separator: " ")
    guard fields.count > 19, !["Z", "X", "x"].contains(fields[0]) else { return nil }
    return UInt64(fields[19])
  }

  private static func isThere(_ process: Int32) -> Bool {
    kill(process, 0) == 0 || errno == EPERM
  }
}
