/// A command that a player carries out, with its handler, like `MediaCommand` of the NowPlaying framework:
///
///     var commands: [MediaCommand] {
///       [.play { self.play() }, .next { self.next() }.enabled(queue.hasNext)]
///     }
///
/// These handlers run on the main actor. `init(_:offering:_:)` accepts one that runs elsewhere. A handler returns a
/// ``CommandStatus``, or nothing for success; errors are reported as `failed`.
public struct MediaCommand: Sendable {
  /// Carries out a command on the main actor. It receives the argument of the command, and may throw any error.
  public typealias Handler<Argument> = @MainActor (Argument) async throws -> CommandStatus

  public let name: CommandName
  /// The session's declaration of the command.
  public private(set) var offer: OfferedCommand
  private let handler: @Sendable (RequestedCommand) async throws -> CommandStatus

  /// Creates a command whose handler runs off the main actor, for example in a program that blocks its main thread.
  ///
  /// - Parameters:
  ///   - offer: the values that a command of this name has, for example the rating; it has no others.
  ///   - handler: receives requests with this name only. It may throw any error.
  public init(
    _ name: CommandName, offering offer: OfferedCommand = OfferedCommand(),
    @StatusBuilder _ handler:
      @escaping @Sendable (RequestedCommand) async throws -> CommandStatus
  ) {
    self.name = name
    self.offer = offer
    self.handler = handler
  }

  /// - Parameter argument: the argument of a request with this name; `nil` if it has none.
  private init<Argument: Sendable>(
    _ name: CommandName, offering offer: OfferedCommand = OfferedCommand(),
    _ argument: @escaping @Sendable (RequestedCommand) -> Argument?,
    _ handler: @escaping Handler<Argument>
  ) {
    self.init(name, offering: offer) { command in
      guard let argument = argument(command) else { return .notSupported }
      return try await handler(argument)
    }
  }

  /// A command without arguments.
  private init(_ name: CommandName, _ handler: @escaping Handler<Void>) {
    self.init(name, { _ in () }, handler)
  }

  /// Returns the command, enabled or disabled, for example if there is no next item.
  public func enabled(_ isEnabled: Bool) -> MediaCommand {
    var command = self
    command.offer.isEnabled = isEnabled
    return command
  }

  /// Returns the command, enabled or disabled during ads.
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
      return CommandAnswer(command.name == name ? try await handler(command) : .notSupported)
    } catch {
      return CommandAnswer(.failed, MediaContent.line("\(error)"))
    }
  }
}

extension MediaCommand {
  /// Starts or resumes playback.
  public static func play(@StatusBuilder _ handler: @escaping Handler<Void>) -> Self {
    Self(.play, handler)
  }

  /// Pauses playback.
  public static func pause(@StatusBuilder _ handler: @escaping Handler<Void>) -> Self {
    Self(.pause, handler)
  }

  /// Plays if the player is paused, and pauses if it is playing.
  public static func togglePlayPause(@StatusBuilder _ handler: @escaping Handler<Void>) -> Self {
    Self(.togglePlayPause, handler)
  }

  /// Stops playback.
  public static func stop(@StatusBuilder _ handler: @escaping Handler<Void>) -> Self {
    Self(.stop, handler)
  }

  /// Goes to the next item.
  public static func next(@StatusBuilder _ handler: @escaping Handler<Void>) -> Self {
    Self(.next, handler)
  }

  /// Goes to the previous item.
  public static func previous(@StatusBuilder _ handler: @escaping Handler<Void>) -> Self {
    Self(.previous, handler)
  }

  /// Goes to a position. The handler receives seconds from the item's beginning, ads included.
  public static func seekToPosition(@StatusBuilder _ handler: @escaping Handler<Double>) -> Self {
    Self(.seekToPosition, \.position, handler)
  }

  /// Plays forward fast for as long as a key is held. The handler receives both ends of the key press.
  public static func seekForward(@StatusBuilder _ handler: @escaping Handler<SeekPhase>) -> Self {
    Self(.seekForward, \.phase, handler)
  }

  /// Plays backward fast for as long as a key is held. The handler receives both ends of the key press.
  public static func seekBackward(@StatusBuilder _ handler: @escaping Handler<SeekPhase>) -> Self {
    Self(.seekBackward, \.phase, handler)
  }

  /// Skips forward. The handler receives the seconds to skip, above 0, which need not be among the preferred ones.
  public static func skipForward(
    preferredIntervals: [Double], @StatusBuilder _ handler: @escaping Handler<Double>
  ) -> Self {
    Self(
      .skipForward, offering: OfferedCommand(preferredIntervals: preferredIntervals), \.interval,
      handler)
  }

  /// Skips backward. The handler receives the seconds to skip, above 0, which need not be among the preferred ones.
  public static func skipBackward(
    preferredIntervals: [Double], @StatusBuilder _ handler: @escaping Handler<Double>
  ) -> Self {
    Self(
      .skipBackward, offering: OfferedCommand(preferredIntervals: preferredIntervals), \.interval,
      handler)
  }

