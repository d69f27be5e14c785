/// A requested command with its argument.
public struct RequestedCommand: Sendable, Equatable, Codable {
  public let name: CommandName
  /// Where `seekToPosition` goes, in seconds from the item's beginning, ads included.
  public private(set) var position: Double?
  /// The end of the key press, of `seekForward` and `seekBackward`.
  public private(set) var phase: SeekPhase?
  /// Seconds of `skipForward` and `skipBackward`, above 0; `nil` for the interval that the session prefers.
  public internal(set) var interval: Double?
  /// The rate of `changePlaybackRate`: finite, not 0.
  public private(set) var rate: Double?
  private var mode: String?
  /// Whether `like`, `dislike` or `bookmark` applies; `false` reverts it.
  public internal(set) var isActive: Bool?
  /// The rating, from 0 to the maximum that the session offers.
  public private(set) var rating: Double?
  /// The ``LanguageOption/id`` of `enableLanguageOption` and `disableLanguageOption`.
  public private(set) var option: String?

  private enum CodingKeys: String, CodingKey {
    case name = "command"
    case position, phase, interval, rate, mode, rating, option
    case isActive = "active"
  }

  /// The mode of `changeRepeatMode`.
  public var repeatMode: RepeatMode? { mode.flatMap(RepeatMode.init) }
  /// The mode of `changeShuffleMode`.
  public var shuffleMode: ShuffleMode? { mode.flatMap(ShuffleMode.init) }

  public static let play = Self(name: .play)
  public static let pause = Self(name: .pause)
  public static let togglePlayPause = Self(name: .togglePlayPause)
  public static let stop = Self(name: .stop)
  public static let next = Self(name: .next)
  public static let previous = Self(name: .previous)

  /// - Parameter position: seconds from the item's beginning, ads included.
  public static func seekToPosition(_ position: Double) -> Self {
    Self(name: .seekToPosition, position: position)
  }

  public static func seekForward(_ phase: SeekPhase) -> Self {
    Self(name: .seekForward, phase: phase)
  }

  public static func seekBackward(_ phase: SeekPhase) -> Self {
    Self(name: .seekBackward, phase: phase)
  }

  /// - Parameter interval: seconds, above 0; `nil` for the interval that the session prefers.
  public static func skipForward(interval: Double? = nil) -> Self {
    Self(name: .skipForward, interval: interval)
  }

  public static func skipBackward(interval: Double? = nil) -> Self {
    Self(name: .skipBackward, interval: interval)
  }

  /// - Parameter rate: finite, not 0.
  public static func changePlaybackRate(_ rate: Double) -> Self {
    Self(name: .changePlaybackRate, rate: rate)
  }

  public static func changeRepeatMode(_ mode: RepeatMode) -> Self {
    Self(name: .changeRepeatMode, mode: mode.rawValue)
  }

  public static func changeShuffleMode(_ mode: ShuffleMode) -> Self {
    Self(name: .changeShuffleMode, mode: mode.rawValue)
  }

  /// - Parameter isActive: `false` reverts it.
  public static func like(_ isActive: Bool = true) -> Self {
    Self(name: .like, isActive: isActive)
  }

  public static func dislike(_ isActive: Bool = true) -> Self {
    Self(name: .dislike, isActive: isActive)
  }

  public static func bookmark(_ isActive: Bool = true) -> Self {
    Self(name: .bookmark, isActive: isActive)
  }

  /// - Parameter rating: from 0 to the maximum that the session offers.
  public static func rating(_ rating: Double) -> Self { Self(name: .rating, rating: rating) }

  /// - Parameter id: of a ``LanguageOption`` that the session offers.
  public static func enableLanguageOption(id: String) -> Self {
    Self(name: .enableLanguageOption, option: id)
  }

  public static func disableLanguageOption(id: String) -> Self {
    Self(name: .disableLanguageOption, option: id)
  }
}
