import Glibc

/// The default socket of the service and its clients.
package enum DefaultSocket {
  /// The path in `ARTWORKD_SOCKET`, else `artworkd/artworkd.sock` in `XDG_RUNTIME_DIR`, else
  /// `/tmp/artworkd-<uid>/artworkd.sock`. Empty variables are ignored, and so is a relative
  /// runtime folder (XDG Base Directory Specification).
  package static func path(_ environment: [String: String]) -> String {
    if let path = environment["ARTWORKD_SOCKET"], !path.isEmpty { return path }
    let folder =
      if let runtime = environment["XDG_RUNTIME_DIR"], runtime.hasPrefix("/") {
        "\(runtime)/artworkd"
      } else { "/tmp/artworkd-\(geteuid())" }
    return "\(folder)/artworkd.sock"
  }
}
