import ArtworkModel
import ArtworkPipeline
import Subprocess
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

  /// Names of a million files.
  private static let outputLimit = 256 << 20

  /// Queries git about the repository around a folder: four quick calls.
  ///
  /// - Parameters:
  ///   - git: the program, found on the `PATH`.
  ///   - folder: the base of the paths; `nil` is the current one.
  /// - Throws: ``Failure`` without git, or outside a repository.
  static func read(git: String = "git", in folder: FilePath? = nil) async throws -> StagedFiles {
    func ask(_ arguments: [String]) async throws -> [UInt8] {
      try await output(of: git, arguments, in: folder)
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

  private static func output(
    of git: String, _ arguments: [String], in folder: FilePath?
  ) async throws -> [UInt8] {
    do {
      let result = try await run(
        .name(git), arguments: Arguments(arguments), workingDirectory: folder,
        output: .bytes(limit: outputLimit), error: .bytes(limit: 64 * 1024))
      guard result.terminationStatus.isSuccess else {
        let message = String(decoding: result.standardError, as: UTF8.self)
        let line = message.split(separator: "\n").first.map(String.init) ?? "no reason given"
        throw Failure(description: "--staged needs a git repository; git says: \(line)")
      }
      return result.standardOutput
    } catch let error as SubprocessError where error.code == .executableNotFound {
      throw Failure(description: "--staged needs git, which is not on the PATH")
    }
  }
}
