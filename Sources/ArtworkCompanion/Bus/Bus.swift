import Synchronization

/// A connection to a message bus. Calls are asynchronous and have a time limit; the connection closes with this
/// object.
package final class Bus: Sendable {
  private let loop = BusLoop.shared
  private let connection: Int

  /// How long an answer may take. A process that is stopped (SIGSTOP) never answers.
  package static let timeout = Duration.seconds(2)

  /// Connects.
  ///
  /// - Parameters:
  ///   - receiver: called with each signal and call, and with late replies; on the thread of all buses, so it must be
  ///     quick. Its answer goes to the caller.
  ///   - onLoss: called once if the connection ends on its own.
  package init(
    _ address: BusAddress, receiver: @escaping @Sendable (BusMessage) -> BusAnswer? = { _ in nil },
    onLoss: @escaping @Sendable () -> Void = {}
  ) async throws(BusError) {
    connection = loop.makeConnection()
    let result = await withCheckedContinuation { continuation in
      loop.add(.open(address, receiver, onLoss: onLoss, continuation), to: connection)
    }
    try result.get()
  }

  deinit { loop.add(.close, to: connection) }

  /// - Throws: `late` without an answer within ``timeout``, `refused` with the name of an error, and others.
  @discardableResult
  package func call(_ message: OutgoingMessage) async throws(BusError) -> [BusValue] {
    try await withCheckedContinuation { continuation in
      loop.add(.call(message, until: .now + Self.timeout, continuation), to: connection)
    }.get()
  }

  /// Sends a signal to its subscribers. Returns at once.
  package func emit(_ signal: OutgoingMessage) { loop.add(.signal(signal), to: connection) }
}

/// Calls of the bus itself (D-Bus Specification, "Message Bus Messages").
extension Bus {
  private static let name = "org.freedesktop.DBus"

  private func ask(_ member: String, _ body: [BusValue]) async throws(BusError) -> [BusValue] {
    try await call(.call(Self.name, "/org/freedesktop/DBus", Self.name, member, body))
  }

  /// Subscribes to the signals that a match rule describes.
  package func match(_ rule: String) async throws(BusError) {
    _ = try await ask("AddMatch", [.string(rule)])
  }

  /// Subscribes to changes of the owners of names.
  ///
  /// - Parameter names: a name, and all that begin with it and a dot.
  package func matchOwners(of names: String) async throws(BusError) {
    try await match(
      "type='signal',sender='\(Self.name)',interface='\(Self.name)',member='NameOwnerChanged',"
        + "arg0namespace='\(names)'")
  }

  /// All names, unique ones included.
  package func names() async throws(BusError) -> [String] {
    try await ask("ListNames", []).first?.texts ?? []
  }

  /// The unique name of a name's owner; `nil` without one.
  package func owner(of name: String) async throws(BusError) -> String? {
    do throws(BusError) {
      return try await ask("GetNameOwner", [.string(name)]).first?.text
    } catch {
      if case .refused = error { return nil }
      throw error
    }
  }

  /// The process that owns a name; `nil` if it has exited, or if the bus does not know it.
  package func process(of name: String) async throws(BusError) -> Int32? {
    do throws(BusError) {
      let number = try await ask("GetConnectionUnixProcessID", [.string(name)]).first?.number
      return number.flatMap { Int32(exactly: $0) }
    } catch {
      if case .refused = error { return nil }
      throw error
    }
  }

  /// Requests a name.
  ///
  /// - Returns: whether this connection owns it now.
  package func request(_ name: String) async throws(BusError) -> Bool {
    // 4: do not queue for it; 1: the primary owner, 4: had it already.
    let answer = try await ask("RequestName", [.string(name), .uint32(4)]).first?.number
    return answer == 1 || answer == 4
  }

  /// All properties of an interface of an object.
  package func properties(
    of interface: String, at path: String, by name: String
  ) async throws(BusError) -> [String: BusValue] {
    let answer = try await call(
      .call(name, path, "org.freedesktop.DBus.Properties", "GetAll", [.string(interface)]))
    guard let values = answer.first?.dictionary else {
      throw .malformed(reason: "\(name) gave no dictionary of properties")
    }
    return values
  }

  /// One property; `nil` if there is none.
  package func property(
    _ property: String, of interface: String, at path: String, by name: String
  ) async throws(BusError) -> BusValue? {
    do throws(BusError) {
      return try await call(
        .call(
          name, path, "org.freedesktop.DBus.Properties", "Get",
          [.string(interface), .string(property)])
      ).first?.content
    } catch {
      if case .refused = error { return nil }
      throw error
    }
  }
}
