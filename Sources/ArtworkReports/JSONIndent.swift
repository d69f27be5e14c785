/// JSON on many lines: the layout of Foundation's encoder for `.prettyPrinted`, applied to JSON that it wrote on one.
package enum JSONIndent {
  /// - Parameters:
  ///   - json: valid, without spaces between its parts.
  ///   - depth: how many brackets are open around it.
  package static func lines(_ json: some Collection<UInt8>, depth: Int) -> [UInt8] {
    var lines: [UInt8] = []
    lines.reserveCapacity(json.count * 2)
    var depth = depth
    var (isText, isEscaped, isNew) = (false, false, false)
    func breakLine() {
      lines.append(UInt8(ascii: "\n"))
      for _ in 0..<2 * depth { lines.append(0x20) }
    }
    for byte in json {
      if isText {
        lines.append(byte)
        if isEscaped {
          isEscaped = false
        } else if byte == UInt8(ascii: "\\") {
          isEscaped = true
        } else if byte == UInt8(ascii: "\"") {
          isText = false
        }
        continue
      }
      let isClosing = byte == UInt8(ascii: "}") || byte == UInt8(ascii: "]")
      if isClosing {
        depth -= 1
        // Nothing between two brackets is an empty line.
        if isNew { lines.append(UInt8(ascii: "\n")) }
      }
      if isNew || isClosing { breakLine() }
      isNew = false
      switch byte {
      case UInt8(ascii: ":"):
        lines.append(0x20)
        lines.append(byte)
        lines.append(0x20)
      case UInt8(ascii: ","):
        lines.append(byte)
        breakLine()
      default:
        lines.append(byte)
        isText = byte == UInt8(ascii: "\"")
        isNew = byte == UInt8(ascii: "{") || byte == UInt8(ascii: "[")
        if isNew { depth += 1 }
      }
    }
    return lines
  }
}
