internal import CIsolation
import Glibc

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
        attempt("open a file") { open("/etc/passwd", O_RDONLY) },
        attempt("create a file") {
          let path = "/tmp/artworkd-trial-\(getpid())"
          let file = open(path, O_WRONLY | O_CREAT | O_EXCL, 0o600)
          if file >= 0 { unlink(path) }
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
