/// Commands in flight between senders and the owners of sessions. A value without a clock or connections; its owner
/// performs the actions that it returns.
///
/// A command goes to one connection that holds its session: the most recently opened one. It ends once: with the
/// owner's answer, with the end of that connection or of the session, or when the sender gives up.
package struct CommandRouter: Sendable {
  /// A connection that holds a session and receives its commands.
  package struct Receiver: Sendable {
    package var session: SessionReference
    /// Delivers a command without waiting; `false` if the connection accepts no more.
    package var deliver: @Sendable (DeliveredCommand) -> Bool
    /// Reports that another client has taken the session over.
    package var replaced: @Sendable () -> Void

    package init(
      _ session: SessionReference,
      deliver: @escaping @Sendable (DeliveredCommand) -> Bool = { _ in false },
      replaced: @escaping @Sendable () -> Void = {}
    ) {
      self.session = session
      self.deliver = deliver
      self.replaced = replaced
    }
  }

  /// A command that was delivered to its owner and is unanswered.
  package struct Pending: Sendable {
    package var command: DeliveredCommand
    fileprivate var receiver: UInt64
    fileprivate var finish: @Sendable (CommandOutcome) -> Void

    /// Reports the outcome to the sender. Call it once.
    package func end(_ status: CommandOutcome.Status, _ message: String? = nil) {
      finish(CommandOutcome(command, status, message))
    }

    package func end(_ answer: CommandAnswer) {
      end(CommandOutcome.Status(answer.status), answer.message)
    }
  }

  /// The maximum number of unanswered commands per session: a person presses fewer keys in 5 s.
  package static let limit = 32

  private var receivers: [(number: UInt64, receiver: Receiver)] = []
  private var pending: [UInt64: Pending] = [:]
  /// The last number assigned to a receiver or a command.
  private var lastNumber: UInt64 = 0

  package init() {}

  package var pendingCount: Int { pending.count }

  /// - Returns: the number to pass to ``close(_:)``.
  package mutating func open(_ receiver: Receiver) -> UInt64 {
    lastNumber += 1
    receivers.append((lastNumber, receiver))
    return lastNumber
  }

  package func receiver(_ number: UInt64) -> Receiver? {
    receivers.first { $0.number == number }?.receiver
  }

  /// - Returns: the unanswered commands of the connection.
  package mutating func close(_ receiver: UInt64) -> [Pending] {
    receivers.removeAll { $0.number == receiver }
    return take { $0.receiver == receiver }
  }

  /// Sends a command to the owner of a session.
  ///
  /// - Parameters:
  ///   - seconds: now, in seconds since 1970.
  ///   - finish: called once, unless ``giveUp(_:)`` comes first.
  /// - Returns: the command as delivered.
  /// - Throws: `not-listening` if no connection holds the session; `busy` if too many commands are unanswered.
  package mutating func send(
    _ command: RequestedCommand, to session: SessionReference, at seconds: Double,
    finish: @escaping @Sendable (CommandOutcome) -> Void
  ) throws(StoreError) -> DeliveredCommand {
    guard let holder = receivers.last(where: { $0.receiver.session == session }) else {
      throw StoreError(
        .notListening,
        "no connection holds \(session), to receive its commands; its owner must listen to "
          + "/v1/events with ?own= and &application=")
    }
    guard pending.values.count(where: { $0.command.session == session }) < Self.limit else {
      throw StoreError(
        .busy, "\(Self.limit) commands wait for the owner of \(session); try again")
    }
    lastNumber += 1
    let command = DeliveredCommand(
      number: lastNumber, session: session, command: command, sent: seconds)
    guard holder.receiver.deliver(command) else {
      throw StoreError(.busy, "the owner of \(session) does not read its events; try again")
    }
    pending[lastNumber] = Pending(command: command, receiver: holder.number, finish: finish)
    return command
  }

  /// - Returns: the command that was answered.
  /// - Throws: `unknown-command` for one that was not sent to this session, or has ended.
  package mutating func answer(
    _ number: UInt64, of session: SessionReference
  ) throws(StoreError) -> Pending {
    guard let command = pending[number], command.command.session == session else {
      throw StoreError(
        .unknownCommand, "no command \(number) waits for an answer of \(session)")
    }
    pending[number] = nil
    return command
  }

  /// - Returns: `nil` if the command has already ended.
  package mutating func giveUp(_ number: UInt64) -> Pending? { pending.removeValue(forKey: number) }

  /// - Returns: the commands of a session that has ended.
  package mutating func end(_ session: SessionReference) -> [Pending] {
    take { $0.command.session == session }
  }

  private mutating func take(_ isMeant: (Pending) -> Bool) -> [Pending] {
    let taken = pending.values.filter(isMeant).sorted { $0.command.number < $1.command.number }
    for command in taken { pending[command.command.number] = nil }
    return taken
  }
}
