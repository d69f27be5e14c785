package import ArtworkPipeline

/// The address of a message bus.
package enum BusAddress: Sendable, Hashable {
  /// That of the desktop session: `DBUS_SESSION_BUS_ADDRESS`, else `bus` in `XDG_RUNTIME_DIR`.
  case session
  /// That of the machine: `DBUS_SYSTEM_BUS_ADDRESS`, else the usual socket.
  case system
  /// An address in D-Bus' notation, for example `unix:path=/run/user/1000/bus`.
  case at(String)
}

extension OptionalLibrary {
  package static let desktopPlayers = OptionalLibrary(
    trait: "DesktopPlayers", library: "libsystemd", isPresent: BusConnection.isAvailable,
    use: "companion")
}
