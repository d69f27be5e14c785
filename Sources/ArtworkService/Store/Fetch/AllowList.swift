/// The URL prefixes that videos may be fetched from.
package struct AllowList: Sendable {
  /// A prefix that is not valid.
  package struct InvalidPrefix: Error, Sendable, CustomStringConvertible {
    package var description: String
  }

  private struct Entry: Sendable {
    var address: WebAddress
    /// Whether `address.host` stands for all hosts below it, itself excluded.
    var matchesSubdomains: Bool

    func admits(_ other: WebAddress) -> Bool {
      guard other.scheme == address.scheme, other.port == address.port else { return false }
      let isHost =
        matchesSubdomains ? other.host.hasSuffix("." + address.host) : other.host == address.host
      // Whole path segments: /covers does not allow /covers-internal.
      let folder = address.path.hasSuffix("/") ? String(address.path.dropLast()) : address.path
      return isHost && (other.path == folder || other.path.hasPrefix(folder + "/"))
    }
  }

  private let entries: [Entry]

  /// - Parameter prefixes: scheme and host, with an optional port and path: `https://media.example.com/covers`, or
  ///   `https://*.example.com` for all hosts below one. An IP address or `localhost` also allows private addresses.
  package init(_ prefixes: [String]) throws(InvalidPrefix) {
    var entries: [Entry] = []
    for prefix in prefixes {
      var spelling = prefix
      let star = prefix.firstRange(of: "://*.")
      if let star { spelling.replaceSubrange(star, with: "://") }
      do throws(WebAddress.Invalid) {
        let address = try WebAddress(spelling)
        guard address.query == nil, star == nil || IPAddress(address.host) == nil else {
          throw WebAddress.Invalid(
            description: "a prefix has no query, and no * before an IP address")
        }
        entries.append(Entry(address: address, matchesSubdomains: star != nil))
      } catch {
        // A query may hold a secret.
        throw InvalidPrefix(
          description:
            "'\(prefix.prefix { $0 != "?" })' is not a valid --allow-source prefix: \(error)")
      }
    }
    self.entries = entries
  }

  func admits(_ address: WebAddress) -> Bool { entries.contains { $0.admits(address) } }

  /// Whether a connection may go to `ip` for an address that the list admits: any public address, and a private one only
  /// if a prefix names it.
  func admits(_ ip: IPAddress, for address: WebAddress) -> Bool {
    if ip.isPublic { return true }
    let names = entries.filter { !$0.matchesSubdomains && $0.admits(address) }
    guard !names.isEmpty else { return false }
    // The prefix names the IP address itself, or this machine.
    return address.host == "localhost" ? ip.isLoopback : IPAddress(address.host)?.bytes == ip.bytes
  }
}
