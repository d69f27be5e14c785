package import ArtworkPipeline
import Glibc

#if DesktopPlayers
  import CSystemd

  /// A connection to a message bus, for the thread that opened it. Nothing here waits.
  ///
  /// The only file that knows whether the package trait `DesktopPlayers` is on. libsystemd calls nothing here back: it
  /// returns each message, and this code matches answers to calls.
  @safe struct BusConnection: ~Copyable {
    private let bus: OpaquePointer

    static let isAvailable = true

    private init(adopting bus: OpaquePointer) { unsafe self.bus = unsafe bus }

    static func open(_ address: BusAddress) throws(BusError) -> BusConnection {
      var opened: OpaquePointer?
      let result: Int32
      switch address {
      case .session: result = unsafe sd_bus_open_user(&opened)
      case .system: result = unsafe sd_bus_open_system(&opened)
      case .at(let text):
        var bus: OpaquePointer?
        guard unsafe sd_bus_new(&bus) >= 0, let bus = unsafe bus else {
          throw .noBus(reason: "out of memory")
        }
        let connection = unsafe BusConnection(adopting: bus)
        try unsafe check(sd_bus_set_address(bus, text))
        try unsafe check(sd_bus_set_bus_client(bus, 1))
        try unsafe check(sd_bus_start(bus))
        return connection
      }
      guard result >= 0, let opened = unsafe opened else { throw .noBus(reason: reason(result)) }
      return unsafe BusConnection(adopting: opened)
    }

    // Unsent messages are dropped: a bus that does not read must not block the thread.
    deinit { unsafe sd_bus_close_unref(bus) }

    private static func reason(_ result: Int32) -> String {
      unsafe String(cString: strerror(-result))
    }

    private static func check(_ result: Int32) throws(BusError) {
      guard result < 0 else { return }
      throw result == -ENOTCONN || result == -ECONNRESET || result == -EPIPE || result == -ESTALE
        ? .lost : .malformed(reason: reason(result))
    }

    // MARK: Waiting

    /// The events to wait for with poll(2).
    var waiting: pollfd {
      unsafe pollfd(
        fd: sd_bus_get_fd(bus), events: Int16(truncatingIfNeeded: sd_bus_get_events(bus)),
        revents: 0)
    }

    /// The latest time at which libsystemd must be called, in microseconds of the monotonic clock; `nil` for never.
    var deadline: UInt64? {
      var time: UInt64 = 0
      return unsafe sd_bus_get_timeout(bus, &time) >= 0 && time != .max ? time : nil
    }

    // MARK: Sending

    /// - Returns: the number by which an answer names it.
    func send(_ message: OutgoingMessage) throws(BusError) -> UInt64 {
      var made: OpaquePointer?
      if let destination = message.destination {
        try unsafe Self.check(
          sd_bus_message_new_method_call(
            bus, &made, destination, message.path, message.interface, message.member))
        // Do not start services that are not running.
        try unsafe Self.check(sd_bus_message_set_auto_start(made, 0))
      } else {
        try unsafe Self.check(
          sd_bus_message_new_signal(bus, &made, message.path, message.interface, message.member))
      }
      return try unsafe BusMessageHandle(adopting: made).filled(message.body).sent(over: bus)
    }

    // MARK: Receiving

    /// Takes one message, if there is one, and sends the answer to a call.
    ///
    /// - Returns: whether there may be more.
    func process(_ answer: (BusMessage) -> BusAnswer?) throws(BusError) -> Bool {
      var received: OpaquePointer?
      let result = unsafe sd_bus_process(bus, &received)
      try Self.check(result)
      guard let received = unsafe received else { return result > 0 }
      let handle = unsafe BusMessageHandle(adopting: received)
      let message: BusMessage
      do throws(BusError) {
        message = try handle.message()
      } catch {
        // A body that contradicts its own signature.
        return true
      }
      if message.isFor("org.freedesktop.DBus.Local", "Disconnected") { throw .lost }
      let reply = answer(message)
      guard message.kind == .call(wantsReply: true) else { return true }
      do throws(BusError) {
        try unsafe send(reply ?? .unknown(message), to: received)
      } catch .malformed(let reason) {
        try unsafe send(.error(name: "org.freedesktop.DBus.Error.Failed", reason), to: received)
      }
      return true
    }

    private func send(_ answer: BusAnswer, to call: OpaquePointer) throws(BusError) {
      var made: OpaquePointer?
      switch answer {
      case .values(let values):
        try unsafe Self.check(sd_bus_message_new_method_return(call, &made))
        _ = try unsafe BusMessageHandle(adopting: made).filled(values).sent(over: bus)
      case .error(let name, let text):
        var error = unsafe sd_bus_error()
        defer { unsafe sd_bus_error_free(&error) }
        unsafe sd_bus_error_set(&error, name, text)
        try unsafe Self.check(sd_bus_message_new_method_error(call, &made, &error))
        _ = try unsafe BusMessageHandle(adopting: made).sent(over: bus)
      }
    }
  }

  /// A message of libsystemd.
  @safe private struct BusMessageHandle: ~Copyable {
    private let pointer: OpaquePointer?

    init(adopting pointer: OpaquePointer?) { unsafe self.pointer = unsafe pointer }

    deinit { unsafe sd_bus_message_unref(pointer) }

    private func check(_ result: Int32) throws(BusError) {
      if result < 0 { throw unsafe .malformed(reason: String(cString: strerror(-result))) }
    }

    // MARK: Writing

    consuming func sent(over bus: OpaquePointer) throws(BusError) -> UInt64 {
      var number: UInt64 = 0
      try unsafe check(sd_bus_send(bus, pointer, &number))
      return number
    }

    consuming func filled(_ values: [BusValue]) throws(BusError) -> BusMessageHandle {
      for value in values { try append(value) }
      return self
    }

    private func append(_ value: BusValue) throws(BusError) {
      switch value {
      case .boolean(let value): try append("b", Int32(value ? 1 : 0))
      case .integer(let value, let type):
        switch type {
        case .byte: try append("y", UInt8(clamping: value))
        case .int16: try append("n", Int16(clamping: value))
        case .uint16: try append("q", UInt16(clamping: value))
        case .int32: try append("i", Int32(clamping: value))
        case .uint32: try append("u", UInt32(clamping: value))
        case .int64: try append("x", value)
        case .uint64: try append("t", UInt64(clamping: value))
        }
      case .double(let value): try append("d", value)
      case .string(let text):
        // D-Bus has no zero in texts.
        let text = text.contains("\0") ? text.split(separator: "\0").joined() : text
        try unsafe check(sd_bus_message_append_basic(pointer, code("s"), text))
      case .objectPath(let path):
        try unsafe check(sd_bus_message_append_basic(pointer, code("o"), path))
      case .variant(let value):
        guard let type = value.signature else { throw .malformed(reason: "an omitted value") }
        try container("v", type) { () throws(BusError) in try append(value) }
      case .array(let values, let elements):
        try container("a", elements) { () throws(BusError) in
          for value in values { try append(value) }
        }
      case .dictionary(let values):
        try container("a", "{sv}") { () throws(BusError) in
          for (key, value) in values.sorted(by: { $0.key < $1.key }) {
            try container("e", "sv") { () throws(BusError) in
              try append(.string(key))
              try append(.variant(value.content))
            }
          }
        }
      case .structure(let fields):
        let types = fields.compactMap(\.signature).joined()
        try container("r", types) { () throws(BusError) in
          for field in fields { try append(field) }
        }
      case .omitted: throw .malformed(reason: "an omitted value")
      }
    }

    private func append<Value: BitwiseCopyable>(
      _ type: Character, _ value: Value
    ) throws(BusError) {
      try unsafe check(
        withUnsafePointer(to: value) { unsafe sd_bus_message_append_basic(pointer, code(type), $0) }
      )
    }

    private func container(
      _ type: Character, _ contents: String, _ body: () throws(BusError) -> Void
    ) throws(BusError) {
      try unsafe check(sd_bus_message_open_container(pointer, code(type), contents))
      try body()
      try unsafe check(sd_bus_message_close_container(pointer))
    }

    private func code(_ type: Character) -> CChar { CChar(bitPattern: type.asciiValue ?? 0) }

    // MARK: Reading

    func message() throws(BusError) -> BusMessage {
      var left = BusValue.Limits.values
      func text(_ field: UnsafePointer<CChar>?) -> String? {
        unsafe field.map { unsafe String(cString: $0) }
      }
      return unsafe BusMessage(
        kind: try kind(), sender: text(sd_bus_message_get_sender(pointer)),
        path: text(sd_bus_message_get_path(pointer)),
        interface: text(sd_bus_message_get_interface(pointer)),
        member: text(sd_bus_message_get_member(pointer)),
        body: try values(depth: 0, &left))
    }

    private func kind() throws(BusError) -> BusMessage.Kind {
      var type: UInt8 = 0
      try unsafe check(sd_bus_message_get_type(pointer, &type))
      var call: UInt64 = 0
      switch Int(type) {
      case SD_BUS_MESSAGE_METHOD_CALL:
        return unsafe .call(wantsReply: sd_bus_message_get_expect_reply(pointer) > 0)
      case SD_BUS_MESSAGE_METHOD_RETURN:
        try unsafe check(sd_bus_message_get_reply_cookie(pointer, &call))
        return .reply(to: call)
      case SD_BUS_MESSAGE_METHOD_ERROR:
        try unsafe check(sd_bus_message_get_reply_cookie(pointer, &call))
        let name = unsafe sd_bus_message_get_error(pointer)?.pointee.name
        return unsafe .error(to: call, name: name.map { unsafe String(cString: $0) } ?? "")
      default: return .signal
      }
    }

    /// The values up to the end of the container, or of the message.
    private func values(
      depth: Int, _ left: inout Int, textLimit: Int = BusValue.Limits.text
    ) throws(BusError) -> [BusValue] {
      var values: [BusValue] = []
      while let next = try peek() {
        guard values.count < BusValue.Limits.elements, left > 0 else {
          try unsafe check(sd_bus_message_skip(pointer, nil))
          continue
        }
        left -= 1
        let isPicture = values.last == .string(BusValue.Limits.pictureKey)
        let limit = isPicture ? BusValue.Limits.picture : textLimit
        values.append(try value(next.type, next.contents, depth, &left, textLimit: limit))
      }
      return values
    }

    private func peek() throws(BusError) -> (type: Character, contents: String)? {
      var type: CChar = 0
      var contents: UnsafePointer<CChar>?
      let result = unsafe sd_bus_message_peek_type(pointer, &type, &contents)
      try check(result)
      guard result > 0 else { return nil }
      let character = Character(Unicode.Scalar(UInt8(bitPattern: type)))
      return unsafe (character, contents.map { unsafe String(cString: $0) } ?? "")
    }

    private func value(
      _ type: Character, _ contents: String, _ depth: Int, _ left: inout Int, textLimit: Int
    ) throws(BusError) -> BusValue {
      switch type {
      case "b": return .boolean(try read(type, Int32(0)) != 0)
      case "y": return .integer(Int64(try read(type, UInt8(0))), .byte)
      case "n": return .integer(Int64(try read(type, Int16(0))), .int16)
      case "q": return .integer(Int64(try read(type, UInt16(0))), .uint16)
      case "i": return .integer(Int64(try read(type, Int32(0))), .int32)
      case "u": return .integer(Int64(try read(type, UInt32(0))), .uint32)
      case "x": return .integer(try read(type, Int64(0)), .int64)
      case "t":
        return Int64(exactly: try read(type, UInt64(0))).map { .integer($0, .uint64) } ?? .omitted
      case "d": return .double(try read(type, 0.0))
      case "s": return try text(type, atMost: textLimit).map(BusValue.string) ?? .omitted
      case "o": return try text(type, atMost: textLimit).map(BusValue.objectPath) ?? .omitted
      case "v", "a", "r", "e":
        // Bytes, for example pictures, are skipped as a whole.
        guard depth < BusValue.Limits.depth, type != "a" || contents != "y" else { break }
        try unsafe check(sd_bus_message_enter_container(pointer, code(type), contents))
        let limit = type == "v" ? textLimit : BusValue.Limits.text
        let values = try values(depth: depth + 1, &left, textLimit: limit)
        try unsafe check(sd_bus_message_exit_container(pointer))
        return Self.container(type, contents, values)
      default: break
      }
      try unsafe check(sd_bus_message_skip(pointer, nil))
      return .omitted
    }

    private static func container(
      _ type: Character, _ contents: String, _ values: [BusValue]
    ) -> BusValue {
      switch (type, contents) {
      case ("v", _): return .variant(values.first ?? .omitted)
      case ("a", "{sv}"):
        var entries: [String: BusValue] = [:]
        for case .structure(let pair) in values {
          guard pair.count == 2, case .string(let key) = pair[0], entries[key] == nil else {
            continue
          }
          entries[key] = pair[1].content
        }
        return .dictionary(entries)
      case ("a", _): return .array(values, elements: contents)
      default: return .structure(values)
      }
    }

    private func read<Value: BitwiseCopyable>(
      _ type: Character, _ initial: Value
    ) throws(BusError) -> Value {
      var value = initial
      try unsafe check(
        withUnsafeMutablePointer(to: &value) {
          unsafe sd_bus_message_read_basic(pointer, code(type), $0)
        })
      return value
    }

    /// A text, cut at its limit between two characters.
    private func text(_ type: Character, atMost limit: Int) throws(BusError) -> String? {
      var text: UnsafePointer<CChar>?
      try unsafe check(
        withUnsafeMutablePointer(to: &text) {
          unsafe sd_bus_message_read_basic(pointer, code(type), $0)
        })
      guard let text = unsafe text else { return nil }
      var count = unsafe strnlen(text, limit + 1)
      if count > limit {
        repeat { count -= 1 } while unsafe count > 0 && text[count] & -64 == -128
      }
      return unsafe String(
        decoding: UnsafeRawBufferPointer(start: text, count: count), as: UTF8.self)
    }
  }

