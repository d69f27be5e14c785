/// A session's declaration of a command: whether it is available now, and its values. A command has exactly the
/// values that belong to its name.
public struct OfferedCommand: Sendable, Equatable {
  /// Whether the command is available now. A disabled command is displayed and cannot be requested.
  public var isEnabled: Bool
  /// Whether it remains enabled during ads.
  public var isEnabledInAds: Bool
  /// Seconds that a session prefers to skip, above 0. A request without an interval gets the first.
  public var preferredIntervals: [Double]
  /// Rates that `changePlaybackRate` accepts; empty for any rate.
  public var supportedRates: [Double]
  /// The present rate, not 0.
  public var rate: Double?
  public var repeatMode: RepeatMode?
  public var shuffleMode: ShuffleMode?
  /// Whether the item is liked, disliked or bookmarked.
  public var isActive: Bool?
  /// The present rating, from 0 to ``maximumRating``.
  public var rating: Double?
  /// Above 0; 5 if missing.
  public var maximumRating: Double?
  /// Choices of the language commands.
  public var options: [LanguageOption]

  public init(
    isEnabled: Bool = true, isEnabledInAds: Bool = true, preferredIntervals: [Double] = [],
    supportedRates: [Double] = [], rate: Double? = nil, repeatMode: RepeatMode? = nil,
    shuffleMode: ShuffleMode? = nil, isActive: Bool? = nil, rating: Double? = nil,
    maximumRating: Double? = nil, options: [LanguageOption] = []
  ) {
    self.isEnabled = isEnabled
    self.isEnabledInAds = isEnabledInAds
    self.preferredIntervals = preferredIntervals
    self.supportedRates = supportedRates
    self.rate = rate
    self.repeatMode = repeatMode
    self.shuffleMode = shuffleMode
    self.isActive = isActive
    self.rating = rating
    self.maximumRating = maximumRating
    self.options = options
  }

  /// Highest rating in stars, as in most players.
  package static let usualMaximumRating = 5.0
  /// The most intervals, rates or language options of one command: more than any player has, and few enough for an event.
  package static let longestList = 64
}

// MARK: JSON

extension OfferedCommand: Encodable {
  enum CodingKeys: String, CodingKey {
    case isEnabled = "enabled"
    case isEnabledInAds = "enabledInAds"
    case preferredIntervals, supportedRates, rate, mode
    case isActive = "active"
    case rating
    case maximumRating = "maximum"
    case options

    /// The values of a command.
    static func values(of name: CommandName) -> [Self] {
      let values: [Self] =
        switch name {
        case .skipForward, .skipBackward: [.preferredIntervals]
        case .changePlaybackRate: [.supportedRates, .rate]
        case .changeRepeatMode, .changeShuffleMode: [.mode]
        case .like, .dislike, .bookmark: [.isActive]
        case .rating: [.rating, .maximumRating]
        case .enableLanguageOption, .disableLanguageOption: [.options]
        default: []
        }
      return [.isEnabled, .isEnabledInAds] + values
    }
  }

