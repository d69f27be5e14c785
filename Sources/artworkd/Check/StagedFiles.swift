import ArtworkModel
import ArtworkPipeline
@preconcurrency import Glibc
import SystemPackage

/// The files that git has staged for the next commit.
struct StagedFiles {
  /// Added, copied, modified or renamed, relative to the current folder, in git's order. Any kind of file.
  var paths: [FilePath]
  /// Files that differ on disk from the staged version. The file on disk is checked.
  var differing: Set<FilePath>

  struct Failure: Error, CustomStringConvertible {
    var description: String
  }

  /// Queries git about the repository around a folder: four quick calls.
  ///
  /// - Parameters:
  ///   - git: the program, found on the `PATH`.
  ///   - folder: the base of the paths; `nil` is the current one.
  /// - Throws: ``Failure`` without git, or outside a repository.
  static func read(git: String = "git", in folder: FilePath? = nil) async throws -> StagedFiles {
    func ask(_ arguments: [String]) async throws -> [UInt8] {
      try await output(of: [git] + (folder.map { ["-C", $0.string] } ?? []) + arguments)
    }
    // Each ends with a line end of git's.
    let top = FilePath(bytes: try await ask(["rev-parse", "--show-cdup"]).dropLast())
    let here = try await ask(["rev-parse", "--show-prefix"]).dropLast()
    let selection = ["--name-only", "--ignore-submodules=all", "--no-relative", "-z"]
    let staged = try await ask(["diff", "--cached", "--diff-filter=ACMR"] + selection)
    let changed = try await ask(["diff"] + selection)
    func paths(_ bytes: [UInt8]) -> [FilePath] {
      bytes.split(separator: 0).map { name in
        name.starts(with: here)
          ? FilePath(bytes: name.dropFirst(here.count)) : top.pushing(FilePath(bytes: name))
      }
    }
    let all = paths(staged)
    return StagedFiles(paths: all, differing: Set(paths(changed)).intersection(all))
  }

  private static func output(of command: [String]) async throws -> [UInt8] {
    let (output, errors) = (try FileDescriptor.pipe(), try FileDescriptor.pipe())
    defer { for pipe in [output, errors] { try? pipe.readEnd.close() } }
    let process = try {
      defer { for pipe in [output, errors] { try? pipe.writeEnd.close() } }
      return try start(command, output, errors)
    }()
    // Both are read at once: a program that has filled one waits until somebody reads it.
    async let message = onThread { try InputList.everything(from: errors.readEnd) }
    let (bytes, status) = try await onThread {
      let bytes = try InputList.everything(from: output.readEnd)
      var status: Int32 = -1
      while waitpid(process, &status, 0) < 0, errno == EINTR {}
      return (bytes, status)
    }
    let lines = String(decoding: try await message, as: UTF8.self).split(separator: "\n")
    guard status == 0 else {
      throw Failure(
        description:
          "--staged needs a git repository; git says: \(lines.first ?? "no reason given")")
    }
    return bytes
  }

  /// Starts a program without input (posix_spawnp).
  private static func start(
    _ command: [String], _ output: Pipe, _ errors: Pipe
  ) throws -> pid_t {
    var files = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&files)
    defer { posix_spawn_file_actions_destroy(&files) }
    posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
    for (pipe, number) in [(output, STDOUT_FILENO), (errors, STDERR_FILENO)] {
      for end in [pipe.readEnd, pipe.writeEnd] { _ = fcntl(end.rawValue, F_SETFD, FD_CLOEXEC) }
      posix_spawn_file_actions_adddup2(&files, pipe.writeEnd.rawValue, number)
    }
    // Signals that this thread blocks or this process ignores must end the program.
    var (attributes, signals) = (posix_spawnattr_t(), sigset_t())
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    sigemptyset(&signals)
    posix_spawnattr_setsigmask(&attributes, &signals)
    sigaddset(&signals, SIGPIPE)
    posix_spawnattr_setsigdefault(&attributes, &signals)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))
    var arguments = command.map { strdup($0) } + [nil]
    defer { for argument in arguments { free(argument) } }
    var process: pid_t = 0
    switch posix_spawnp(&process, command[0], &files, &attributes, &arguments, environ) {
    case 0: return process
    case ENOENT: throw Failure(description: "--staged needs git, which is not on the PATH")
    case let error: throw Errno(rawValue: error)
    }
  }

  private typealias Pipe = (readEnd: FileDescriptor, writeEnd: FileDescriptor)
}
