/// Elements whose lists JSON leaves out while they are empty, as documents from before these lists do.
protocol OmittedIfEmpty: Codable {}

// Synthesised conformances call these.
extension KeyedDecodingContainer {
  func decode<Element: OmittedIfEmpty>(
    _ type: [Element].Type, forKey key: Key
  ) throws -> [Element] {
    try decodeIfPresent(type, forKey: key) ?? []
  }
}

extension KeyedEncodingContainer {
  mutating func encode<Element: OmittedIfEmpty>(_ list: [Element], forKey key: Key) throws {
    try encodeIfPresent(list.isEmpty ? nil : list, forKey: key)
  }
}
