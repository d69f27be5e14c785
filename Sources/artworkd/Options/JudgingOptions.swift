import ArgumentParser

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
