/// A command that a player carries out, with its handler, like `MediaCommand` of the NowPlaying framework:
///
///     var commands: [MediaCommand] {
///       [.play { self.play() }, .next { self.next() }.enabled(queue.hasNext)]
///     }
///
/// A handler runs with the isolation of the place where it is written. It returns a ``CommandStatus``, or nothing for success
/// if it is one expression; an error is told as `failed`.
public struct MediaCommand: Sendable {
  public let name: CommandName
  /// What a session says of the command.
  public private(set) var offer: OfferedCommand
  private let handler: @Sendable (RequestedCommand) async throws -> CommandStatus?

  /// - Parameter argument: that of a request for this command; `nil` for a request for another one.
  private init<Argument: Sendable>(
    _ name: CommandName, offering offer: OfferedCommand = OfferedCommand(),
    _ argument: @escaping @Sendable (RequestedCommand) -> Argument?,
    _ handler: @escaping @Sendable (Argument) async throws -> CommandStatus
  ) {
    self.name = name
    self.offer = offer
    self.handler = { command in
      guard let argument = argument(command) else { return nil }
      return try await handler(argument)
    }
  }

  /// A command without arguments.
  private init(
    _ name: CommandName, _ handler: @escaping @Sendable () async throws -> CommandStatus
  ) {
    self.name = name
    offer = OfferedCommand()
    self.handler = { $0.name == name ? try await handler() : nil }
  }

  /// Whether it can be asked for now, for example whether there is a next item.
  public func enabled(_ isEnabled: Bool) -> MediaCommand {
    var command = self
    command.offer.isEnabled = isEnabled
    return command
  }

  /// Whether it can be asked for while an ad plays.
  public func enabledInAds(_ isEnabled: Bool) -> MediaCommand {
    var command = self
    command.offer.isEnabledInAds = isEnabled
    return command
  }

  /// Calls the handler, unless the command is disabled.
  package func perform(_ command: RequestedCommand) async -> CommandAnswer {
    guard offer.isEnabled else {
      return CommandAnswer(.notSupported, "\(name.rawValue) was disabled meanwhile")
    }
    do {
      return CommandAnswer(try await handler(command) ?? .notSupported)
    } catch {
      let words = "\(error)".unicodeScalars.prefix(TextLimits.line.upperBound)
      return CommandAnswer(.failed, String(String.UnicodeScalarView(words)))
    }
  }
}

extension MediaCommand {
  public static func play(
    @_inheritActorContext _ handler: @escaping @Sendable () async throws -> CommandStatus
  ) -> MediaCommand {
    MediaCommand(.play, handler)
  }

  public static func pause(
    @_inheritActorContext _ handler: @escaping @Sendable () async throws -> CommandStatus
  ) -> MediaCommand {
    MediaCommand(.pause, handler)
  }

  public static func togglePlayPause(
    @_inheritActorContext _ handler: @escaping @Sendable () async throws -> CommandStatus
  ) -> MediaCommand {
    MediaCommand(.togglePlayPause, handler)
  }

  public static func stop(
    @_inheritActorContext _ handler: @escaping @Sendable () async throws -> CommandStatus
  ) -> MediaCommand {
    MediaCommand(.stop, handler)
  }

  public static func next(
    @_inheritActorContext _ handler: @escaping @Sendable () async throws -> CommandStatus
  ) -> MediaCommand {
    MediaCommand(.next, handler)
  }

  public static func previous(
    @_inheritActorContext _ handler: @escaping @Sendable () async throws -> CommandStatus
  ) -> MediaCommand {
    MediaCommand(.previous, handler)
  }

  /// The handler receives seconds from the item's beginning, ads included.
  public static func seekToPosition(
    @_inheritActorContext _ handler: @escaping @Sendable (Double) async throws -> CommandStatus
  ) -> MediaCommand {
    MediaCommand(
      .seekToPosition,
      { if case .seekToPosition(let position) = $0 { position } else { nil } }, handler)
  }

  /// For as long as a key is held: the handler receives its two ends.
  public static func seekForward(
    @_inheritActorContext _ handler: @escaping @Sendable (SeekPhase) async throws -> CommandStatus
  ) -> MediaCommand {
    MediaCommand(
      .seekForward,
      { if case .seekForward(let phase) = $0 { phase } else { nil } }, handler)
  }

  /// As `seekForward`.
  public static func seekBackward(
    @_inheritActorContext _ handler: @escaping @Sendable (SeekPhase) async throws -> CommandStatus
  ) -> MediaCommand {
    MediaCommand(
      .seekBackward,
      { if case .seekBackward(let phase) = $0 { phase } else { nil } }, handler)
  }

