import ArgumentParser
import ArtworkModel
import ArtworkPipeline

struct ExplainCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "explain",
    abstract: "Explain a rule, a seam verdict or an error code, or list them all.",
    discussion: """
      Takes a word from a report: a rule such as loop-seam, a seam verdict such as held, or an \
      error code such as timed-out. Without a word, lists all. For artwork.yml, prints one with every \
      key and its default, commented out, for artwork.schema.json its JSON Schema, for editors, and for \
      profiles.md the built-in destinations.
      """)

  @Argument(
    help: ArgumentHelp("A rule, a seam verdict or an error code.", valueName: "word"),
    completion: .list(Glossary.words + ["artwork.yml", "artwork.schema.json", "profiles.md"]))
  var words: [String] = []

  func run() throws {
    let (style, width) = (Terminal.outputStyle, Terminal.outputWidth)
    let word = words.joined(separator: " ")
    let text =
      switch word {
      case "": Optional(Glossary.all(style: style))
      case "artwork.yml": ConfigurationTemplate.document
      case "artwork.schema.json": ConfigurationSchema.document
      case "profiles.md": ProfileText.document
      default: Glossary.text(of: word, style: style, width: width)
      }
    guard let text else {
      let nearest = Glossary.suggestion(for: word)
      throw ValidationError(
        "Unknown rule, verdict or error code '\(word)'"
          + (nearest.isEmpty ? "; artworkd explain lists them." : nearest))
    }
    try Terminal.write(Array(text.utf8))
  }
}
