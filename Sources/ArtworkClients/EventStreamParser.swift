/// Parses server-sent events (HTML Living Standard, 9.2.6) from pieces of any length. Lines end with LF, CR or CRLF;
/// comments and unknown fields are ignored.
struct EventStreamParser {
  struct Message: Equatable {
    /// `message` if the stream does not name the event.
    var name: String
    var data: String
  }

  struct TooLong: Error {}

  /// Bytes of one line, and of the data of one message. A document of ten thousand sessions has a few million bytes.
  var byteLimit = 16 << 20

  private var line: [UInt8] = []
  private var name = ""
  private var data: [UInt8]?
  private var endedWithReturn = false
  private var isFirstLine = true

  /// - Returns: the messages that `bytes` complete.
  mutating func read(_ bytes: some Sequence<UInt8>) throws(TooLong) -> [Message] {
    var messages: [Message] = []
    for byte in bytes {
      let follows = endedWithReturn
      endedWithReturn = byte == UInt8(ascii: "\r")
      switch byte {
      case UInt8(ascii: "\n") where follows: break
      case UInt8(ascii: "\n"), UInt8(ascii: "\r"):
        if let message = try endLine() { messages.append(message) }
      default:
        guard line.count < byteLimit else { throw TooLong() }
        line.append(byte)
      }
    }
    return messages
  }

  private mutating func endLine() throws(TooLong) -> Message? {
    defer { line.removeAll(keepingCapacity: true) }
    if isFirstLine {
      isFirstLine = false
      let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
      if line.starts(with: mark) { line.removeFirst(mark.count) }
    }
    guard !line.isEmpty else { return endMessage() }
    let colon = line.firstIndex(of: UInt8(ascii: ":"))
    var value = colon.map { line[($0 + 1)...] } ?? []
    if value.first == UInt8(ascii: " ") { value = value.dropFirst() }
    switch String(decoding: line[..<(colon ?? line.endIndex)], as: UTF8.self) {
    case "event": name = String(decoding: value, as: UTF8.self)
    case "data":
      let former = data.map { $0 + [UInt8(ascii: "\n")] } ?? []
      guard former.count + value.count <= byteLimit else { throw TooLong() }
      data = former + value
    default: break
    }
    return nil
  }

  private mutating func endMessage() -> Message? {
    defer {
      name = ""
      data = nil
    }
    return data.map {
      Message(name: name.isEmpty ? "message" : name, data: String(decoding: $0, as: UTF8.self))
    }
  }
}