  /// The handler receives the seconds to skip, which need not be among the preferred ones.
  public static func skipForward(
    preferredIntervals: [Double],
    @_inheritActorContext _ handler: @escaping @Sendable (Double) async throws -> CommandStatus
  ) -> MediaCommand {
    MediaCommand(
      .skipForward, offering: OfferedCommand(preferredIntervals: preferredIntervals),
      { if case .skipForward(interval: let interval) = $0 { interval } else { nil } }, handler)
  }

  /// As `skipForward`.
  public static func skipBackward(
    preferredIntervals: [Double],
    @_inheritActorContext _ handler: @escaping @Sendable (Double) async throws -> CommandStatus
  ) -> MediaCommand {
    MediaCommand(
      .skipBackward, offering: OfferedCommand(preferredIntervals: preferredIntervals),
      { if case .skipBackward(interval: let interval) = $0 { interval } else { nil } }, handler)
  }

  /// The handler receives one of the supported rates; any rate if there are none.
  public static func changePlaybackRate(
    supportedRates: [Double], rate: Double? = nil,
    @_inheritActorContext _ handler: @escaping @Sendable (Double) async throws -> CommandStatus
  ) -> MediaCommand {
    MediaCommand(
      .changePlaybackRate, offering: OfferedCommand(supportedRates: supportedRates, rate: rate),
      { if case .changePlaybackRate(let rate) = $0 { rate } else { nil } }, handler)
  }

  /// Takes the present mode; the handler receives the new one.
  public static func changeRepeatMode(
    _ mode: RepeatMode,
    @_inheritActorContext _ handler: @escaping @Sendable (RepeatMode) async throws -> CommandStatus
  ) -> MediaCommand {
    MediaCommand(
      .changeRepeatMode, offering: OfferedCommand(repeatMode: mode),
      { if case .changeRepeatMode(let mode) = $0 { mode } else { nil } }, handler)
  }

  /// Takes the present mode; the handler receives the new one.
  public static func changeShuffleMode(
    _ mode: ShuffleMode,
    @_inheritActorContext _ handler: @escaping @Sendable (ShuffleMode) async throws -> CommandStatus
  ) -> MediaCommand {
    MediaCommand(
      .changeShuffleMode, offering: OfferedCommand(shuffleMode: mode),
      { if case .changeShuffleMode(let mode) = $0 { mode } else { nil } }, handler)
  }

  /// The handler receives whether the item is liked from now on.
  public static func like(
    isActive: Bool = false,
    @_inheritActorContext _ handler: @escaping @Sendable (Bool) async throws -> CommandStatus
  ) -> MediaCommand {
    MediaCommand(
      .like, offering: OfferedCommand(isActive: isActive),
      { if case .like(let isActive) = $0 { isActive } else { nil } }, handler)
  }

  /// The handler receives whether the item is disliked from now on.
  public static func dislike(
    isActive: Bool = false,
    @_inheritActorContext _ handler: @escaping @Sendable (Bool) async throws -> CommandStatus
  ) -> MediaCommand {
    MediaCommand(
      .dislike, offering: OfferedCommand(isActive: isActive),
      { if case .dislike(let isActive) = $0 { isActive } else { nil } }, handler)
  }

  /// The handler receives whether the item is bookmarked from now on.
  public static func bookmark(
    isActive: Bool = false,
    @_inheritActorContext _ handler: @escaping @Sendable (Bool) async throws -> CommandStatus
  ) -> MediaCommand {
    MediaCommand(
      .bookmark, offering: OfferedCommand(isActive: isActive),
      { if case .bookmark(let isActive) = $0 { isActive } else { nil } }, handler)
  }

  /// Takes the present rating; the handler receives the new one, from 0 to `maximum`.
  public static func rating(
    _ rating: Double? = nil, of maximum: Double = 5,
    @_inheritActorContext _ handler: @escaping @Sendable (Double) async throws -> CommandStatus
  ) -> MediaCommand {
    MediaCommand(
      .rating, offering: OfferedCommand(rating: rating, maximumRating: maximum),
      { if case .rating(let rating) = $0 { rating } else { nil } }, handler)
  }

  /// The handler receives the ``LanguageOption/id`` of one of the options.
  public static func enableLanguageOption(
    _ options: [LanguageOption],
    @_inheritActorContext _ handler: @escaping @Sendable (String) async throws -> CommandStatus
  ) -> MediaCommand {
    MediaCommand(
      .enableLanguageOption, offering: OfferedCommand(options: options),
      { if case .enableLanguageOption(id: let id) = $0 { id } else { nil } }, handler)
  }

  /// The handler receives the ``LanguageOption/id`` of one of the options.
  public static func disableLanguageOption(
    _ options: [LanguageOption],
    @_inheritActorContext _ handler: @escaping @Sendable (String) async throws -> CommandStatus
  ) -> MediaCommand {
    MediaCommand(
      .disableLanguageOption, offering: OfferedCommand(options: options),
      { if case .disableLanguageOption(id: let id) = $0 { id } else { nil } }, handler)
  }
}
