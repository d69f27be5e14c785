import ArgumentParser
import ArtworkClients
import ArtworkModel
import ArtworkPipeline
import FoundationEssentials

struct NowPlayingCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "now-playing",
    abstract: "Show what a lock screen would show, and why.",
    discussion: """
      Exit codes: 0 shown, even if nothing is playing, 2 the service refused the request or the \
      connection was lost, 64 usage error, 69 no service is running, 130 interrupted.
      """)

  @Flag(help: "Show the state again after each change, until Ctrl-C.")
  var watch = false

  @Option(help: "The output format; json prints one document per line.")
  var format = OutputFormat.text

  @OptionGroup(title: "Service")
  var service: ServiceOptions

  func run() throws {
    let interrupt = Interrupt {}
    let client = try service.client()
    let languages = Terminal.languages()
    try withExtendedLifetime(interrupt) {
      try ServiceOptions.run {
        guard watch else {
          return show(try await client.nowPlaying(for: languages))
        }
        var last: NowPlaying?
        for try await event in try await client.events(for: languages) {
          let document =
            if case .nowPlaying(let first) = event {
              first
            } else {
              try await client.nowPlaying(for: languages)
            }
          if let last, Self.isSame(document, last) { continue }
          if last != nil, format == .text { Terminal.emit { "\n" } }
          show(document)
          last = document
        }
        throw ClientError.lost("the service closed the connection")
      }
    }
  }

  /// Whether they differ at most in the position of playback.
  private static func isSame(_ one: NowPlaying, _ other: NowPlaying) -> Bool {
    func still(_ document: NowPlaying) -> NowPlaying {
      var still = document
      still.shown?.playback = document.shown?.playback.map { ShownPlayback($0.snapshot, at: 0) }
      return still
    }
    return still(one) == still(other)
  }

  private func show(_ document: NowPlaying) {
    Terminal.emit {
      switch format {
      case .text:
        NowPlayingText(width: min(Terminal.outputWidth ?? 80, 80)).render(document)
      case .json: try Self.json(document)
      }
    }
  }

  private static func json(_ document: NowPlaying) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return String(decoding: try encoder.encode(document), as: UTF8.self) + "\n"
  }
}
