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
  /// Conditions that are left out have their defaults.
  public init(from decoder: any Decoder) throws {
    let fields = try decoder.container(keyedBy: CodingKeys.self)
    func flag(_ key: CodingKeys) throws -> Bool {
      try fields.decodeIfPresent(Bool.self, forKey: key) ?? false
    }
    self.init(
      lowPower: try flag(.lowPower), lowData: try flag(.lowData),
      thermal: try fields.decodeIfPresent(ThermalState.self, forKey: .thermal) ?? .nominal,
      reduceMotion: try flag(.reduceMotion), autoPlayOff: try flag(.autoPlayOff),
      supportedKeys: try fields.decodeIfPresent(Set<ArtworkKey>.self, forKey: .supportedKeys)
        ?? Set(ArtworkKey.allCases))
  }
}

extension KeyedEncodingContainer {
  /// Synthesised conformances call this: a set has no order.
  fileprivate mutating func encode(_ keys: Set<ArtworkKey>, forKey key: Key) throws {
    try encode(ArtworkKey.allCases.filter(keys.contains), forKey: key)
  }
}
