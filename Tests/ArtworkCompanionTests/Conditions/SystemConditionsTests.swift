import ArtworkClients
import TestSupport

@testable import ArtworkCompanion

/// Low power, low data and reduced motion as reported by the system.
@Suite struct SystemConditionsTests {
  private func applied(
    _ readings: SystemReadings, _ overrides: ConditionOverrides = ConditionOverrides(),
    to conditions: DeviceConditions = DeviceConditions()
  ) -> DeviceConditions { readings.applied(to: conditions, overrides) }

  @Test("what the system reports, what it does not, and what the user states") func readings() {
    #expect(applied(SystemReadings(powerProfile: "power-saver")).lowPower)
    #expect(!applied(SystemReadings(powerProfile: "balanced", batteryWarning: 1)).lowPower)
    #expect(applied(SystemReadings(powerProfile: "balanced", batteryWarning: 3)).lowPower)
    #expect(applied(SystemReadings(isMetered: true)).lowData)
    #expect(applied(SystemReadings(reducesMotion: true)).reduceMotion)
    let known = DeviceConditions(lowPower: true, thermal: .fair, autoPlayOff: true)
    #expect(applied(SystemReadings(), to: known) == known)
    #expect(!applied(SystemReadings(powerProfile: "performance"), to: known).lowPower)
    #expect(applied(SystemReadings(powerProfile: "performance"), .init(lowPower: true)).lowPower)
    #expect(!applied(SystemReadings(isMetered: true), .init(lowData: false)).lowData)
  }

  @Test("a battery's charge is not read") func charge() {
    func changed(_ name: String) -> BusMessage {
      BusMessage(
        kind: .signal, sender: ":1.1", path: "/", interface: "org.freedesktop.DBus.Properties",
        member: "PropertiesChanged",
        body: [.string("x"), .dictionary([name: .int32(1)]), .strings([])])
    }
    #expect(!SystemConditions.concerns(changed("Percentage")))
    #expect(SystemConditions.concerns(changed("WarningLevel")))
  }

  /// UPower and the portal, reduced to the queried properties.
  private final class Desktop: Sendable {
    struct State {
      var warning: UInt32 = 1
      var reducesMotion: UInt32 = 0
      var isMetered = false
    }
    final class Box: Sendable { let state = Mutex(State()) }

    let box = Box()
    private let bus: Bus

    init(on messageBus: MessageBus) async throws {
      bus = try await Bus(messageBus.address) { [box] message in
        guard case .call = message.kind else { return nil }
        let state = box.state.withLock { $0 }
        switch (message.member, message.body.last?.text) {
        case ("Get", "WarningLevel"): return .values([.variant(.uint32(state.warning))])
        case ("Read", "reduced-motion"):
          // The portal wraps twice.
          return .values([.variant(.variant(.uint32(state.reducesMotion)))])
        case ("GetMetered", _): return .values([.boolean(state.isMetered)])
        default: return nil
        }
      }
    }

    func appear() async throws {
      for name in ["org.freedesktop.UPower", "org.freedesktop.portal.Desktop"] {
        #expect(try await bus.request(name))
      }
    }

    func change(_ body: (inout State) -> Void) {
      box.state.withLock { body(&$0) }
      bus.emit(
        .signal(
          "/org/freedesktop/UPower/devices/DisplayDevice", "org.freedesktop.DBus.Properties",
          "PropertiesChanged",
          [
            .string("org.freedesktop.UPower.Device"),
            .dictionary(["WarningLevel": .uint32(1)]), .strings([]),
          ]))
      bus.emit(
        .signal(
          "/org/freedesktop/portal/desktop", "org.freedesktop.portal.Settings", "SettingChanged",
          [.string("org.freedesktop.appearance"), .string("reduced-motion"), .variant(.uint32(0))]))
    }
  }

  @Test(
    "the service's conditions follow the system, and those that others set stay",
    .enabled(if: MessageBus.isAvailable, MessageBus.absence))
  func follow() async throws {
    let companion = try await RunningCompanion { $0.overrides.lowData = true }
    let client = companion.client
    try await eventually("not stated") { try await client.conditions().lowData }
    try await client.set(DeviceConditions(lowData: true, autoPlayOff: true))
    // Services that start later are queried when they appear.
    let desktop = try await Desktop(on: companion.bus)
    desktop.box.state.withLock { $0.warning = 4 }
    try await desktop.appear()
    try await eventually("no low power") { try await client.conditions().lowPower }
    desktop.change {
      $0.warning = 1
      $0.reducesMotion = 1
    }
    let wanted = DeviceConditions(lowData: true, reduceMotion: true, autoPlayOff: true)
    try await eventually("not followed") { try await client.conditions() == wanted }
  }
}
