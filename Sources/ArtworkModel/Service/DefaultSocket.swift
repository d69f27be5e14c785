#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Where the service listens unless it is said, and where clients look for it.
package enum DefaultSocket {
  /// What `ARTWORKD_SOCKET` names, else `artworkd/artworkd.sock` in `XDG_RUNTIME_DIR`, else
  /// `/tmp/artworkd-<uid>/artworkd.sock`. Empty variables do not count, nor does a runtime folder that is relative (XDG
  /// Base Directory Specification).
  package static func path(_ environment: [String: String]) -> String {
    if let path = environment["ARTWORKD_SOCKET"], !path.isEmpty { return path }
    let folder =
      if let runtime = environment["XDG_RUNTIME_DIR"], runtime.hasPrefix("/") {
        "\(runtime)/artworkd"
      } else { "/tmp/artworkd-\(geteuid())" }
    return "\(folder)/artworkd.sock"
  }
}
