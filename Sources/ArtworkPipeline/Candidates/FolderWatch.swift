import Glibc

/// Detects which candidates below some paths are new or have changed, once they are complete.
///
/// Polls the clock and the state of every file instead of using system events, which are lost on network file systems
/// and when their queue is full. A scan reads the folders and the state of each file; it opens only files without a
/// video extension that are new or have changed. Time and memory grow with the number of entries.
package struct FolderWatch: Sendable {
  package struct Changes: Sendable, Equatable {
    /// New or changed, and complete as far as that can be seen.
    package var settled: [Candidate] = []
    /// Reported before, and now gone.
    package var gone: [FilePath] = []
    /// Files that are still being written, or have only just been.
    package var unsettled = 0

    package var isEmpty: Bool { settled.isEmpty && gone.isEmpty }
  }

  /// The time between two scans.
  package static let interval: Duration = .milliseconds(500)
  /// A file is complete when two consecutive scans find it in the same state, and that state is at least this old:
  /// copying programs pause, and file systems store times in seconds.
  package static let calm: Duration = .seconds(1)

  private let paths: [FilePath]
  private let isIncluded: @Sendable (FilePath) -> Bool
  private var seen = CandidateFinder.Seen()
  private var files: [FilePath: Watched] = [:]

  private struct Watched {
    var state: FileState
    /// When a scan first found this state.
    var since: Duration
    var isReported = false
    /// A state of it was reported before.
    var wasReported = false
  }

  /// - Parameters:
  ///   - paths: files and folders, which need not exist yet.
  ///   - isIncluded: which of the candidates there to watch.
  package init(
    _ paths: [FilePath], isIncluded: @escaping @Sendable (FilePath) -> Bool = { _ in true }
  ) {
    self.paths = paths
    self.isIncluded = isIncluded
  }

  /// The changes since the previous scan. The first scan records everything and reports nothing; the second reports
  /// the files that were complete by then. A file in a folder that cannot be read now is not gone.
  ///
  /// Reports a file once each time it stops changing, also if another file replaces it under the same name.
  ///
  /// - Parameter now: time since 1970, by the clock of the file system.
  package mutating func scan(now: Duration) -> Changes {
    var changes = Changes()
    var present: [FilePath: Watched] = [:]
    let found = CandidateFinder.find(paths, seen: &seen)
    for candidate in found
    // Named files are always watched.
    where candidate.folder == nil || isIncluded(candidate.path) {
      guard let state = FileState(of: candidate.path) else { continue }
      let before = files[candidate.path]
      var file =
        before.flatMap { $0.state == state ? $0 : nil }
        ?? Watched(
          state: state, since: now,
          wasReported: before.map { $0.isReported || $0.wasReported } ?? false)
      let isSecondScan = before?.state == state
      // The second one is for clocks that differ: a file from the future would never be old enough.
      let isCalm = now - state.modified >= Self.calm || now - file.since >= Self.calm
      if !file.isReported {
        if isSecondScan, isCalm {
          file.isReported = true
          changes.settled.append(candidate)
        } else {
          changes.unsettled += 1
        }
      }
      present[candidate.path] = file
    }
    let places = Set(found.map(\.path))
    for (path, file) in files where present[path] == nil {
      if Self.isOutOfReach(path, among: places) {
        present[path] = file
      } else if file.isReported || file.wasReported {
        changes.gone.append(path)
      }
    }
    changes.gone.sort { $0.string < $1.string }
    files = present
    return changes
  }

  /// Whether a file or a folder above it was found, but cannot be read.
  private static func isOutOfReach(_ path: FilePath, among found: Set<FilePath>) -> Bool {
    var (place, status) = (path, stat())
    repeat {
      guard found.contains(place) else { continue }
      let isThere = place.withPlatformString { stat($0, &status) } == 0
      return isThere ? status.st_mode & S_IFMT == S_IFDIR : ![ENOENT, ENOTDIR].contains(errno)
    } while place.removeLastComponent()
    return false
  }

  /// Scans until the task is cancelled, and yields every non-empty result.
  ///
  /// - Parameters:
  ///   - interval: between the end of one scan and the beginning of the next.
  ///   - onChanges: nothing is scanned while it runs.
  package mutating func run(
    every interval: Duration = Self.interval, onChanges: (Changes) async throws -> Void
  ) async throws {
    while !Task.isCancelled {
      let (scanned, changes) = try await onThread { [self] in
        var watch = self
        let changes = watch.scan(now: .sinceEpoch)
        return (watch, changes)
      }
      self = scanned
      if !changes.isEmpty { try await onChanges(changes) }
      do {
        try await Task.sleep(for: interval)
      } catch is CancellationError {
        return
      }
    }
  }
}
