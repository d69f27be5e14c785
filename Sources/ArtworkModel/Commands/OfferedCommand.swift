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
  private var mode: String?
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
    mode = repeatMode?.rawValue ?? shuffleMode?.rawValue
    self.isActive = isActive
    self.rating = rating
    self.maximumRating = maximumRating
    self.options = options
  }

  /// The present mode of `changeRepeatMode`.
  public var repeatMode: RepeatMode? {
    get { mode.flatMap(RepeatMode.init) }
    set { mode = newValue?.rawValue }
  }

  /// The present mode of `changeShuffleMode`.
  public var shuffleMode: ShuffleMode? {
    get { mode.flatMap(ShuffleMode.init) }
    set { mode = newValue?.rawValue }
  }

  /// Highest rating in stars, as in most players.
  package static let usualMaximumRating = 5.0
}

extension OfferedCommand: Codable {
  private enum CodingKeys: String, CodingKey {
    case isEnabled = "enabled"
    case isEnabledInAds = "enabledInAds"
    case preferredIntervals, supportedRates, rate, mode
    case isActive = "active"
    case rating
    case maximumRating = "maximum"
    case options
  }

  /// - Throws: `DecodingError` for a rating above its maximum.
  public init(from decoder: any Decoder) throws {
    let fields = try decoder.container(keyedBy: CodingKeys.self)
    func list(_ key: CodingKeys) throws -> [Double] {
      try fields.decodeIfPresent([Double].self, forKey: key) ?? []
    }
    self.init(
      isEnabled: try fields.decodeIfPresent(Bool.self, forKey: .isEnabled) ?? true,
      isEnabledInAds: try fields.decodeIfPresent(Bool.self, forKey: .isEnabledInAds) ?? true,
      preferredIntervals: try list(.preferredIntervals), supportedRates: try list(.supportedRates),
      rate: try fields.decodeIfPresent(Double.self, forKey: .rate),
      isActive: try fields.decodeIfPresent(Bool.self, forKey: .isActive),
      rating: try fields.decodeIfPresent(Double.self, forKey: .rating),
      maximumRating: try fields.decodeIfPresent(Double.self, forKey: .maximumRating),
      options: try fields.decode([LanguageOption].self, forKey: .options))
    mode = try fields.decodeIfPresent(String.self, forKey: .mode)
    let maximum = maximumRating ?? Self.usualMaximumRating
    if let rating, rating > maximum {
      throw DecodingError.dataCorruptedError(
        forKey: .rating, in: fields,
        debugDescription: "it must be a number from 0 to \(maximum.words)")
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
    try container.encodeIfPresent(mode, forKey: .mode)
    try container.encodeIfPresent(isActive, forKey: .isActive)
    try container.encodeIfPresent(rating, forKey: .rating)
    try container.encodeIfPresent(maximumRating, forKey: .maximumRating)
    try container.encode(options, forKey: .options)
  }
}

extension Double {
  /// The number in messages: a whole number without its fraction.
  var words: String { Int(exactly: self).map { "\($0)" } ?? "\(self)" }
}
