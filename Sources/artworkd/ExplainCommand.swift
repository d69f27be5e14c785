import ArgumentParser
import ArtworkModel
import ArtworkPipeline

struct ExplainCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "explain",
    abstract: "Explain a rule, a seam verdict or an error code.",
    discussion: """
      Takes a word from a report: a rule such as loop-seam, a seam verdict such as held, or an \
      error code such as timed-out. artworkd rules lists the rules.
      """)

  @Argument(
    help: "A rule, a seam verdict or an error code.", completion: .list(Glossary.words))
  var word: String

  func run() throws {
    guard
      let text = Glossary.text(
        of: word, style: Terminal.outputStyle, width: Terminal.outputWidth)
    else {
      let nearest = NearestWord.suggestion(for: word, among: Glossary.words)
      throw ValidationError(
        "Unknown rule, verdict or error code '\(word)'"
          + (nearest.isEmpty ? "; artworkd rules lists the rules." : nearest))
    }
    try Terminal.write(Array(text.utf8))
  }
}
