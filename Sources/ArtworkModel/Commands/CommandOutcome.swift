/// The owner's status for a command (`MPRemoteCommandHandlerStatus`).
public enum CommandStatus: String, Sendable, Codable, CaseIterable {
  case success
  /// There is nothing to play, or no such item.
  case noSuchContent = "no-such-content"
  /// The owner does not support this.
  case notSupported = "not-supported"
  case failed
}

/// A command on its way to the owner of a session.
public struct DeliveredCommand: Sendable, Equatable {
  /// Identifies the command in the owner's answer. Not reused while the service runs.
  public var number: UInt64
  public var session: SessionReference
  public var command: RequestedCommand
  /// When the service sent it, in seconds since 1970, so that an owner that was busy can tell whether the sender
  /// still waits; `nil` if the service does not report it.
  public var sent: Double?

  package init(
    number: UInt64, session: SessionReference, command: RequestedCommand, sent: Double? = nil
  ) {
    self.number = number
    self.session = session
    self.command = command
    self.sent = sent
  }
}

extension DeliveredCommand: Codable {
  private enum CodingKeys: String, CodingKey {
    case number, sessionID, application, sent
  }

  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    self.init(
      number: try container.decode(UInt64.self, forKey: .number),
      session: SessionReference(
        try container.decode(String.self, forKey: .application),
        try container.decode(SessionID.self, forKey: .sessionID)),
      command: try RequestedCommand(from: decoder),
      sent: try container.decodeIfPresent(Double.self, forKey: .sent))
  }

  public func encode(to encoder: any Encoder) throws {
    try command.encode(to: encoder)
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(number, forKey: .number)
    try container.encode(session.id, forKey: .sessionID)
    try container.encode(session.application, forKey: .application)
    try container.encodeIfPresent(sent, forKey: .sent)
  }
}

/// The owner's answer to a command.
public struct CommandAnswer: Sendable, Equatable, Codable {
  public var status: CommandStatus
  /// A message for the sender, at most 4096 characters.
  public var message: String?

  public init(_ status: CommandStatus, _ message: String? = nil) {
    self.status = status
    self.message = message
  }
}

/// The outcome of a command, for the sender.
public struct CommandOutcome: Sendable, Equatable, Codable {
  /// The session that received the command.
  public var sessionID: SessionID
  public var application: String
  public var number: UInt64
  public var status: Status
  /// The owner's message, or one from the service if the owner did not answer.
  public var message: String?

  public enum Status: String, Sendable, Codable, CaseIterable {
    case success
    case noSuchContent = "no-such-content"
    case notSupported = "not-supported"
    case failed
    /// The owner did not answer within 5 s. It may still carry the command out.
    case timedOut = "timed-out"
    /// The owner's connection was closed before it answered.
    case ownerGone = "owner-gone"
    /// The session was ended before its owner answered.
    case sessionEnded = "session-ended"

    init(_ status: CommandStatus) {
      self =
        switch status {
        case .success: .success
        case .noSuchContent: .noSuchContent
        case .notSupported: .notSupported
        case .failed: .failed
        }
    }
  }

  package init(_ command: DeliveredCommand, _ status: Status, _ message: String? = nil) {
    sessionID = command.session.id
    application = command.session.application
    number = command.number
    self.status = status
    self.message = message
  }
}
