import ArgumentParser
import ArtworkPipeline

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
