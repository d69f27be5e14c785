/// The conditions that stop a system from showing videos, and the keys that it shows.
public struct DeviceConditions: Sendable, Equatable {
  public var lowPower: Bool
  public var lowData: Bool
  public var thermal: ThermalState
  public var reduceMotion: Bool
  /// Whether auto-play of animated images is off.
  public var autoPlayOff: Bool
  /// The keys that this system shows (`MPNowPlayingInfoCenter.supportedAnimatedArtworkKeys`); may be empty.
  public var supportedKeys: Set<ArtworkKey>

  /// The states of `ProcessInfo.ThermalState`.
  public enum ThermalState: String, Sendable, Codable, CaseIterable {
    case nominal, fair, serious, critical

    /// Whether the thermal state stops video. Apple's "too high" names no state; `serious` is the first state in
    /// which applications are asked to do less.
    package var isHigh: Bool { self == .serious || self == .critical }
  }

  public init(
    lowPower: Bool = false, lowData: Bool = false, thermal: ThermalState = .nominal,
    reduceMotion: Bool = false, autoPlayOff: Bool = false,
    supportedKeys: Set<ArtworkKey> = Set(ArtworkKey.allCases)
  ) {
    self.lowPower = lowPower
    self.lowData = lowData
    self.thermal = thermal
    self.reduceMotion = reduceMotion
    self.autoPlayOff = autoPlayOff
    self.supportedKeys = supportedKeys
  }
}

extension DeviceConditions: Codable {
  private enum CodingKeys: String, CodingKey, CaseIterable {
    case lowPower, lowData, thermal, reduceMotion, autoPlayOff, supportedKeys
  }

  public init(from decoder: any Decoder) throws {
    try decoder.refuseFields(otherThan: CodingKeys.allCases)
    let container = try decoder.container(keyedBy: CodingKeys.self)
    func flag(_ key: CodingKeys) throws -> Bool {
      try container.decodeIfPresent(Bool.self, forKey: key) ?? false
    }
    self.init(
      lowPower: try flag(.lowPower), lowData: try flag(.lowData),
      thermal: try container.choiceIfPresent(forKey: .thermal) ?? .nominal,
      reduceMotion: try flag(.reduceMotion),
      autoPlayOff: try flag(.autoPlayOff), supportedKeys: try Self.keys(in: container))
  }

  private static func keys(
    in container: KeyedDecodingContainer<CodingKeys>
  ) throws -> Set<ArtworkKey> {
    let names = try container.decodeIfPresent([String].self, forKey: .supportedKeys)
    guard let names else { return Set(ArtworkKey.allCases) }
    let keys = Set(
      try names.map { name in
        guard let key = ArtworkKey(rawValue: name) else {
          throw DecodingError.dataCorruptedError(
            forKey: .supportedKeys, in: container,
            debugDescription: "unknown key \"\(name)\"; known keys are 1x1, 3x4")
        }
        return key
      })
    guard keys.count == names.count else {
      throw DecodingError.dataCorruptedError(
        forKey: .supportedKeys, in: container, debugDescription: "a key is named twice")
    }
    return keys
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(lowPower, forKey: .lowPower)
    try container.encode(lowData, forKey: .lowData)
    try container.encode(thermal, forKey: .thermal)
    try container.encode(reduceMotion, forKey: .reduceMotion)
    try container.encode(autoPlayOff, forKey: .autoPlayOff)
    try container.encode(
      ArtworkKey.allCases.filter(supportedKeys.contains), forKey: .supportedKeys)
  }
}
