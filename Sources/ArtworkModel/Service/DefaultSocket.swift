import Glibc

/// The default socket of the service and its clients.
package enum DefaultSocket {
  /// The path in `ARTWORKD_SOCKET`, else `artworkd/artworkd.sock` in `XDG_RUNTIME_DIR`, else
  /// `/tmp/artworkd-<uid>/artworkd.sock`. Empty variables are ignored, and so is a relative
  /// runtime folder (XDG Base Directory Specification).
  package static func path(_ environment: [String: String]) -> String {
    if let path = environment["ARTWORKD_SOCKET"], !path.isEmpty { return path }
    return path(in: folder(environment))
  }

  package static func path(in folder: String) -> String { "\(folder)/artworkd.sock" }

  /// The folder of the socket that no variable names.
  package static func folder(_ environment: [String: String]) -> String {
    if let runtime = environment["XDG_RUNTIME_DIR"], runtime.hasPrefix("/") {
      "\(runtime)/artworkd"
    } else {
      "/tmp/artworkd-\(geteuid())"
    }
  }

  /// Why the folder cannot be trusted: anyone can create one in the temporary folder.
  ///
  /// - Returns: `nil` for a folder that belongs to this user and is closed to others, and if there is none.
  package static func flaw(of folder: String) -> String? {
    var status = stat()
    guard unsafe lstat(folder, &status) == 0 else { return nil }
    if status.st_mode & S_IFMT != S_IFDIR { return "\(folder) is not a folder" }
    if status.st_uid != geteuid() { return "\(folder) belongs to user \(status.st_uid)" }
    if status.st_mode & 0o077 != 0 { return "\(folder) is open to other users" }
    return nil
  }
}
