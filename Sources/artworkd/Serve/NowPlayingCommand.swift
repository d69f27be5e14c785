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
      \(ExitStatus.words)
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
      case .json: try JSONReport.line(document)
      }
    }
  }
}

/// The now-playing document as text: the session that is shown, each variant with its reason, and the other sessions
/// with their reasons.
struct NowPlayingText {
  /// Columns; longer titles and names are cut.
  var width: Int

  func render(_ document: NowPlaying) -> String {
    let lines =
      (document.shown.map(shown) ?? ["Nothing is playing."])
      + (document.sessions.isEmpty ? [] : [""] + sessions(document.sessions))
      + (conditions(document.conditions).map { ["", $0] } ?? [])
    return lines.map { cut($0) + "\n" }.joined()
  }

  // MARK: What is shown

  private func shown(_ shown: NowPlaying.Shown) -> [String] {
    let content = shown.content
    let second = [
      shown.text(.subtitle) ?? content?.subtitle, content?.collection,
      shown.text(.contentRating) ?? content?.contentRating,
    ].compactMap { $0 }.joined(separator: " · ")
    var lines = [shown.text(.title) ?? content?.title ?? "(nothing loaded)"]
    if !second.isEmpty { lines.append(second) }
    let third = [
      content?.composer.map { "composed by \($0)" }, content?.genre,
      content?.isExplicit == true ? "explicit" : nil,
    ].compactMap { $0 }.joined(separator: " · ")
    if !third.isEmpty { lines.append(third) }
    if let place = shown.playback.flatMap({ content?.chapter(at: $0.positionSeconds) }) {
      let count = content?.chapters.count ?? 0
      lines.append("Chapter \(place.number) of \(count): \(place.chapter.title)")
    }
    if let playback = shown.playback { lines.append(Self.words(playback)) }
    if let description = shown.text(.description) ?? content?.description, !description.isEmpty {
      let wrapped = wrap(description.printable, after: "")
      lines += wrapped.count > 4 ? wrapped.prefix(3) + ["\(wrapped[3])…"] : wrapped
    }
    lines.append("")
    for key in ArtworkKey.allCases {
      guard let variant = shown.variants[key] else { continue }
      lines += wrap(
        variant.reason.message.printable,
        after: "\(key.rawValue)  \(variant.show.rawValue.padded(to: 7))  ")
      if let artworkID = variant.artworkID { lines.append("              \(artworkID)") }
    }
    if let cover = shown.cover { lines.append("cover         \(cover)") }
    lines.append("")
    return lines + wrap(shown.reason.printable, after: "Why \(shown.sessionID.text.printable): ")
  }

  private static func words(_ playback: ShownPlayback) -> String {
    let state =
      if case .playing(let rate) = playback.snapshot.state, rate != 1 { "playing at \(rate)" } else {
        playback.snapshot.state.name
      }
    let position = clock(playback.netPositionSeconds)
    if let duration = playback.netDurationSeconds {
      return "\(state), \(position) of \(clock(duration))"
    }
    return switch playback.snapshot.duration {
    case .live: "\(state), live for \(position)"
    case .continuous: "\(state) for \(position), without an end"
    case .finite, .unknown: "\(state) at \(position)"
    }
  }

  /// Minutes and seconds, with hours if necessary.
  private static func clock(_ seconds: Double) -> String {
    let whole = Int(exactly: max(0, seconds).rounded(.down)) ?? .max
    let (hours, minutes) = (whole / 3600, whole / 60 % 60)
    func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
    return hours > 0
      ? "\(hours):\(two(minutes)):\(two(whole % 60))" : "\(minutes):\(two(whole % 60))"
  }

  // MARK: Sessions and conditions

  private func sessions(_ sessions: [PublishedSession]) -> [String] {
    // The longest names that leave room for a title.
    let widest = 24
    let ids = sessions.map { cut($0.id.text, to: widest) }
    let applications = sessions.map { cut($0.session.application, to: widest) }
    let idWidth = ids.map(\.cells).max() ?? 0
    let applicationWidth = applications.map(\.cells).max() ?? 0
    return sessions.indices.flatMap { index in
      let session = sessions[index]
      let mark = session.isSystemPrimary ? "▶" : session.isApplicationPrimary ? "·" : " "
      let state = session.session.playback?.state.name ?? "idle"
      let line = [
        mark, ids[index].padded(to: idWidth), applications[index].padded(to: applicationWidth),
        state.padded(to: 11), session.session.content?.title ?? "",
      ].joined(separator: "  ")
      return [line] + (session.notShown.map { wrap($0.message.printable, after: "     ") } ?? [])
    }
  }

  /// `nil` for default conditions.
  private func conditions(_ conditions: DeviceConditions) -> String? {
    var words: [String] = []
    if conditions.lowPower { words.append("low power") }
    if conditions.lowData { words.append("low data") }
    if conditions.thermal != .nominal { words.append("thermal \(conditions.thermal.rawValue)") }
    if conditions.reduceMotion { words.append("reduce motion") }
    if conditions.autoPlayOff { words.append("auto-play off") }
    let keys = ArtworkKey.allCases.filter(conditions.supportedKeys.contains).map(\.rawValue)
    if keys.count < ArtworkKey.allCases.count {
      words.append("shows \(keys.isEmpty ? "no animated artwork" : "only \(keys.joined())")")
    }
    return words.isEmpty ? nil : "Device: \(words.joined(separator: ", "))"
  }

  // MARK: Columns

  private func cut(_ text: String) -> String { cut(text, to: width) }

  private func cut(_ text: String, to width: Int) -> String {
    let shown = text.printable
    return shown.cells > width ? shown.shortened(to: width) : shown.trimmingSuffix(" ")
  }

  /// Wraps `text` after `label`, with the following lines indented to its first word.
  private func wrap(_ text: String, after label: String) -> [String] {
    let indent = min(label.cells, width / 2)
    let lines = TextWrap(width: width).lines(text, indent: indent, lead: label.cells)
    return lines.enumerated().map { index, line in
      (index == 0 ? label : String(repeating: " ", count: indent)) + line
    }
  }
}
