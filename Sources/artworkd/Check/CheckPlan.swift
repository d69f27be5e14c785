import ArtworkModel
import ArtworkPipeline
import ArtworkStore
import SystemPackage

/// The description of one run of `check`: a plain value. ``CheckCommand`` makes it from the command line and the
/// configuration.
struct CheckPlan: Sendable {
  /// Files and folders; `-` is a list on standard input, and none is the current folder.
  var paths: [FilePath] = []
  /// The URLs of files to fetch.
  var urls: [String] = []
  var fetcher: WebFetcher?
  /// Whether to check the files staged in git instead.
  var isStaged = false
  var configuration = Configuration()
  /// How folders are searched beyond the configuration, as options of the command line.
  var search: [String] = []
  /// Destinations by name; `nil` for those of the configuration.
  var profiles: [String]?
  var rules = RuleSelection()
  /// The key to judge every candidate as; `nil` to find it out.
  var key: ArtworkKey?
  var everyFrame = Batch.EveryFrame.whereInDoubt
  /// Candidates that are checked in parallel.
  var jobs: Int
  var usesCache = true
  /// Whether the cache may come from another machine.
  var portableCache = false
  var previewFolder: FilePath?
  var reports = ReportPlan()
  var failOn = FailureLevel.error
  var baseline: BaselineFindings?
  /// The path of a new baseline.
  var newBaseline: FilePath?
  /// The part of the releases to check.
  var shard = Shard.whole
  /// Whether results have ``Evidence``.
  var givesEvidence = false
  /// The file in which results are recorded as they complete.
  var journal: FilePath?
  /// Exit with 0 also for findings and for files that cannot be read.
  var exitsWithZero = false
  /// A digest of the options and the files that decide about results, for ``Evidence/configuration``.
  var digest = ""
  var isQuiet = false
  var isVerbose = false

  var selection: CandidateSelection {
    CandidateSelection(
      paths: paths, urls: urls, isStaged: isStaged, configuration: configuration)
  }

  /// The named paths, for a command that repairs all of them; empty for a list, for git, and for more than a few.
  var namedPlaces: [FilePath] {
    if isStaged || !urls.isEmpty || paths.contains("-") || paths.count > 3 { return [] }
    return paths.isEmpty ? ["."] : paths
  }

  /// Every file that the run is to write, but for previews.
  var targets: [FilePath] { reports.files + [newBaseline, journal].compactMap(\.self) }

  /// Every file besides candidates and pictures that decides about results. A new baseline may replace the old one.
  var inputs: [FilePath] {
    let new = newBaseline.flatMap(FileIdentity.init)
    let known = baseline.map(\.file).flatMap { FileIdentity($0) == new ? nil : $0 }
    return [configuration.file, known].compactMap(\.self)
      + Set(configuration.manifest.entries.map(\.source))
  }

  /// Ends the run before it checks anything if a report has no place to go.
  func requirePlaces() throws {
    for target in targets {
      do throws(Errno) {
        try AtomicFile.requirePlace(for: target)
      } catch {
        Terminal.printError("artworkd: cannot write \(target.string.printable): \(error)\n")
        throw ExitStatus.internalError.code
      }
    }
  }

  /// The profiles that a path is judged for, with only the selected rules.
  func profiles(for path: FilePath) -> [Profile] {
    configuration.profiles(for: path, named: profiles).map(rules.applied)
  }

  /// Every profile that some candidate is judged for, in the order of the command line or the configuration.
  func profiles(of candidates: [Candidate]) -> [Profile] {
    let all = configuration.allProfiles(named: profiles).map(rules.applied)
    let names = Set(
      candidates.flatMap { configuration.profiles(for: $0.path, named: profiles).map(\.name) })
    return candidates.isEmpty ? all : all.filter { names.contains($0.name) }
  }
}