#else

  /// A connection that cannot be opened, in a build without libsystemd.
  struct BusConnection: ~Copyable {
    static let isAvailable = false

    static func open(_ address: BusAddress) throws(BusError) -> BusConnection { throw .notBuilt }

    var waiting: pollfd { pollfd(fd: -1, events: 0, revents: 0) }
    var deadline: UInt64? { nil }
    func send(_ message: OutgoingMessage) throws(BusError) -> UInt64 { throw .notBuilt }
    func process(_ answer: (BusMessage) -> BusAnswer?) throws(BusError) -> Bool { throw .notBuilt }
  }

#endif

/// The address of a message bus.
package enum BusAddress: Sendable, Hashable {
  /// That of the desktop session: `DBUS_SESSION_BUS_ADDRESS`, else `bus` in `XDG_RUNTIME_DIR`.
  case session
  /// That of the machine: `DBUS_SYSTEM_BUS_ADDRESS`, else the usual socket.
  case system
  /// An address in D-Bus' notation, for example `unix:path=/run/user/1000/bus`.
  case at(String)
}

extension OptionalLibrary {
  package static let desktopPlayers = OptionalLibrary(
    trait: "DesktopPlayers", library: "libsystemd", isPresent: BusConnection.isAvailable,
    use: "companion")
}
