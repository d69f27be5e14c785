import ArgumentParser
import ArtworkPipeline
import SystemPackage

struct ProfilesCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "profiles",
    abstract: "List the destinations that artwork can be checked for, or say what one asks for.",
    discussion: "Those that an artwork.yml in this folder or above it defines are among them.")

  @Argument(help: "The profile's name; without one, all are listed.")
  var name: String?

  @Flag(
    help: "Print everything about those built in as Markdown: the sections of docs/profiles.md.")
  var markdown = false

  @OptionGroup(title: "Configuration")
  var options: ConfigurationOptions

  func run() throws {
    if markdown {
      try Terminal.write(Array(ProfileText.document.utf8))
      return
    }
    let configuration = try options.load(above: ".")
    let style = Terminal.outputStyle
    guard let name else {
      try Terminal.write(Array(ProfileText.list(configuration.available, style: style).utf8))
      return
    }
    guard let profile = configuration.allProfiles(named: [name]).first else {
      throw ValidationError(
        "there is no profile '\(name)'\(configuration.suggestion(forProfile: name))")
    }
    let text = ProfileText(profile).text(style: style, width: Terminal.outputWidth)
    try Terminal.write(Array(text.utf8))
  }
}
