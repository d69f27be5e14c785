import ArtworkPipeline
import SystemPackage

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Whether a process is still the one that it was.
enum ProcessIdentity {
  /// - Returns: `nil` for no process or one that has ended and was not waited for; else when it started, in ticks since
  ///   the system did (field 22 of `/proc/PID/stat`, proc(5)); `.some(nil)` where the system does not say.
  static func start(of process: Int32) -> UInt64?? {
    guard process > 0 else { return nil }
    #if os(Linux)
      guard let bytes = try? Data(contentsOf: URL(filePath: "/proc/\(process)/stat")) else {
        // Without /proc, by its number alone.
        return FilePath("/proc/self/stat").exists ? nil : isThere(process) ? .some(nil) : nil
      }
      // The second field is a name in parentheses that may hold anything, parentheses included.
      let text = String(decoding: bytes, as: UTF8.self)
      guard let end = text.lastIndex(of: ")") else { return nil }
      let fields = text[text.index(after: end)...].split(separator: " ")
      guard fields.count > 19, !["Z", "X", "x"].contains(fields[0]) else { return nil }
      return UInt64(fields[19])
    #else
      return isThere(process) ? .some(nil) : nil
    #endif
  }

  private static func isThere(_ process: Int32) -> Bool {
    kill(process, 0) == 0 || errno == EPERM
  }
}
