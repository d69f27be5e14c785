import ArgumentParser
import ArtworkPipeline
import SystemPackage

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
