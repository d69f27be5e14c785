/// An IPv4 or IPv6 address, and whether it lies on the public Internet.
struct IPAddress: Sendable, Hashable, CustomStringConvertible {
  /// The 4 bytes of IPv4, or the 16 of IPv6.
  let bytes: [UInt8]
  let description: String

  var isVersion6: Bool { bytes.count == 16 }

  /// 127.0.0.0/8 and ::1.
  var isLoopback: Bool {
    isVersion6 ? bytes == [UInt8](repeating: 0, count: 15) + [1] : bytes[0] == 127
  }

  init(bytes: [UInt8], description: String) {
    precondition(bytes.count == 4 || bytes.count == 16, "an address has 4 or 16 bytes")
    (self.bytes, self.description) = (bytes, description)
  }

  /// Networks without public addresses: the registries for special purposes (RFC 6890 and
  /// www.iana.org/assignments/iana-ipv4-special-registry), multicast, and the former class E.
  private static let special4: [([UInt8], bits: Int)] = [
    ([0, 0, 0, 0], 8), ([10, 0, 0, 0], 8), ([100, 64, 0, 0], 10), ([127, 0, 0, 0], 8),
    ([169, 254, 0, 0], 16), ([172, 16, 0, 0], 12), ([192, 0, 0, 0], 24), ([192, 0, 2, 0], 24),
    ([192, 31, 196, 0], 24), ([192, 52, 193, 0], 24), ([192, 88, 99, 0], 24),
    ([192, 168, 0, 0], 16), ([192, 175, 48, 0], 24), ([198, 18, 0, 0], 15),
    ([198, 51, 100, 0], 24), ([203, 0, 113, 0], 24), ([224, 0, 0, 0], 3),
  ]

  /// Blocks that are not public within 2000::/3, outside of which no address is public: protocol assignments with
  /// Teredo, documentation.
  private static let special6: [([UInt8], bits: Int)] = [
    ([0x20, 0x01, 0x00, 0x00], 23), ([0x20, 0x01, 0x0d, 0xb8], 32),
    ([0x26, 0x20, 0, 0x4f, 0x80], 48),
    ([0x3f, 0xff, 0, 0], 20),
  ]

  /// IPv6 prefixes that embed an IPv4 address, and where it begins: mapped, NAT64 (RFC 6052), 6to4.
  private static let embedding: [([UInt8], place: Int)] = [
    ([0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff], 12),
    ([0, 0x64, 0xff, 0x9b, 0, 0, 0, 0, 0, 0, 0, 0], 12), ([0x20, 0x02], 2),
  ]

  /// Whether the address is not private, loopback, link-local, shared (CGNAT), multicast, unspecified or otherwise
  /// special. An IPv4 address inside an IPv6 one counts as itself.
  var isPublic: Bool {
    guard isVersion6 else { return !Self.special4.contains { lies(in: $0.0, bits: $0.bits) } }
    for (prefix, place) in Self.embedding where bytes.starts(with: prefix) {
      return IPAddress(bytes: Array(bytes[place..<place + 4]), description: "").isPublic
    }
    return bytes[0] & 0xe0 == 0x20 && !Self.special6.contains { lies(in: $0.0, bits: $0.bits) }
  }

  private func lies(in network: [UInt8], bits: Int) -> Bool {
    for bit in 0..<bits {
      let (byte, mask) = (bit / 8, UInt8(0x80) >> UInt8(bit % 8))
      let wanted = byte < network.count ? network[byte] : 0
      if bytes[byte] & mask != wanted & mask { return false }
    }
    return true
  }
}
