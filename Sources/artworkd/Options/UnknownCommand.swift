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
    // ArgumentParser's own command, which would print the whole list for a command that does not exist.
    if name == "help" { return find(in: Array(arguments.dropFirst()), below: command) }
    return UnknownCommand(
      name: name, known: subcommands.compactMap { $0.configuration.commandName })
  }

  /// The error about an argument that is meant as a file, and would be read as another one or as options.
  static func file(in arguments: [String]) -> String? {
    let named = arguments.prefix { $0 != "--" }
    for (before, name) in zip([""] + named, named) {
      if name.hasPrefix("https://") || name.hasPrefix("http://"), !before.hasPrefix("-") {
        return "\(name) is an address: download the file first, for example with curl -O"
      }
      if name.hasPrefix("-"), !name.hasPrefix("--"), name.count > 2,
        FileState(of: RawArguments.path(name)) != nil
      {
        return "\(name) would be read as options: name the file ./\(name)"
      }
    }
    return nil
  }

  /// The error about an option that the command does not have; `nil` if it has all. Where a command takes several files, the
  /// parser would take such an option's value for one of them, and report that.
  static func option(
    in arguments: [String], below command: any ParsableCommand.Type = Artworkd.self
  ) -> String? {
    let next = command.configuration.subcommands.first {
      $0.configuration.commandName == arguments.first
    }
    if let next { return option(in: Array(arguments.dropFirst()), below: next) }
    let known = command.helpMessage(includeHidden: true, columns: 1000)
      .split { !$0.isLetter && !$0.isNumber && $0 != "-" }.map(String.init)
      .filter { $0.hasPrefix("--") }
    let named = arguments.prefix { $0 != "--" }.filter { $0.hasPrefix("--") }
      .map { String($0.prefix { $0 != "=" }) }
    guard let unknown = named.first(where: { !known.contains($0) }) else { return nil }
    let nearest = NearestWord.find(unknown, among: known)
    return "Error: Unknown option '\(unknown)'" + (nearest.map { ". Did you mean '\($0)'?" } ?? "")
      + "\n"
  }

  /// The message, for example `unknown command 'chekc'; did you mean check?`
  var message: String {
    let nearest = NearestWord.find(name, among: known)
    return "unknown command '\(name)'; "
      + (nearest.map { "did you mean \($0)?" } ?? "commands: \(known.joined(separator: ", "))")
  }
}