  /// - Throws: `DecodingError` for a value that this command does not have, or that is out of its range.
  init(from decoder: any Decoder, as name: CommandName) throws {
    try decoder.refuseFields(otherThan: CodingKeys.values(of: name))
    let container = try decoder.container(keyedBy: CodingKeys.self)
    self.init(
      isEnabled: try container.decodeIfPresent(Bool.self, forKey: .isEnabled) ?? true,
      isEnabledInAds: try container.decodeIfPresent(Bool.self, forKey: .isEnabledInAds) ?? true)
    switch name {
    case .skipForward, .skipBackward:
      preferredIntervals = try container.numbers(
        forKey: .preferredIntervals, "seconds above 0", isAllowed: Self.isInterval)
    case .changePlaybackRate:
      supportedRates = try container.numbers(
        forKey: .supportedRates, "numbers other than 0", isAllowed: Self.isRate)
      rate = try container.numberIfPresent(
        forKey: .rate, "a number other than 0", isAllowed: Self.isRate)
    case .changeRepeatMode: repeatMode = try container.choiceIfPresent(forKey: .mode)
    case .changeShuffleMode: shuffleMode = try container.choiceIfPresent(forKey: .mode)
    case .like, .dislike, .bookmark:
      isActive = try container.decodeIfPresent(Bool.self, forKey: .isActive)
    case .rating:
      maximumRating = try container.numberIfPresent(
        forKey: .maximumRating, "above 0, at most 1000"
      ) { $0 > 0 && $0 <= 1000 }
      let range = 0...(maximumRating ?? Self.usualMaximumRating)
      rating = try container.numberIfPresent(
        forKey: .rating, "a number from 0 to \(range.upperBound.words)", isAllowed: range.contains)
    case .enableLanguageOption, .disableLanguageOption:
      options = try container.decodeIfPresent([LanguageOption].self, forKey: .options) ?? []
      try container.checkLength(of: options, forKey: .options)
    default: break
    }
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(isEnabled, forKey: .isEnabled)
    if !isEnabledInAds { try container.encode(false, forKey: .isEnabledInAds) }
    if !preferredIntervals.isEmpty {
      try container.encode(preferredIntervals, forKey: .preferredIntervals)
    }
    if !supportedRates.isEmpty { try container.encode(supportedRates, forKey: .supportedRates) }
    try container.encodeIfPresent(rate, forKey: .rate)
    try container.encodeIfPresent(repeatMode?.rawValue ?? shuffleMode?.rawValue, forKey: .mode)
    try container.encodeIfPresent(isActive, forKey: .isActive)
    try container.encodeIfPresent(rating, forKey: .rating)
    try container.encodeIfPresent(maximumRating, forKey: .maximumRating)
    if !options.isEmpty { try container.encode(options, forKey: .options) }
  }

  package static func isInterval(_ seconds: Double) -> Bool {
    seconds > 0 && seconds <= longestSeconds
  }

  package static func isRate(_ rate: Double) -> Bool { rate.isFinite && rate != 0 }
}

extension Double {
  /// The number in messages: a whole number without its fraction.
  var words: String { Int(exactly: self).map { "\($0)" } ?? "\(self)" }
}

extension KeyedDecodingContainer {
  /// The commands that a session offers; empty if missing.
  func offeredCommands(
    forKey key: Key, _ decoder: any Decoder
  ) throws -> [CommandName: OfferedCommand] {
    guard contains(key), try !decodeNil(forKey: key) else { return [:] }
    let fields = try nestedContainer(keyedBy: FieldName.self, forKey: key)
    var commands: [CommandName: OfferedCommand] = [:]
    for field in fields.allKeys {
      guard let name = CommandName(rawValue: field.stringValue) else {
        // A newer service may know more commands.
        if decoder.ignoresUnknownFields { continue }
        throw DecodingError.dataCorruptedError(
          forKey: field, in: fields,
          debugDescription: "unknown command; known: \(CommandName.allNames)")
      }
      commands[name] = try OfferedCommand(from: fields.superDecoder(forKey: field), as: name)
    }
    return commands
  }

  fileprivate func numbers(
    forKey key: Key, _ expectation: String, isAllowed: (Double) -> Bool
  ) throws -> [Double] {
    guard contains(key), try !decodeNil(forKey: key) else { return [] }
    guard let numbers = try fitting([Double].self, forKey: key), numbers.allSatisfy(isAllowed)
    else {
      throw DecodingError.dataCorruptedError(
        forKey: key, in: self, debugDescription: "they must be \(expectation)")
    }
    try checkLength(of: numbers, forKey: key)
    return numbers
  }

  fileprivate func checkLength(of list: [some Any], forKey key: Key) throws {
    guard list.count > OfferedCommand.longestList else { return }
    throw DecodingError.dataCorruptedError(
      forKey: key, in: self,
      debugDescription: "it must have at most \(OfferedCommand.longestList) elements")
  }
}

extension KeyedEncodingContainer {
  /// Encodes the commands in the order of their names.
  mutating func encode(_ commands: [CommandName: OfferedCommand], forKey key: Key) throws {
    var fields = nestedContainer(keyedBy: FieldName.self, forKey: key)
    for (name, command) in commands.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
      try fields.encode(command, forKey: FieldName(stringValue: name.rawValue))
    }
  }
}
