import ArgumentParser
import ArtworkPipeline

struct ExplainCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "explain",
    abstract: "Say what a rule means, why it matters, how it is measured, and how to satisfy it.")

  @Argument(
    help: "The rule's id, as findings name it.", completion: .list(Rules.catalogue.map { $0.id }))
  var rule: String

  func run() throws {
    guard let found = Rules.named(rule) else {
      throw ValidationError(
        "there is no rule '\(rule)'\(NearestWord.suggestion(for: rule, among: Rules.catalogue.map { $0.id }))"
      )
    }
    let text = RuleText(found).text(style: Terminal.outputStyle, width: Terminal.outputWidth)
    try Terminal.write(Array(text.utf8))
  }
}
