import ArgumentParser
import ArtworkModel
import ArtworkPipeline
import FoundationEssentials
import Logging
import SystemPackage

/// The files and folders that a command works on, and the place of what it makes of them.
struct InputOptions: ParsableArguments {
  @Argument(help: "Files and folders, or - for a list on standard input.")
  var paths: [PathArgument]

  @Option(name: .shortAndLong, help: "Write to this file, from a single one.")
  var output: PathArgument?

  @Option(
    help: ArgumentHelp(
      "Write into this folder. What is below a named folder keeps its place.", valueName: "dir"))
  var outputDir: PathArgument?

  /// The only file; `nil` for a folder, a list, and several.
  var single: FilePath? {
    guard paths.count == 1, !paths[0].isStandardStream, !paths[0].path.isFolder else { return nil }
    return paths[0].path
  }

  /// - Parameters:
  ///   - kind: of an input, as a noun.
  ///   - takesFolder: whether `-o` takes the single file of a folder, too.
  ///   - needsFolder: whether files of several inputs need a folder.
  /// - Throws: `ValidationError`.
  func validate(
    _ kind: String = "file", takesFolder: Bool = false, needsFolder: Bool = false
  ) throws {
    if output != nil {
      if outputDir != nil { throw ValidationError("-o and --output-dir cannot be combined.") }
      guard takesFolder ? paths.count == 1 && !paths[0].isStandardStream : single != nil else {
        throw ValidationError("-o takes one \(kind); for more, use --output-dir.")
      }
    }
    if needsFolder, outputDir == nil, single == nil {
      throw ValidationError("Name a folder for the new files with --output-dir.")
    }
    try outputDir?.requireFolder("Files")
    try paths.requireOneStream()
  }

  /// The videos and animations, without what earlier runs wrote into the output folder.
  func candidates(_ configuration: Configuration) async throws -> [Candidate] {
    if let single { return [Candidate(path: single)] }
    let selection = CandidateSelection(
      paths: paths.map(\.path), configuration: configuration)
    let target = outputDir.map { Destination.folder($0.path) }
    let kept = try selection.candidates().filter {
      target?.holds($0, among: paths.map(\.path)) != true
    }
    if kept.isEmpty {
      Terminal.printError("artworkd: nothing to work on in \(selection.place.printable)\n")
    }
    return kept
  }

  /// The path of a new file in ``outputDir``, whose folder is made; `nil` without that.
  ///
  /// - Parameters:
  ///   - rename: from the name of the input, without its extension, to that of the new file.
  ///   - ownFolder: whether files of one folder stay together, below its name.
  func target(
    of candidate: Candidate, ownFolder: Bool = false, _ rename: (String) -> String
  ) -> FilePath? {
    guard let folder = outputDir?.path else { return nil }
    var place = folder.appending(candidate.previewStem.components)
    let name = place.lastComponent.map { $0.string } ?? "video"
    place.removeLastComponent()
    if ownFolder, candidate.previewStem.components.count == 1,
      let own = candidate.path.removingLastComponent().lastComponent, own.kind == .regular
    {
      place.append(own)
    }
    return place.appending(rename(name))
  }
}

/// `--exclude`, as in artwork.yml.
struct SearchOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Skip files found in folders that match this pattern, in addition to `exclude` in artwork.yml. * stands for "
        + "letters of a name, ** for any number of folders. Repeatable.",
      valueName: "pattern"))
  var exclude: [String] = []

  func validate() throws {
    var configuration = Configuration()
    do throws(PathPattern.Invalid) {
      try configuration.search(exclude: exclude)
    } catch {
      throw ValidationError("\(error.description).")
    }
  }

  /// These options as words of a command line.
  var words: [String] {
    exclude.flatMap { ["--exclude", $0] }
  }

  func apply(to configuration: inout Configuration) throws {
    try configuration.search(exclude: exclude)
  }
}

/// `--config`, and how its problems are printed.
struct ConfigurationOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The configuration file; the default is artwork.yml in the first path's folder or above it.",
      valueName: "file"))
  var config: PathArgument?

  /// - Parameter path: the start of the search.
  func load(above path: FilePath) throws -> Configuration {
    guard let file = config?.path ?? Configuration.find(above: path) else {
      return Configuration()
    }
    return try Self.reportingProblems { () throws(ConfigurationError) in
      try Configuration.load(file)
    }
  }

  /// That of a run over some paths, with its options.
  func load(for paths: [PathArgument], _ search: SearchOptions, _ judging: JudgingOptions) throws -> Configuration {
    var configuration = try load(above: paths.first { !$0.isStandardStream }?.path ?? ".")
    try search.apply(to: &configuration)
    try configuration.requireProfiles(judging.profiles?.names)
    return configuration
  }

  /// Prints each problem of a configuration on its own line, and exits as for a usage error.
  static func reportingProblems<Value>(_ body: () throws(ConfigurationError) -> Value) throws
    -> Value
  {
    do throws(ConfigurationError) {
      return try body()
    } catch {
      for problem in error.problems { Terminal.printError("\(problem.description.printable)\n") }
      throw ExitStatus.usage.code
    }
  }
}

extension Configuration {
  /// - Throws: `ValidationError` with a suggestion, for an unknown profile.
  func requireProfiles(_ names: [String]?) throws {
    for name in names ?? [] where profile(named: name) == nil {
      throw ValidationError("Unknown profile '\(name)'\(suggestion(forProfile: name))")
    }
  }
}

/// The keys and profiles that videos are judged by.
struct JudgingOptions: ParsableArguments {
  @Option(
    help: "Judge every video as this key. auto uses the manifest, the file name or the shape.")
  var key: KeyChoice = .auto

