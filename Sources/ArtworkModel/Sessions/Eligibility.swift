/// When a session may be shown. Apple's systems show no application without a command handler, and none whose audio
/// mixes with others ("Explore media metadata publishing and playback interactions", WWDC22). Here a session opts in
/// to the first rule and declares the second, so that a player that knows neither is shown.
public enum Eligibility: String, Sendable, Codable, CaseIterable {
  case always
  /// The session is eligible only while it offers at least one command, enabled or not.
  case withCommands = "with-commands"
}

extension MediaSession {
  /// Why the session is published but never primary; `nil` if it may be shown.
  package var ineligibility: Presentation.Reason? {
    if mixesWithOthers {
      Presentation.Reason(
        code: "mixes-with-others", message: "Its audio mixes with others, so it is not eligible.")
    } else if eligibility == .withCommands, commands.isEmpty {
      Presentation.Reason(
        code: "no-commands", message: "It offers no command, so it is not eligible.")
    } else {
      nil
    }
  }
}
