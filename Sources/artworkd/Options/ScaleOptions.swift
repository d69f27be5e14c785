import ArgumentParser
import ArtworkPipeline

/// The options of a run that is one of many. docs/scale.md describes how they work together.
struct ScaleOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Check only this part of the releases, for example 3/64. Implies --evidence.",
      valueName: "i/n"),
    transform: Shard.init(argument:))
  var shard: Shard?

  @Flag(help: "Add the data that artworkd merge needs to each result.")
  var evidence = false

  @Option(
    help: ArgumentHelp(
      "Save results to this file as NDJSON, and reuse those of files that have not changed. "
        + "Implies --evidence.",
      valueName: "file"))
  var resume: PathArgument?

  @Flag(help: "Exit with 0 even if there are findings or files that cannot be read.")
  var exitZero = false

  /// Whether results need ``Evidence``.
  var givesEvidence: Bool { shard != nil || evidence || resume != nil }
}

extension Shard {
  /// - Throws: `ValidationError` for other texts than `I/N`.
  init(argument text: String) throws {
    guard let shard = Shard(text) else {
      throw ValidationError("--shard takes I/N, for example 3/64, not '\(text)'.")
    }
    self = shard
  }
}
