/// The recipient of a command.
public enum CommandTarget: Sendable, Equatable {
  /// - Parameter application: of the session; `nil` for the only one of that name.
  case session(SessionID, of: String?)
  /// The primary session of an application.
  case application(String)
  /// The primary session of the system, which is shown.
  case system
}
