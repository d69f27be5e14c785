import ArgumentParser
import ArtworkModel
import ArtworkPipeline

/// A command that does not exist, with a suggestion. ArgumentParser would only call it an unexpected argument.
struct UnknownCommand {
  let name: String
  /// Commands that exist at its place.
  let known: [String]

  /// `nil` if the arguments begin with a command, or with an option, which the parser judges.
  static func find(
    in arguments: [String], below command: any ParsableCommand.Type = Artworkd.self
  ) -> UnknownCommand? {
    let subcommands = command.configuration.subcommands
    guard let name = arguments.first, !name.hasPrefix("-"), !subcommands.isEmpty,
      command.configuration.defaultSubcommand == nil
    else { return nil }
    if let next = subcommands.first(where: { $0.configuration.commandName == name }) {
      return find(in: Array(arguments.dropFirst()), below: next)
    }
    // ArgumentParser's own command.
    if name == "help" { return nil }
    return UnknownCommand(
      name: name, known: subcommands.compactMap { $0.configuration.commandName })
  }

  /// The message, for example `unknown command 'chekc'; did you mean check?`
  var message: String {
    let nearest = NearestWord.find(name, among: known)
    return "unknown command '\(name)'; "
      + (nearest.map { "did you mean \($0)?" } ?? "commands: \(known.joined(separator: ", "))")
  }
}
