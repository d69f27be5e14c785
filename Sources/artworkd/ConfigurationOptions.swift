import ArgumentParser
import ArtworkClients
import ArtworkModel
import ArtworkPipeline
import ArtworkService
import ArtworkStore
import SystemPackage

/// `--config`, and how its problems are told.
struct ConfigurationOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The configuration; by default the artwork.yml in the folder of the first path or above it.",
      valueName: "file"))
  var config: PathArgument?

  /// - Parameter path: where the search begins.
  func load(above path: FilePath) throws -> Configuration {
    guard let file = config?.path ?? Configuration.find(above: path) else {
      return Configuration()
    }
    return try Self.told { () throws(ConfigurationError) in try Configuration.load(file) }
  }

  /// Problems of a configuration are usage errors: each in a line of its own.
  static func told<Value>(_ body: () throws(ConfigurationError) -> Value) throws -> Value {
    do throws(ConfigurationError) {
      return try body()
    } catch {
      for problem in error.problems { Terminal.say("\(problem.description.printable)\n") }
      throw ExitStatus.usage.code
    }
  }
}
