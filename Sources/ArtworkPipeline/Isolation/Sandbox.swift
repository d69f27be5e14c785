internal import CIsolation

/// The layers of the sandbox around a worker on this machine. A worker never runs with fewer than are stated here.
package struct Sandbox: Sendable, Equatable, Codable {
  /// No program that a worker starts could gain rights (`no_new_privs`).
  package var renouncesPrivileges: Bool
  /// The version of the kernel's Landlock interface, 0 without: no file can be opened (1), no TCP
  /// used (4), no process outside signalled (6).
  package var landlockVersion: Int
  /// System calls that decoding does not need fail (seccomp).
  package var filtersSystemCalls: Bool

  /// Whether every layer exists that ``IsolatedInspector`` relies on. Limits on memory, time and
  /// descriptors, which every system has, are not counted.
  package var isComplete: Bool { missing.isEmpty }

  /// The names of the missing layers.
  package var missing: [String] {
    [
      renouncesPrivileges ? nil : "no new privileges", landlockVersion > 0 ? nil : "Landlock",
      filtersSystemCalls ? nil : "seccomp",
    ].compactMap(\.self)
  }

  /// Sets up the layers around this process that workers inherit, and returns those that exist.
  static func enclose() -> Sandbox {
    let renounced = artwork_renounce_privileges() == 0
    return Sandbox(
      renouncesPrivileges: renounced,
      landlockVersion: renounced ? max(0, Int(artwork_deny_files())) : 0,
      filtersSystemCalls: renounced && artwork_can_filter_system_calls() == 1)
  }
}
