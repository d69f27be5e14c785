import ArgumentParser
import ArtworkModel
import ArtworkPipeline

struct ExplainCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "explain",
    abstract: "Explain a rule, a seam verdict or an error code.",
    discussion: """
      Takes a word from a report: a rule such as loop-seam, a seam verdict such as held, or an \
      error code such as timed-out; or what is known of a file, such as hev1, vfr, hdr, judder or no \
      tall, which are searched in titles and texts. artworkd rules lists the rules.
      """)

  @Argument(
    help: ArgumentHelp(
      "A rule, a seam verdict, an error code, or a symptom.", valueName: "word"),
    completion: .list(Glossary.words))
  var words: [String]

  func run() throws {
    let word = words.joined(separator: " ")
    guard
      let text = Glossary.text(
        of: word, style: Terminal.outputStyle, width: Terminal.outputWidth)
    else {
      let nearest = Glossary.suggestion(for: word)
      throw ValidationError(
        "Unknown rule, verdict or error code '\(word)'"
          + (nearest.isEmpty ? "; artworkd rules lists the rules." : nearest))
    }
    try Terminal.write(Array(text.utf8))
  }
}
