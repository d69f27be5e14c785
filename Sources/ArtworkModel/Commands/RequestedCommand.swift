/// A requested command with its arguments.
public enum RequestedCommand: Sendable, Equatable {
  case play, pause, togglePlayPause, stop, next, previous
  /// - Parameter position: seconds from the item's beginning, ads included.
  case seekToPosition(_ position: Double)
  case seekForward(SeekPhase)
  case seekBackward(SeekPhase)
  /// - Parameter interval: seconds, above 0; `nil` for the interval that the session prefers.
  case skipForward(interval: Double? = nil)
  case skipBackward(interval: Double? = nil)
  /// - Parameter rate: finite, not 0.
  case changePlaybackRate(_ rate: Double)
  case changeRepeatMode(RepeatMode)
  case changeShuffleMode(ShuffleMode)
  /// - Parameter isActive: `false` reverts it.
  case like(_ isActive: Bool = true)
  case dislike(_ isActive: Bool = true)
  case bookmark(_ isActive: Bool = true)
  /// - Parameter rating: from 0 to the maximum that the session offers.
  case rating(_ rating: Double)
  /// - Parameter id: of a ``LanguageOption`` that the session offers.
  case enableLanguageOption(id: String)
  case disableLanguageOption(id: String)

  public var name: CommandName {
    switch self {
    case .play: .play
    case .pause: .pause
    case .togglePlayPause: .togglePlayPause
    case .stop: .stop
    case .next: .next
    case .previous: .previous
    case .seekToPosition: .seekToPosition
    case .seekForward: .seekForward
    case .seekBackward: .seekBackward
    case .skipForward: .skipForward
    case .skipBackward: .skipBackward
    case .changePlaybackRate: .changePlaybackRate
    case .changeRepeatMode: .changeRepeatMode
    case .changeShuffleMode: .changeShuffleMode
    case .like: .like
    case .dislike: .dislike
    case .bookmark: .bookmark
    case .rating: .rating
    case .enableLanguageOption: .enableLanguageOption
    case .disableLanguageOption: .disableLanguageOption
    }
  }
}

extension RequestedCommand: Codable {
  private enum CodingKeys: String, CodingKey {
    case command, position, phase, interval, rate, mode, rating, option
    case isActive = "active"

    /// The field that a command has beside its name.
    static func argument(of name: CommandName) -> Self? {
      switch name {
      case .play, .pause, .togglePlayPause, .stop, .next, .previous: nil
      case .seekToPosition: .position
      case .seekForward, .seekBackward: .phase
      case .skipForward, .skipBackward: .interval
      case .changePlaybackRate: .rate
      case .changeRepeatMode, .changeShuffleMode: .mode
      case .like, .dislike, .bookmark: .isActive
      case .rating: .rating
      case .enableLanguageOption, .disableLanguageOption: .option
      }
    }
  }

  public init(from decoder: any Decoder) throws { try self.init(from: decoder, besides: []) }

