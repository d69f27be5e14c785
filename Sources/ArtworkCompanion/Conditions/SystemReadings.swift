import ArtworkModel

/// The system's readings of the device; `nil` if unknown.
struct SystemReadings: Sendable, Equatable {
  /// The power profile, for example `power-saver`.
  var powerProfile: String?
  /// UPower's warning about the battery: 3 is low, 4 critical, 5 about to shut down.
  var batteryWarning: Int?
  var reducesMotion: Bool?
  var isMetered: Bool?

  /// The conditions with the known readings applied; an override wins over the system, and everything else is
  /// unchanged.
  func applied(
    to conditions: DeviceConditions, _ overrides: ConditionOverrides
  ) -> DeviceConditions {
    var conditions = conditions
    let saves = powerProfile.map { $0 == "power-saver" }
    let isLow = batteryWarning.map { $0 >= 3 }
    let isLowPower: Bool? = saves == nil && isLow == nil ? nil : saves == true || isLow == true
    conditions.lowPower = overrides.lowPower ?? isLowPower ?? conditions.lowPower
    conditions.lowData = overrides.lowData ?? isMetered ?? conditions.lowData
    conditions.reduceMotion = overrides.reduceMotion ?? reducesMotion ?? conditions.reduceMotion
    return conditions
  }
}

/// Conditions that the user states; `nil` leaves one to the system.
package struct ConditionOverrides: Sendable, Equatable {
  package var lowPower: Bool?
  package var lowData: Bool?
  package var reduceMotion: Bool?

  package init(lowPower: Bool? = nil, lowData: Bool? = nil, reduceMotion: Bool? = nil) {
    self.lowPower = lowPower
    self.lowData = lowData
    self.reduceMotion = reduceMotion
  }
}
