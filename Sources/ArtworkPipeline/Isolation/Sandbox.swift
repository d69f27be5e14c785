internal import CIsolation
import Glibc

/// The layers of the sandbox around a worker on this machine. A worker never runs with fewer than are stated here.
package struct Sandbox: Sendable, Equatable, Codable {
  /// No program that a worker starts could gain rights (`no_new_privs`).
  package var renouncesPrivileges: Bool
  /// The version of the kernel's Landlock interface, 0 without: no file can be opened (1), no TCP
  /// used (4), no process outside signalled (6).
  package var landlockVersion: Int
  /// System calls that decoding does not need fail (seccomp).
  package var filtersSystemCalls: Bool

  /// Whether every layer exists that ``IsolatedInspector`` relies on. Limits on memory, time and
  /// descriptors, which every system has, are not counted.
  package var isComplete: Bool { missing.isEmpty }

  /// The names of the missing layers.
  package var missing: [String] {
    [
      renouncesPrivileges ? nil : "no new privileges", landlockVersion > 0 ? nil : "Landlock",
      filtersSystemCalls ? nil : "seccomp",
    ].compactMap(\.self)
  }

  /// Sets up the layers around this process that workers inherit, and returns those that exist.
  static func enclose() -> Sandbox {
    let renounced = artwork_renounce_privileges() == 0
    return Sandbox(
      renouncesPrivileges: renounced,
      landlockVersion: renounced ? max(0, Int(artwork_deny_files())) : 0,
      filtersSystemCalls: renounced && artwork_can_filter_system_calls() == 1)
  }
}

/// The results of a worker's attempts to break out.
package struct SandboxTrial: Sendable, Equatable, Codable {
  package struct Attempt: Sendable, Equatable, Codable {
    /// The attempted action, for example `open a file`.
    package var action: String
    /// Why it failed, for example `Operation not permitted`; `nil` if it succeeded.
    package var denial: String?
  }

  package var attempts: [Attempt]
  /// The descriptors that the worker has: its three streams (all /dev/null), the candidate, the
  /// exchange file and the sign of life.
  package var descriptors: [Int]

  /// Whether every attempt failed and no other descriptor was inherited.
  package var holds: Bool { attempts.allSatisfy { $0.denial != nil } && holdsNothingElse }

  package var holdsNothingElse: Bool { descriptors == Array(0..<WorkerDescriptors.count) }

  /// Tries everything, from inside a worker.
  static func perform() -> SandboxTrial {
    SandboxTrial(
      attempts: [
        attempt("open a file") { unsafe open("/etc/passwd", O_RDONLY) },
        attempt("create a file") {
          let path = "/tmp/artworkd-trial-\(getpid())"
          let file = unsafe open(path, O_WRONLY | O_CREAT | O_EXCL, 0o600)
          if file >= 0 { unsafe unlink(path) }
          return file
        },
        attempt("open a network socket", artwork_try_network_socket),
        attempt("open a local socket", artwork_try_local_socket),
        attempt("start a process", artwork_try_fork),
        attempt("start a thread", artwork_try_thread),
        attempt("run a program", artwork_try_execute),
        attempt("signal another process") { kill(getppid(), 0) },
        attempt("make memory executable", artwork_try_executable_memory),
        attempt("duplicate a descriptor") { dup(0) },
      ], descriptors: openDescriptors())
  }

  private static func attempt(_ action: String, _ body: () -> Int32) -> Attempt {
    errno = 0
    let result = body()
    return Attempt(action: action, denial: result < 0 ? Errno(rawValue: errno).description : nil)
  }

  /// The numbers of all open descriptors, found with a call that the worker may make.
  private static func openDescriptors() -> [Int] {
    (0..<4096).filter { lseek(Int32($0), 0, SEEK_CUR) >= 0 || errno != EBADF }
  }
}
