/// Handlers that are one expression and return nothing: it succeeds, unless it throws. For longer ones the compiler asks for
/// a status.
extension MediaCommand {
  @_disfavoredOverload
  public static func play(
    @_inheritActorContext _ handler: @escaping @Sendable () async throws -> Void
  ) -> MediaCommand {
    play {
      try await handler()
      return .success
    }
  }

  @_disfavoredOverload
  public static func pause(
    @_inheritActorContext _ handler: @escaping @Sendable () async throws -> Void
  ) -> MediaCommand {
    pause {
      try await handler()
      return .success
    }
  }

  @_disfavoredOverload
  public static func togglePlayPause(
    @_inheritActorContext _ handler: @escaping @Sendable () async throws -> Void
  ) -> MediaCommand {
    togglePlayPause {
      try await handler()
      return .success
    }
  }

  @_disfavoredOverload
  public static func stop(
    @_inheritActorContext _ handler: @escaping @Sendable () async throws -> Void
  ) -> MediaCommand {
    stop {
      try await handler()
      return .success
    }
  }

  @_disfavoredOverload
  public static func next(
    @_inheritActorContext _ handler: @escaping @Sendable () async throws -> Void
  ) -> MediaCommand {
    next {
      try await handler()
      return .success
    }
  }

  @_disfavoredOverload
  public static func previous(
    @_inheritActorContext _ handler: @escaping @Sendable () async throws -> Void
  ) -> MediaCommand {
    previous {
      try await handler()
      return .success
    }
  }

  @_disfavoredOverload
  public static func seekToPosition(
    @_inheritActorContext _ handler: @escaping @Sendable (Double) async throws -> Void
  ) -> MediaCommand {
    seekToPosition {
      try await handler($0)
      return .success
    }
  }

  @_disfavoredOverload
  public static func seekForward(
    @_inheritActorContext _ handler: @escaping @Sendable (SeekPhase) async throws -> Void
  ) -> MediaCommand {
    seekForward {
      try await handler($0)
      return .success
    }
  }

  @_disfavoredOverload
  public static func seekBackward(
    @_inheritActorContext _ handler: @escaping @Sendable (SeekPhase) async throws -> Void
  ) -> MediaCommand {
    seekBackward {
      try await handler($0)
      return .success
    }
  }

  @_disfavoredOverload
  public static func skipForward(
    preferredIntervals: [Double],
    @_inheritActorContext _ handler: @escaping @Sendable (Double) async throws -> Void
  ) -> MediaCommand {
    skipForward(preferredIntervals: preferredIntervals) {
      try await handler($0)
      return .success
    }
  }

  @_disfavoredOverload
  public static func skipBackward(
    preferredIntervals: [Double],
    @_inheritActorContext _ handler: @escaping @Sendable (Double) async throws -> Void
  ) -> MediaCommand {
    skipBackward(preferredIntervals: preferredIntervals) {
      try await handler($0)
      return .success
    }
  }

  @_disfavoredOverload
  public static func changePlaybackRate(
    supportedRates: [Double], rate: Double? = nil,
    @_inheritActorContext _ handler: @escaping @Sendable (Double) async throws -> Void
  ) -> MediaCommand {
    changePlaybackRate(supportedRates: supportedRates, rate: rate) {
      try await handler($0)
      return .success
    }
  }

  @_disfavoredOverload
  public static func changeRepeatMode(
    _ mode: RepeatMode,
    @_inheritActorContext _ handler: @escaping @Sendable (RepeatMode) async throws -> Void
  ) -> MediaCommand {
    changeRepeatMode(mode) {
      try await handler($0)
      return .success
    }
  }

  @_disfavoredOverload
  public static func changeShuffleMode(
    _ mode: ShuffleMode,
    @_inheritActorContext _ handler: @escaping @Sendable (ShuffleMode) async throws -> Void
  ) -> MediaCommand {
    changeShuffleMode(mode) {
      try await handler($0)
      return .success
    }
  }

  @_disfavoredOverload
  public static func like(
    isActive: Bool = false,
    @_inheritActorContext _ handler: @escaping @Sendable (Bool) async throws -> Void
  ) -> MediaCommand {
    like(isActive: isActive) {
      try await handler($0)
      return .success
    }
  }

  @_disfavoredOverload
  public static func dislike(
    isActive: Bool = false,
    @_inheritActorContext _ handler: @escaping @Sendable (Bool) async throws -> Void
  ) -> MediaCommand {
    dislike(isActive: isActive) {
      try await handler($0)
      return .success
    }
  }

  @_disfavoredOverload
  public static func bookmark(
    isActive: Bool = false,
    @_inheritActorContext _ handler: @escaping @Sendable (Bool) async throws -> Void
  ) -> MediaCommand {
    bookmark(isActive: isActive) {
      try await handler($0)
      return .success
    }
  }

  @_disfavoredOverload
  public static func rating(
    _ rating: Double? = nil, of maximum: Double = 5,
    @_inheritActorContext _ handler: @escaping @Sendable (Double) async throws -> Void
  ) -> MediaCommand {
    self.rating(rating, of: maximum) {
      try await handler($0)
      return .success
    }
  }

  @_disfavoredOverload
  public static func enableLanguageOption(
    _ options: [LanguageOption],
    @_inheritActorContext _ handler: @escaping @Sendable (String) async throws -> Void
  ) -> MediaCommand {
    enableLanguageOption(options) {
      try await handler($0)
      return .success
    }
  }

  @_disfavoredOverload
  public static func disableLanguageOption(
    _ options: [LanguageOption],
    @_inheritActorContext _ handler: @escaping @Sendable (String) async throws -> Void
  ) -> MediaCommand {
    disableLanguageOption(options) {
      try await handler($0)
      return .success
    }
  }
}
