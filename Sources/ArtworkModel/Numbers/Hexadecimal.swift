extension Sequence<UInt8> {
  /// Two digits for each byte, `0` to `f`.
  package var hexadecimal: String {
    let digits = Array("0123456789abcdef".utf8)
    return String(
      decoding: flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
  }
}

extension [UInt8] {
  /// Decodes percent-encoded text to bytes (RFC 3986, 2.1); `nil` for a `%` without two digits.
  package init?(percentEncoded text: some StringProtocol) {
    self = []
    var rest = Array(text.utf8)[...]
    while let byte = rest.popFirst() {
      if byte != UInt8(ascii: "%") {
        append(byte)
      } else if let high = rest.popFirst().flatMap(Self.digit),
        let low = rest.popFirst().flatMap(Self.digit)
      {
        append(high << 4 | low)
      } else {
        return nil
      }
    }
  }

  private static func digit(_ byte: UInt8) -> UInt8? {
    switch byte {
    case 0x30...0x39: byte - 0x30
    case 0x41...0x46: byte - 0x41 + 10
    case 0x61...0x66: byte - 0x61 + 10
    default: nil
    }
  }
}
