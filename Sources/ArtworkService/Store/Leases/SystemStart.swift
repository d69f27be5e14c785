import FoundationEssentials

/// Identifies the run of the operating system.
enum SystemStart {
  /// The kernel's random number of this run (proc(5)); `nil` where there is none.
  static let identifier: String? =
    (try? Data(contentsOf: URL(filePath: "/proc/sys/kernel/random/boot_id")))
    .map { String(decoding: $0, as: UTF8.self).filter { $0 != "\n" } }
}
