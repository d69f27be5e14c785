/// A message that came over a bus.
package struct BusMessage: Sendable {
  package enum Kind: Sendable, Equatable {
    case call(wantsReply: Bool)
    case signal
    /// The answer to the call with this number.
    case reply(to: UInt64)
    /// - Parameter name: for example `org.freedesktop.DBus.Error.ServiceUnknown`.
    case error(to: UInt64, name: String)
  }

  package var kind: Kind
  /// The unique name of the connection that sent it, which the bus guarantees.
  package var sender: String?
  package var path: String?
  package var interface: String?
  package var member: String?
  package var body: [BusValue]

  /// Whether it is this signal or call.
  package func isFor(_ interface: String, _ member: String) -> Bool {
    self.interface == interface && self.member == member
  }
}

/// A call or a signal to send.
package struct OutgoingMessage: Sendable {
  /// The name that a call goes to; `nil` for a signal, which goes to all its subscribers.
  package var destination: String?
  package var path: String
  package var interface: String
  package var member: String
  package var body: [BusValue]

  package static func call(
    _ destination: String, _ path: String, _ interface: String, _ member: String,
    _ body: [BusValue] = []
  ) -> OutgoingMessage {
    OutgoingMessage(
      destination: destination, path: path, interface: interface, member: member, body: body)
  }

  package static func signal(
    _ path: String, _ interface: String, _ member: String, _ body: [BusValue]
  ) -> OutgoingMessage {
    OutgoingMessage(
      destination: nil, path: path, interface: interface, member: member, body: body)
  }
}

/// The answer to a call.
package enum BusAnswer: Sendable, Equatable {
  case values([BusValue])
  case error(name: String, String)

  package static func unknown(_ message: BusMessage) -> BusAnswer {
    .error(
      name: "org.freedesktop.DBus.Error.UnknownMethod",
      "no method \(message.member ?? "") in \(message.interface ?? "any interface")")
  }
}

/// Why something over a bus failed.
package enum BusError: Error, Hashable, Sendable {
  /// There is no bus at the address, or it refuses this user.
  case noBus(reason: String)
  /// The connection has ended.
  case lost
  /// No answer within the time.
  case late
  /// The other side answered with an error of this name.
  case refused(name: String)
  /// The message cannot be sent or read.
  case malformed(reason: String)
  /// A build without libsystemd.
  case notBuilt
}

extension BusError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .noBus(let reason): "no message bus (\(reason)): is this a desktop session?"
    case .lost: "the connection to the message bus was lost"
    case .late: "no answer over the message bus in time"
    case .refused(let name): "the call was refused: \(name)"
    case .malformed(let reason): "a message was not understood: \(reason)"
    case .notBuilt: "this build has no libsystemd; build it with the trait DesktopPlayers"
    }
  }
}