  @Option(
    name: .customLong("profile"),
    help: ArgumentHelp(
      "Destinations to judge for; the default is now-playing. artworkd profiles lists them.",
      valueName: "name,..."))
  var profiles: NameList?
}

/// Whether a command uses the measurements of earlier runs.
struct CacheOption: ParsableArguments {
  @Flag(
    help: ArgumentHelp(
      "Neither read nor write the cache of measurements ($ARTWORKD_CACHE_DIR or ~/.cache/artworkd)."
    ))
  var noCache = false

  /// `nil` if measurements should not or cannot be cached.
  func open() -> InspectionCache? {
    if noCache { return nil }
    var logger = Logger(label: "artworkd") { StreamLogHandler.standardError(label: $0) }
    logger.logLevel = .warning
    return InspectionCache.folder(environment: ProcessInfo.processInfo.environment).flatMap {
      .open(in: $0, logger: logger)
    }
  }
}

/// The options of every command that inspects files.
struct IsolationOptions: ParsableArguments {
  @Option(
    name: .customLong("limit"),
    help: ArgumentHelp(
      "Set a limit for each file, such as memory=2GiB; docs/sandbox.md lists them. Repeatable.",
      valueName: "name=value"),
    transform: LimitArgument.init)
  var limits: [LimitArgument] = []

  /// Prepares workers; call it before the first thread is started.
  ///
  /// With `ARTWORKD_NO_ISOLATION=1` in the environment, for debugging, files are inspected in this process, without a
  /// sandbox or limits on time and memory.
  ///
  /// - Parameter limits: those that the options do not set.
  func prepare(
    jobs: Int, limits: Limits = Limits(), requireSandbox: Bool = false
  ) throws -> PreparedInspector {
    var limits = limits
    for limit in self.limits { limit.apply(&limits) }
    if !requireSandbox, ProcessInfo.processInfo.environment["ARTWORKD_NO_ISOLATION"] == "1" {
      return PreparedInspector(Inspector(limits: limits))
    }
    return PreparedInspector(
      try IsolatedInspector.prepared(jobs: jobs, limits: limits, requireSandbox: requireSandbox))
  }
}

extension IsolatedInspector {
  /// Prepares workers; call it before the first thread is started.
  ///
  /// - Throws: the exit status of a machine without a complete sandbox, if one is required.
  static func prepared(
    jobs: Int, limits: Limits, requireSandbox: Bool
  ) throws -> IsolatedInspector {
    var inspector = try IsolatedInspector(limits: limits)
    let processors = max(1, ProcessInfo.processInfo.activeProcessorCount)
    inspector.workersPerProcessor = (jobs + processors - 1) / processors
    if requireSandbox, !inspector.sandbox.isComplete {
      Terminal.printError(
        "artworkd: the sandbox lacks \(inspector.sandbox.missing.joined(separator: " and ")) on this "
          + "machine; artworkd doctor shows details\n")
      throw ExitStatus.sandboxMissing.code
    }
    return inspector
  }
}

/// The inspector of a command.
struct PreparedInspector: Sendable {
  let inspector: any JobRunner
  /// Ends the workers.
  let stop: @Sendable () -> Void

  /// Inspects in this process.
  init(_ inspector: Inspector) {
    self.inspector = inspector
    stop = {}
  }

  /// Inspects in workers.
  init(_ inspector: IsolatedInspector) {
    self.inspector = inspector
    stop = { inspector.stop() }
  }
}

/// The folder of the store.
struct StoreOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The folder of the store; the default is artworkd in $XDG_STATE_HOME or ~/.local/state.",
      valueName: "dir"))
  var store: PathArgument?

  /// The given folder, or the default one. It is not in ~/.cache, which cleaners empty: leased videos must not disappear.
  var folder: FilePath {
    if let path = store?.path { return path.absolute(in: .currentFolder) }
    let environment = ProcessInfo.processInfo.environment
    if let folder = environment["XDG_STATE_HOME"], folder.hasPrefix("/") {
      return FilePath(folder).appending("artworkd")
    }
    return FilePath(environment["HOME"] ?? "/").appending(".local/state/artworkd")
  }
}

/// A digest of all settings, which two runs share if they would give equal results.
extension Configuration {
  private struct Decisive<Options: Encodable>: Encodable {
    var version = Artworkd.version
    var ffmpeg = FFmpegVersion.text
    /// The SHA-256 of artwork.yml and of the files that it lists artworks in.
    var files: [String]
    var options: Options
  }

  /// The SHA-256 of options, of the configuration's files and of the versions: everything besides the videos that
  /// affects results.
  ///
  /// - Throws: the exit code, if the configuration cannot be read again.
  func digest(with options: some Encodable) throws -> String {
    var files: [FilePath] = []
    for file in [file].compactMap(\.self) + manifest.entries.map(\.source)
    where !files.contains(file) { files.append(file) }
    do {
      let encoder = JSONEncoder()
      encoder.outputFormatting = .sortedKeys
      let decisive = Decisive(files: try files.map(Self.digest), options: options)
      return try SHA256.digest(of: Array(try encoder.encode(decisive))).hexadecimal
    } catch {
      Terminal.printError("artworkd: cannot read the configuration again: \(error)\n")
      throw ExitStatus.usage.code
    }
  }

  private static func digest(of file: FilePath) throws -> String {
    let source = try SourceFile(file)
    var hash = try SHA256()
    var offset: Int64 = 0
    while true {
      let bytes = try source.read(at: offset)
      if bytes.isEmpty { return try hash.finish().hexadecimal }
      try hash.update(bytes)
      offset += Int64(bytes.count)
    }
  }
}
