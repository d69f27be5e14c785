/// Tells which candidates below some paths are new or have changed, once they are complete.
///
/// Looks at the clock and at every file, again and again, instead of asking the system for events: those
/// are lost on network file systems and where their queue is full. A look reads the folders and
/// the state of each file; it opens only files without the extension of a video that are new or have changed.
/// Time and memory grow with the number of entries.
package struct FolderWatch: Sendable {
  package struct Changes: Sendable, Equatable {
    /// New or changed, and complete as far as that can be seen.
    package var settled: [Candidate] = []
    /// Told before, and no longer there.
    package var gone: [FilePath] = []
    /// Files that are still being written, or have only just been.
    package var unsettled = 0

    package var isEmpty: Bool { settled.isEmpty && gone.isEmpty }
  }

  /// Between two looks.
  package static let interval: Duration = .milliseconds(500)
  /// A file counts as complete when two looks in a row find it in the same state, and that is at least this
  /// old: copying programs pause, and file systems keep times by the second.
  package static let calm: Duration = .seconds(1)

  private let paths: [FilePath]
  private let isIncluded: @Sendable (FilePath) -> Bool
  private var seen = CandidateFinder.Seen()
  private var files: [FilePath: Watched] = [:]

  private struct Watched {
    var state: FileState
    /// When a look first found this state.
    var since: Duration
    var isReported = false
    /// A state of it was reported before.
    var wasReported = false
  }

  /// - Parameters:
  ///   - paths: files and folders, which need not exist yet.
  ///   - isIncluded: what is to be watched of the candidates there.
  package init(
    _ paths: [FilePath], isIncluded: @escaping @Sendable (FilePath) -> Bool = { _ in true }
  ) {
    self.paths = paths
    self.isIncluded = isIncluded
  }

  /// What has happened since the look before. The first look finds everything new and tells nothing; the
  /// second tells what was complete by then.
  ///
  /// Reports a file once each time it stops changing, also when another takes its place under
  /// the same name.
  ///
  /// - Parameter now: time since 1970, by the clock of the file system.
  package mutating func scan(now: Duration) -> Changes {
    var changes = Changes()
    var present: [FilePath: Watched] = [:]
    for candidate in CandidateFinder.find(paths, seen: &seen)
    // What is named is watched in any case.
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
    changes.gone = files.filter { path, file in
      present[path] == nil && (file.isReported || file.wasReported)
    }
    .map(\.key).sorted { $0.string < $1.string }
    files = present
    return changes
  }

  /// Looks until the task is cancelled, and hands out what is not empty.
  ///
  /// - Parameters:
  ///   - interval: between the end of one look and the beginning of the next.
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
