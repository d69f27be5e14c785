import ArgumentParser
import Foundation
import HostileMedia

/// Tools of the tests that a script needs too.
@main
struct Mutate: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "mutate", abstract: "Make files that are damaged or hostile.",
    subcommands: [WriteHostile.self])
}

struct WriteHostile: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "hostile", abstract: "Write all hostile files into a folder.")

  @Argument(help: "The folder; it is made.") var folder: String

  func run() throws {
    let url = URL(fileURLWithPath: folder)
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    try HostileFile.write(to: url)
    for file in HostileFile.all {
      let expected = file.label.codes.sorted().joined(separator: "|")
      print("\(file.row)\t\(file.name.debugDescription)\t\(expected)\t\(file.reason)")
    }
  }
}
