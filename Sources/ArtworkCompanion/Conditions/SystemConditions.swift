import ArtworkClients
import ArtworkModel

/// Keeps the service's conditions in step with the system: UPower and the power profile on the system bus, the desktop
/// portal on that of the session. A service that is not there leaves its condition alone.
actor SystemConditions {
  private let client: ArtworkClient
  private let overrides: ConditionOverrides
  private let session: Bus
  /// `nil` on a machine without one.
  private let system: Bus?
  private let changes: Signals
  private let log: @Sendable (String) -> Void
  private var applied: SystemReadings?
  private var mustApply = true

  /// Subscribes to the signals of the system.
  ///
  /// - Parameters:
  ///   - session: its receiver marks `changes` for messages that ``concerns(_:)`` accepts.
  ///   - system: the address of the system bus.
  init(
    _ client: ArtworkClient, _ overrides: ConditionOverrides, session: Bus, system: BusAddress,
    changes: Signals, log: @escaping @Sendable (String) -> Void
  ) async {
    self.client = client
    self.overrides = overrides
    self.session = session
    self.changes = changes
    self.log = log
    self.system = try? await Bus(system) { message in
      if Self.concerns(message) { changes.mark() }
      return nil
    }
    for rule in Self.sessionRules { try? await session.match(rule) }
    try? await session.matchOwners(of: Self.portal)
    for (name, path, _, _) in Self.profiles + [Self.battery] {
      try? await self.system?.match(
        "type='signal',sender='\(name)',path='\(path)',"
          + "interface='org.freedesktop.DBus.Properties',member='PropertiesChanged'")
      try? await self.system?.matchOwners(of: name)
    }
  }

  /// Follows the system until the task is cancelled.
  func run() async {
    changes.mark()
    await changes.whenMarked { await refresh() }
  }

  /// The service may have lost the conditions.
  func apply() {
    mustApply = true
    changes.mark()
  }

  // MARK: Queries

  private static let portal = "org.freedesktop.portal.Desktop"
  private static let portalPath = "/org/freedesktop/portal/desktop"
  private static let settings = "org.freedesktop.portal.Settings"
  private static let network = "org.freedesktop.portal.NetworkMonitor"

  private static let sessionRules = [
    "type='signal',sender='\(portal)',interface='\(settings)',member='SettingChanged',"
      + "arg0='org.freedesktop.appearance'",
    "type='signal',sender='\(portal)',interface='\(settings)',member='SettingChanged',"
      + "arg0='org.gnome.desktop.interface',arg1='enable-animations'",
    "type='signal',sender='\(portal)',interface='\(network)',member='changed'",
  ]

  /// Names, paths, interfaces and properties. The power profiles moved to UPower's name in their version 0.20.
  private static let profiles = [
    (
      "org.freedesktop.UPower.PowerProfiles", "/org/freedesktop/UPower/PowerProfiles",
      "org.freedesktop.UPower.PowerProfiles", "ActiveProfile"
    ),
    (
      "net.hadess.PowerProfiles", "/net/hadess/PowerProfiles", "net.hadess.PowerProfiles",
      "ActiveProfile"
    ),
  ]
  private static let battery = (
    "org.freedesktop.UPower", "/org/freedesktop/UPower/devices/DisplayDevice",
    "org.freedesktop.UPower.Device", "WarningLevel"
  )

  /// Whether a signal may change a condition. A battery reports its charge every half minute, which changes none.
  static func concerns(_ message: BusMessage) -> Bool {
    guard message.kind == .signal else { return false }
    switch message.member {
    case "PropertiesChanged":
      let changed = message.body.dropFirst().first?.dictionary ?? [:]
      return (profiles + [battery]).contains { changed[$0.3] != nil }
    case "NameOwnerChanged":
      let name = message.body.first?.text ?? ""
      return ([portal] + (profiles + [battery]).map(\.0)).contains(name)
    case "SettingChanged": return message.interface == settings
    case "changed": return message.interface == network
    default: return false
    }
  }

  // MARK: Reading

  private func refresh() async {
    let readings = await read()
    if readings == applied, !mustApply { return }
    do throws(ClientError) {
      let known = try await client.conditions()
      let wanted = readings.applied(to: known, overrides)
      if wanted != known { try await client.set(wanted) }
      (applied, mustApply) = (readings, false)
    } catch {
      // Applied when the service is back.
      log("the conditions cannot be set: \(error)")
    }
  }

  private func read() async -> SystemReadings {
    var readings = SystemReadings()
    for source in Self.profiles where readings.powerProfile == nil {
      readings.powerProfile = await property(source)?.text
    }
    readings.batteryWarning = await property(Self.battery)?.number.flatMap { Int(exactly: $0) }
    if let setting = await setting("org.freedesktop.appearance", "reduced-motion")?.number {
      readings.reducesMotion = setting != 0
    } else if let animates = await setting("org.gnome.desktop.interface", "enable-animations")?
      .boolean
    {
      readings.reducesMotion = !animates
    }
    let metered = try? await session.call(
      .call(Self.portal, Self.portalPath, Self.network, "GetMetered"))
    readings.isMetered = metered?.first?.boolean
    return readings
  }

  private func property(_ source: (String, String, String, String)) async -> BusValue? {
    guard let system else { return nil }
    return try? await system.property(source.3, of: source.2, at: source.1, by: source.0)
  }

  private func setting(_ namespace: String, _ key: String) async -> BusValue? {
    let answer = try? await session.call(
      .call(
        Self.portal, Self.portalPath, Self.settings, "Read", [.string(namespace), .string(key)]))
    return answer?.first?.content
  }
}
