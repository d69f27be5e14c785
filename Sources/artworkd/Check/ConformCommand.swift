import ArgumentParser
import ArtworkModel
import ArtworkPipeline
import FoundationEssentials
import SystemPackage

struct ConformCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "conform",
    abstract: "Check the animated covers in a music folder against the convention for players.",
    discussion: """
      Looks at cover.mp4, cover_3x4.mp4, canvas.mp4, videos named as tracks, and artwork.json in a \
      music folder and the folders in it. docs/sidecar.md has the convention.

      Exit codes: 0 all conform, 1 at least one does not, 2 a folder could not be read, or there \
      are no animated covers, 64 usage error, 69 a required part of the sandbox is missing, 130 \
      interrupted.
      """)

  enum Format: String, ExpressibleByArgument, CaseIterable {
    case text, json
  }

  @Argument(help: "The music folder.")
  var folder: PathArgument

  @Option(help: "The format of the results.")
  var format: Format = .text

  @OptionGroup(title: "Isolation")
  var isolation: IsolationOptions

  func run() throws {
    // Before the first thread.
    let inspector = try isolation.prepare(jobs: 1).inspector
    let interrupt = Interrupt {}
    var conforms = true
    try withExtendedLifetime(interrupt) {
      try SingleFile.run(folder.path) { () throws(InspectionError) in
        let files = try ConformanceCheck(inspector, root: folder.path).run()
        guard !files.isEmpty else {
          throw InspectionError(.noMatch, "there are no animated covers in it")
        }
        conforms = files.allSatisfy(\.violations.isEmpty)
        let text =
          switch format {
          case .text: Self.text(files)
          case .json: try Self.json(files)
          }
        try SingleFile.print(Array(text.utf8))
      }
    }
    if !conforms { throw ExitStatus.findings.code }
  }

  private static func text(_ files: [ConformingFile]) -> String {
    let style = Terminal.outputStyle
    var text = files.map { file in
      let mark =
        file.violations.isEmpty ? style.paint("✓ ", .good) : style.paint("✗ ", .bad)
      let head = "\(mark)\(file.path.printable)  \(file.shape.rawValue)\n"
      return head
        + file.violations.map { "  \($0.requirement.rawValue)  \($0.message.printable)\n" }.joined()
    }.joined()
    text +=
      "\(files.count) animated covers: \(files.count { $0.violations.isEmpty }) conform, "
      + "\(files.count { !$0.violations.isEmpty }) do not\n"
    return text
  }

  private struct Document: Encodable {
    var schemaVersion = 1
    var files: [ConformingFile]
  }

  private static func json(_ files: [ConformingFile]) throws(InspectionError) -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes, .prettyPrinted]
    do {
      return String(decoding: try encoder.encode(Document(files: files)), as: UTF8.self) + "\n"
    } catch {
      throw InspectionError(.workerFailed, "the result cannot be encoded: \(error)")
    }
  }
}