  /// Changes the rate. The handler receives one of the supported rates, or any rate but 0 if none are declared.
  ///
  /// - Parameter rate: the current rate, not 0.
  public static func changePlaybackRate(
    supportedRates: [Double], rate: Double? = nil,
    @StatusBuilder _ handler: @escaping Handler<Double>
  ) -> Self {
    Self(
      .changePlaybackRate, offering: OfferedCommand(supportedRates: supportedRates, rate: rate),
      \.rate, handler)
  }

  /// Changes the repeat mode. The handler receives the new one.
  ///
  /// - Parameter mode: the present mode.
  public static func changeRepeatMode(
    _ mode: RepeatMode, @StatusBuilder _ handler: @escaping Handler<RepeatMode>
  ) -> Self {
    Self(.changeRepeatMode, offering: OfferedCommand(repeatMode: mode), \.repeatMode, handler)
  }

  /// Changes the shuffle mode. The handler receives the new one.
  ///
  /// - Parameter mode: the present mode.
  public static func changeShuffleMode(
    _ mode: ShuffleMode, @StatusBuilder _ handler: @escaping Handler<ShuffleMode>
  ) -> Self {
    Self(.changeShuffleMode, offering: OfferedCommand(shuffleMode: mode), \.shuffleMode, handler)
  }

  /// Likes the item, or reverts that. The handler receives the new state.
  ///
  /// - Parameter isActive: whether the item is liked now.
  public static func like(
    isActive: Bool = false, @StatusBuilder _ handler: @escaping Handler<Bool>
  ) -> Self {
    Self(.like, offering: OfferedCommand(isActive: isActive), { $0.isActive ?? true }, handler)
  }

  /// Dislikes the item, or reverts that. The handler receives the new state.
  ///
  /// - Parameter isActive: whether the item is disliked now.
  public static func dislike(
    isActive: Bool = false, @StatusBuilder _ handler: @escaping Handler<Bool>
  ) -> Self {
    Self(.dislike, offering: OfferedCommand(isActive: isActive), { $0.isActive ?? true }, handler)
  }

  /// Bookmarks the item, or reverts that. The handler receives the new state.
  ///
  /// - Parameter isActive: whether the item is bookmarked now.
  public static func bookmark(
    isActive: Bool = false, @StatusBuilder _ handler: @escaping Handler<Bool>
  ) -> Self {
    Self(.bookmark, offering: OfferedCommand(isActive: isActive), { $0.isActive ?? true }, handler)
  }

  /// Rates the item. The handler receives the new rating, from 0 to `maximum`.
  ///
  /// - Parameters:
  ///   - rating: the present rating, from 0 to `maximum`; `nil` for none.
  ///   - maximum: the best rating, above 0.
  public static func rating(
    _ rating: Double? = nil, of maximum: Double = 5,
    @StatusBuilder _ handler: @escaping Handler<Double>
  ) -> Self {
    Self(
      .rating, offering: OfferedCommand(rating: rating, maximumRating: maximum), \.rating, handler)
  }

  /// Enables a language. The handler receives the ``LanguageOption/id`` of one of the options.
  public static func enableLanguageOption(
    _ options: [LanguageOption], @StatusBuilder _ handler: @escaping Handler<String>
  ) -> Self {
    Self(.enableLanguageOption, offering: OfferedCommand(options: options), \.option, handler)
  }

  /// Disables a language. The handler receives the ``LanguageOption/id`` of one of the options.
  public static func disableLanguageOption(
    _ options: [LanguageOption], @StatusBuilder _ handler: @escaping Handler<String>
  ) -> Self {
    Self(.disableLanguageOption, offering: OfferedCommand(options: options), \.option, handler)
  }
}

extension MediaCommand {
  /// Combines the expressions of a handler into a status: success, unless one of them is another status. All of them
  /// are evaluated, and the first other status wins. The compiler does not transform a handler with `return`.
  @resultBuilder
  public enum StatusBuilder {
    public static func buildExpression(_ status: CommandStatus) -> CommandStatus { status }

    /// Means success, also if an optional chain is `nil`, as in `self?.play()`.
    public static func buildExpression(_ nothing: Void?) -> CommandStatus { .success }

    public static func buildBlock(_ statuses: CommandStatus...) -> CommandStatus {
      buildArray(statuses)
    }

    public static func buildOptional(_ status: CommandStatus?) -> CommandStatus {
      status ?? .success
    }

    public static func buildEither(first status: CommandStatus) -> CommandStatus { status }

    public static func buildEither(second status: CommandStatus) -> CommandStatus { status }

    public static func buildArray(_ statuses: [CommandStatus]) -> CommandStatus {
      statuses.first { $0 != .success } ?? .success
    }
  }
}
