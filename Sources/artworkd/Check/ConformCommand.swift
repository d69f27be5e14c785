import ArgumentParser
import ArtworkModel
import ArtworkPipeline
import SystemPackage

struct ConformCommand: MakingCommand {
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

  func inputs(_ configuration: Configuration) -> [Candidate] { [Candidate(path: folder.path)] }

  func make(_ input: Candidate, into made: inout [ConformingFile], _ run: MakingRun) throws {
    made = try ConformanceCheck(run.pipeline.runner, root: folder.path).run()
    guard !made.isEmpty else {
      throw InspectionError(.noMatch, "there are no animated covers in it")
    }
  }

  func output(_ made: [ConformingFile], of input: Candidate) throws -> [UInt8] {
    let text =
      switch format {
      case .text: Self.text(made)
      case .json: try JSONReport.document(Document(files: made))
      }
    return Array(text.utf8)
  }

  func close(_ results: MakingResults<ConformingFile>) -> ExitStatus {
    results.made.allSatisfy(\.violations.isEmpty) ? .success : .findings
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
}
