/// The status and the header fields of a response.
struct ResponseHead: Sendable {
  var status: Int
  /// Header fields in the order in which they arrived, with names as the server wrote them.
  var headers: [(name: String, value: String)] = []
}

/// Builds a response's head from the lines that libcurl delivers. Skips informational responses (1xx).
struct ResponseHeadParser: Sendable {
  /// Bytes of all header and trailer lines, informational responses included: 256 KiB, far more than servers send.
  static let byteLimit = 256 << 10

  /// Complete once the empty line after it has arrived.
  private(set) var head: ResponseHead?
  private var partial: ResponseHead?
  private var byteCount = 0

  /// - Throws: `lost` for too many bytes and for a status line without a status.
  mutating func read(_ line: some Collection<UInt8>) throws(TransferError) {
    byteCount += line.count
    guard byteCount <= Self.byteLimit else {
      throw .lost("the response has more than \(Self.byteLimit) bytes of header fields")
    }
    // Trailers of a chunked body are counted and dropped.
    if head != nil { return }
    let text = Self.trimmed(line)
    if text.isEmpty {
      if let partial, partial.status >= 200 { head = partial }
      partial = nil
    } else if partial == nil {
      partial = try Self.statusLine(text)
    } else if line.first == UInt8(ascii: " ") || line.first == UInt8(ascii: "\t") {
      // A folded line continues the value before it (RFC 9112, 5.2).
      if let last = partial?.headers.indices.last {
        partial?.headers[last].value += " " + String(decoding: text, as: UTF8.self)
      }
    } else if let colon = text.firstIndex(of: UInt8(ascii: ":")) {
      let name = String(decoding: text[..<colon], as: UTF8.self)
      let value = Self.trimmed(text[text.index(after: colon)...])
      partial?.headers.append((name, String(decoding: value, as: UTF8.self)))
    }
  }

  private static func statusLine(_ text: [UInt8]) throws(TransferError) -> ResponseHead {
    let words = text.split(separator: UInt8(ascii: " "))
    guard text.starts(with: "HTTP/".utf8), words.count >= 2,
      let status = Int(String(decoding: words[1], as: UTF8.self)), (100...999).contains(status)
    else { throw .lost("the response has no status") }
    return ResponseHead(status: status)
  }

  /// Without spaces, tabs and line ends at both ends.
  private static func trimmed(_ line: some Collection<UInt8>) -> [UInt8] {
    let isBlank: (UInt8) -> Bool = { [0x20, 0x09, 0x0d, 0x0a].contains($0) }
    return Array(Array(line.drop(while: isBlank)).trimmingSuffix(while: isBlank))
  }
}

extension [UInt8] {
  fileprivate func trimmingSuffix(while isBlank: (UInt8) -> Bool) -> ArraySlice<UInt8> {
    self[..<(lastIndex { !isBlank($0) }.map { $0 + 1 } ?? startIndex)]
  }
}
