import ArgumentParser
import ArtworkPipeline
import SystemPackage

struct ProfilesCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "profiles",
    abstract: "List the destinations that artwork can be checked for, or the limits of one.",
    discussion: "Includes those defined by an artwork.yml in this folder or a parent folder.")

  @Argument(help: "The profile to show; without a name, all profiles are listed.")
  var name: String?

  @OptionGroup(title: "Configuration")
  var options: ConfigurationOptions

  func run() throws {
    let configuration = try options.load(above: ".")
    let style = Terminal.outputStyle
    guard let name else {
      try Terminal.write(Array(Glossary.profiles(configuration.available, style: style).utf8))
      return
    }
    guard let profile = configuration.allProfiles(named: [name]).first else {
      throw ValidationError(
        "Unknown profile '\(name)'\(configuration.suggestion(forProfile: name))")
    }
    let text = ProfileText(profile).text(style: style, width: Terminal.outputWidth)
    try Terminal.write(Array(text.utf8))
  }
}
