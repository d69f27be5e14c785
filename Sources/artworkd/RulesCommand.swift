import ArgumentParser
import ArtworkPipeline

struct RulesCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "rules",
    abstract: "List what is checked.",
    discussion: "artworkd explain RULE says what a rule means and how to satisfy it.")

  @Flag(help: "Print everything about every rule as Markdown: the sections of docs/rules.md.")
  var markdown = false

  func run() throws {
    let text = markdown ? RuleText.document : RuleText.list(style: Terminal.outputStyle)
    try Terminal.write(Array(text.utf8))
  }
}
