import ArgumentParser
import ArtworkPipeline

struct RulesCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "rules",
    abstract: "List the rules.",
    discussion: "artworkd explain RULE describes a rule and how to satisfy it.")

  @Flag(help: "Print all rules in full as Markdown: the sections of docs/rules.md.")
  var markdown = false

  func run() throws {
    let text = markdown ? RuleText.document : RuleText.list(style: Terminal.outputStyle)
    try Terminal.write(Array(text.utf8))
  }
}