  /// - Parameter others: fields of the enclosing object.
  /// - Throws: `DecodingError` for an unknown command, an argument that is missing or out of its range, and one that the
  ///   command does not have.
  init(from decoder: any Decoder, besides others: Set<String>) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    let name: CommandName = try container.choice(forKey: .command)
    let argument = CodingKeys.argument(of: name)
    try decoder.refuseFields(otherThan: [.command] + (argument.map { [$0] } ?? []), and: others)
    func isActive() throws -> Bool {
      try container.decodeIfPresent(Bool.self, forKey: .isActive) ?? true
    }
    func interval() throws -> Double? {
      try container.numberIfPresent(
        forKey: .interval, "seconds above 0", isAllowed: OfferedCommand.isInterval)
    }
    func option() throws -> String { try container.text(forKey: .option, TextLimits.application) }
    self =
      switch name {
      case .play: .play
      case .pause: .pause
      case .togglePlayPause: .togglePlayPause
      case .stop: .stop
      case .next: .next
      case .previous: .previous
      case .seekToPosition: .seekToPosition(try container.time(forKey: .position))
      case .seekForward: .seekForward(try container.choice(forKey: .phase))
      case .seekBackward: .seekBackward(try container.choice(forKey: .phase))
      case .skipForward: .skipForward(interval: try interval())
      case .skipBackward: .skipBackward(interval: try interval())
      case .changePlaybackRate:
        .changePlaybackRate(
          try container.number(
            forKey: .rate, "a number other than 0", isAllowed: OfferedCommand.isRate))
      case .changeRepeatMode: .changeRepeatMode(try container.choice(forKey: .mode))
      case .changeShuffleMode: .changeShuffleMode(try container.choice(forKey: .mode))
      case .like: .like(try isActive())
      case .dislike: .dislike(try isActive())
      case .bookmark: .bookmark(try isActive())
      case .rating:
        .rating(try container.number(forKey: .rating, "0 or above") { $0.isFinite && $0 >= 0 })
      case .enableLanguageOption: .enableLanguageOption(id: try option())
      case .disableLanguageOption: .disableLanguageOption(id: try option())
      }
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(name, forKey: .command)
    switch self {
    case .play, .pause, .togglePlayPause, .stop, .next, .previous: break
    case .seekToPosition(let position): try container.encode(position, forKey: .position)
    case .seekForward(let phase), .seekBackward(let phase):
      try container.encode(phase, forKey: .phase)
    case .skipForward(let interval), .skipBackward(let interval):
      try container.encodeIfPresent(interval, forKey: .interval)
    case .changePlaybackRate(let rate): try container.encode(rate, forKey: .rate)
    case .changeRepeatMode(let mode): try container.encode(mode, forKey: .mode)
    case .changeShuffleMode(let mode): try container.encode(mode, forKey: .mode)
    case .like(let isActive), .dislike(let isActive), .bookmark(let isActive):
      try container.encode(isActive, forKey: .isActive)
    case .rating(let rating): try container.encode(rating, forKey: .rating)
    case .enableLanguageOption(let id), .disableLanguageOption(let id):
      try container.encode(id, forKey: .option)
    }
  }
}

extension CommandName {
  static var allNames: String { allCases.map(\.rawValue).joined(separator: ", ") }
}

extension KeyedDecodingContainer {
  /// One of the names of an enumeration.
  ///
  /// - Throws: `DecodingError` that lists all of them.
  func choice<Choice: RawRepresentable & CaseIterable>(
    forKey key: Key
  ) throws -> Choice where Choice.RawValue == String {
    guard let choice = Choice(rawValue: try decode(String.self, forKey: key)) else {
      throw DecodingError.dataCorruptedError(
        forKey: key, in: self,
        debugDescription: "it must be one of "
          + Choice.allCases.map(\.rawValue).joined(separator: ", "))
    }
    return choice
  }

  package func choiceIfPresent<Choice: RawRepresentable & CaseIterable>(
    forKey key: Key
  ) throws -> Choice? where Choice.RawValue == String {
    guard contains(key), try !decodeNil(forKey: key) else { return nil }
    return try choice(forKey: key) as Choice
  }

  /// A text of a limited number of Unicode scalars.
  func text(forKey key: Key, _ limit: ClosedRange<Int>) throws -> String {
    let text = try decode(String.self, forKey: key)
    guard limit.contains(text.unicodeScalars.count) else {
      throw DecodingError.dataCorruptedError(
        forKey: key, in: self,
        debugDescription: "it must have \(limit.lowerBound) to \(limit.upperBound) characters")
    }
    return text
  }

  func textIfPresent(forKey key: Key, _ limit: ClosedRange<Int>) throws -> String? {
    guard contains(key), try !decodeNil(forKey: key) else { return nil }
    return try text(forKey: key, limit)
  }
}
