import FoundationEssentials
import Glibc

/// The resource usage of this process; `nil` if the system does not report it.
enum ProcessFigures {
  static var residentBytes: Int64? {
    guard let text = try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8) else {
      return nil
    }
    let fields = text.split(separator: " ")
    guard fields.count > 1, let pages = Int64(fields[1]) else { return nil }
    return pages * Int64(sysconf(Int32(_SC_PAGESIZE)))
  }

  static var openDescriptors: Int? {
    try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count
  }
}
