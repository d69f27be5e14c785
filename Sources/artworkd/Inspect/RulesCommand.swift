import ArgumentParser
import ArtworkPipeline

struct RulesCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "rules",
    abstract: "List the rules.",
    discussion: "artworkd explain RULE describes a rule and how to satisfy it.")

  @Flag(help: "Print the pages of all rules as Markdown.")
  var markdown = false

  func run() throws {
    let text = markdown ? ReferencePage.rulesDocument : Glossary.rules(style: Terminal.outputStyle)
    try Terminal.write(Array(text.utf8))
  }
}
