import ArgumentParser
import ArtworkPipeline

/// The options of a run that is one of many. docs/scale.md shows how they work together.
struct ScaleOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Check only this part of the releases, for example 3/64. Adds --evidence.", valueName: "i/n"),
    transform: { text in
      guard let shard = Shard(text) else {
        throw ValidationError("--shard takes I/N, for example 3/64, not '\(text)'.")
      }
      return shard
    })
  var shard: Shard?

  @Flag(help: "Add to each result what artworkd merge needs.")
  var evidence = false

  @Option(
    help: ArgumentHelp(
      "Keep results in this file as NDJSON, and take over those of files that have not changed. Adds --evidence.",
      valueName: "file"))
  var resume: PathArgument?

  @Flag(help: "Exit with 0 also for findings and files that cannot be read.")
  var exitZero = false

  /// Whether results need ``Evidence``.
  var givesEvidence: Bool { shard != nil || evidence || resume != nil }
}
