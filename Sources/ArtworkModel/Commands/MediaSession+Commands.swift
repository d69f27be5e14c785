extension MediaSession {
  /// The command as delivered to the owner of this session: a skip has its interval, and if the session does not
  /// offer `togglePlayPause`, that becomes `play` or `pause`.
  ///
  /// - Parameters:
  ///   - id: the session's name, for messages.
  ///   - seconds: now, in seconds since 1970.
  /// - Throws: `command-not-offered`, `command-disabled`; `live-content` for a skip of live content; `bad-request` for an
  ///   argument that the session does not take.
  package func admitted(
    _ command: RequestedCommand, to id: SessionID, at seconds: Double
  ) throws(StoreError) -> RequestedCommand {
    let command = resolved(command)
    let name = command.name
    let subject = "\(SessionReference(application, id))"
    guard let offer = commands[name] else {
      let names = commands.keys.map(\.rawValue).sorted().joined(separator: ", ")
      throw StoreError(
        .commandNotOffered,
        "\(subject) does not offer \(name.rawValue); "
          + (names.isEmpty ? "it offers no commands" : "it offers \(names)"))
    }
    guard offer.isEnabled else {
      throw StoreError(.commandDisabled, "\(subject) has disabled \(name.rawValue) for now")
    }
    let playback = timedPlayback
    if !offer.isEnabledInAds, playback?.isInAdBreak(at: seconds) == true {
      throw StoreError(
        .commandDisabled, "\(subject) has disabled \(name.rawValue) while an ad plays")
    }
    if name.skips, playback?.duration == .live {
      throw StoreError(.liveContent, "\(subject) plays live content, which cannot be skipped")
    }
    return try offer.completed(command, playback)
  }

  private func resolved(_ command: RequestedCommand) -> RequestedCommand {
    guard command == .togglePlayPause, commands[.togglePlayPause] == nil else { return command }
    let resolved: RequestedCommand = isActive ? .pause : .play
    return commands[resolved.name] == nil ? command : resolved
  }
}

extension OfferedCommand {
  /// The command with an interval if it skips, and a state if it likes, dislikes or bookmarks.
  ///
  /// - Throws: `bad-request` for an argument that the offer does not allow.
  fileprivate func completed(
    _ command: RequestedCommand, _ playback: PlaybackSnapshot?
  ) throws(StoreError) -> RequestedCommand {
    var command = command
    switch command.name {
    case .skipForward, .skipBackward:
      if command.interval == nil { command.interval = try preferredInterval() }
    case .seekToPosition:
      if case .finite(let end)? = playback?.duration, let position = command.position,
        position > end
      {
        throw StoreError(
          .badRequest, "position must be at most \(end.words), the duration in seconds")
      }
    case .changePlaybackRate:
      if let rate = command.rate, !supportedRates.isEmpty, !supportedRates.contains(rate) {
        let rates = supportedRates.map(\.words).joined(separator: ", ")
        throw StoreError(.badRequest, "rate must be one of \(rates)")
      }
    case .like, .dislike, .bookmark: command.isActive = command.isActive ?? true
    case .rating:
      let maximum = maximumRating ?? Self.usualMaximumRating
      if let rating = command.rating, rating > maximum {
        throw StoreError(.badRequest, "rating must be at most \(maximum.words)")
      }
    case .enableLanguageOption, .disableLanguageOption:
      if !options.contains(where: { $0.id == command.option }) {
        let ids = options.map(\.id).joined(separator: ", ")
        throw StoreError(
          .badRequest,
          "option must be one that the session offers"
            + (ids.isEmpty ? "; it offers none" : ": \(ids)"))
      }
    default: break
    }
    return command
  }

  private func preferredInterval() throws(StoreError) -> Double {
    guard let interval = preferredIntervals.first else {
      throw StoreError(.badRequest, "interval is missing, and the session prefers none")
    }
    return interval
  }
}
