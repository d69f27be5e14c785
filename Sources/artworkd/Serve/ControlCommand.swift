import ArgumentParser
import ArtworkClients
import ArtworkModel
import ArtworkPipeline

struct ControlCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "control",
    abstract: "Control playback: play, pause, next, seek and more.",
    discussion: """
      Commands: play, pause, toggle, stop, next, previous, seek POSITION (90 or 1:30), skip [SECONDS] (negative to go \
      back), rate FACTOR, repeat off|one|all, shuffle on|off|items|collections, like, dislike, bookmark, rating NUMBER.

      The command goes to the session that is shown, or to the one that --session or --application \
      names. Positions are measured from the start of the item, ads included.

      \(ExitStatus.words)
      """)

  // Not options, so that "skip -15" is possible.
  @Argument(
    parsing: .allUnrecognized,
    help: ArgumentHelp("The command and its value.", valueName: "command"))
  var words: [String] = []

  @Option(
    help: "The session's name; the default is the session shown, or the application's primary.")
  var session: String?

  @Option(help: "The application that gets the command, or that owns the session.")
  var application: String?

  @OptionGroup(title: "Service")
  var service: ServiceOptions

  mutating func validate() throws {
    // After it, everything is a word; before it, options are recognised by their dashes.
    words.removeAll { $0 == "--" }
    if let option = words.first(where: { $0.hasPrefix("-") && Double($0) == nil }) {
      throw ValidationError("Unknown option '\(option)'")
    }
    if let session, SessionID(session) == nil {
      throw ValidationError("A name has 1 to \(SessionID.longest) bytes.")
    }
    _ = try ControlWords(words).command()
  }

  func run() throws {
    let interrupt = Interrupt {}
    let client = try service.client()
    let command = try ControlWords(words).command()
    let target: CommandTarget =
      if let session = session.flatMap({ SessionID($0) }) {
        .session(session, of: application)
      } else if let application { .application(application) } else { .system }
    try withExtendedLifetime(interrupt) {
      try ServiceOptions.run {
        let outcome = try await client.perform(command, for: target)
        guard outcome.status != .success else { return }
        Terminal.printError("artworkd: \(Self.words(outcome).printable)\n")
        throw ExitStatus.findings.code
      }
    }
  }

  private static func words(_ outcome: CommandOutcome) -> String {
    let player = "\(SessionReference(outcome.application, outcome.sessionID))"
    let what =
      switch outcome.status {
      case .success: "\(player) carried out the command"
      case .noSuchContent: "\(player) has no such content"
      case .notSupported: "\(player) does not support this"
      case .failed: "\(player) failed"
      case .timedOut: "\(player) timed out"
      case .ownerGone: "\(player) has disconnected"
      case .sessionEnded: "\(player) has ended"
      }
    return outcome.message.map { "\(what): \($0)" } ?? what
  }
}

/// The words of a command as people type them.
struct ControlWords {
  private let name: String
  private let values: [String]

  /// - Throws: `ValidationError` without words.
  init(_ words: [String]) throws {
    guard let name = words.first else {
      throw ValidationError("Name a command: \(Self.names.joined(separator: ", ")).")
    }
    self.name = name
    values = Array(words.dropFirst())
  }

  private static let simple: [String: RequestedCommand] = [
    "play": .play, "pause": .pause, "toggle": .togglePlayPause, "stop": .stop, "next": .next,
    "previous": .previous, "like": .like(), "dislike": .dislike(), "bookmark": .bookmark(),
  ]

  private static let names =
    (simple.keys + ["rate", "rating", "repeat", "seek", "shuffle", "skip"]).sorted()

  /// - Throws: `ValidationError` that describes the arguments of the command.
  func command() throws -> RequestedCommand {
    if let command = Self.simple[name] {
      guard values.isEmpty else { throw ValidationError("\(name) takes no value.") }
      return command
    }
    switch name {
    case "seek":
      return .seekToPosition(
        try value("a position such as 90 or 1:30", Self.seconds))
    case "skip":
      if values.isEmpty { return .skipForward() }
      let seconds = try value("seconds other than 0", Self.number)
      return seconds > 0 ? .skipForward(interval: seconds) : .skipBackward(interval: -seconds)
    case "rate": return .changePlaybackRate(try value("a factor other than 0", Self.number))
    case "rating":
      return .rating(
        try value("a number from 0") { Double($0).flatMap { $0.isFinite && $0 >= 0 ? $0 : nil } })
    case "repeat":
      return .changeRepeatMode(try value(Self.list(RepeatMode.self), RepeatMode.init(rawValue:)))
    case "shuffle":
      return .changeShuffleMode(
        try value("on, \(Self.list(ShuffleMode.self))") {
          $0 == "on" ? .items : ShuffleMode(rawValue: $0)
        })
    default:
      throw ValidationError(
        "Unknown command '\(name)'\(NearestWord.suggestion(for: name, among: Self.names))")
    }
  }

  private func value<T>(_ expectation: String, _ parse: (String) -> T?) throws -> T {
    guard values.count == 1, let value = parse(values[0]) else {
      throw ValidationError("\(name) takes \(expectation).")
    }
    return value
  }

  private static func list<T: RawRepresentable<String> & CaseIterable>(_ type: T.Type) -> String {
    T.allCases.map(\.rawValue).joined(separator: ", ")
  }

  private static func number(_ text: String) -> Double? {
    Double(text).flatMap { $0.isFinite && $0 != 0 ? $0 : nil }
  }

  /// Seconds, minutes and seconds, or hours, minutes and seconds; a part after the first is below 60.
  static func seconds(_ text: String) -> Double? {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    guard (1...3).contains(parts.count) else { return nil }
    var seconds = 0.0
    for (index, part) in parts.enumerated() {
      guard let first = part.first, first.isASCII, first.isNumber, let value = Double(part),
        value.isFinite, index == 0 || value < 60
      else { return nil }
      seconds = seconds * 60 + value
    }
    return seconds.isFinite ? seconds : nil
  }
}
