/// The names of the commands that a session can carry out (`MPRemoteCommandCenter` and `MediaCommand` of Apple's
/// frameworks), as in JSON.
public enum CommandName: String, Sendable, Codable, CodingKeyRepresentable, CaseIterable {
  case play, pause, togglePlayPause, stop, next, previous
  /// Moves to a position of the item.
  case seekToPosition
  /// Seeks quickly for as long as a key is held.
  case seekForward, seekBackward
  /// Skips a number of seconds.
  case skipForward, skipBackward
  case changePlaybackRate, changeRepeatMode, changeShuffleMode
  case like, dislike, bookmark, rating
  /// Switches an audio or subtitle language.
  case enableLanguageOption, disableLanguageOption

  /// Whether the command skips a part of the item, which live content does not allow ("Explore media metadata publishing and
  /// playback interactions", WWDC22).
  package var skips: Bool { self == .skipForward || self == .skipBackward }
}

public enum RepeatMode: String, Sendable, Codable, CaseIterable { case off, one, all }

public enum ShuffleMode: String, Sendable, Codable, CaseIterable { case off, items, collections }

/// The two ends of holding a key.
public enum SeekPhase: String, Sendable, Codable, CaseIterable { case begin, end }

/// An audio or subtitle language of the item (`MPNowPlayingInfoLanguageOption`).
public struct LanguageOption: Sendable, Equatable, OmittedIfEmpty {
  /// Identifies the option in commands, 1 to 1024 characters.
  public var id: String
  /// The displayed name, at most 4096 characters.
  public var name: String
  /// The language, for example `de`; `und` if it is unknown or does not matter.
  public var languageTag: String
  public var kind: Kind
  public var isActive: Bool

  public enum Kind: String, Sendable, Codable, CaseIterable {
    /// Audio, such as spoken languages.
    case audible
    /// Text, such as subtitles.
    case legible
  }

  public init(
    id: String, name: String, languageTag: String = "und", kind: Kind, isActive: Bool = false
  ) {
    self.id = id
    self.name = name
    self.languageTag = languageTag
    self.kind = kind
    self.isActive = isActive
  }
}

extension LanguageOption {
  private enum CodingKeys: String, CodingKey {
    case id, name, languageTag, kind
    case isActive = "active"
  }

  public init(from decoder: any Decoder) throws {
    let fields = try decoder.container(keyedBy: CodingKeys.self)
    self.init(
      id: try fields.decode(String.self, forKey: .id),
      name: try fields.decode(String.self, forKey: .name),
      languageTag: try fields.decodeIfPresent(String.self, forKey: .languageTag) ?? "und",
      kind: try fields.decode(Kind.self, forKey: .kind),
      isActive: try fields.decodeIfPresent(Bool.self, forKey: .isActive) ?? false)
  }
}

/// The recipient of a command.
public enum CommandTarget: Sendable, Equatable {
  /// - Parameter application: of the session; `nil` for the only one of that name.
  case session(SessionID, of: String?)
  /// The primary session of an application.
  case application(String)
  /// The primary session of the system, which is shown.
  case system
}
