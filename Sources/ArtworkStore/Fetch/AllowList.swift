/// What may be fetched: addresses that begin as one of a list does.
package struct AllowList: Sendable {
  /// An entry that is no address.
  package struct Mistake: Error, Sendable, CustomStringConvertible {
    package var description: String
  }

  private struct Entry: Sendable {
    var address: WebAddress
    /// `address.host` is what the host must end with.
    var takesSubdomains: Bool

    func admits(_ other: WebAddress) -> Bool {
      guard other.scheme == address.scheme, other.port == address.port else { return false }
      let isHost =
        takesSubdomains ? other.host.hasSuffix("." + address.host) : other.host == address.host
      // A folder's name as a whole: /covers is not the beginning of /covers-internal.
      let folder = address.path.hasSuffix("/") ? String(address.path.dropLast()) : address.path
      return isHost && (other.path == folder || other.path.hasPrefix(folder + "/"))
    }
  }

  private let entries: [Entry]

  /// - Parameter prefixes: scheme, host, perhaps a port and a path: `https://media.example.com/covers`,
  ///   `https://*.example.com` for all hosts below one. An IP address or `localhost` allows what lies in a
  ///   private network, too.
  package init(_ prefixes: [String]) throws(Mistake) {
    var entries: [Entry] = []
    for prefix in prefixes {
      var spelling = prefix
      let star = prefix.firstRange(of: "://*.")
      if let star { spelling.replaceSubrange(star, with: "://") }
      do throws(WebAddress.Mistake) {
        let address = try WebAddress(spelling)
        guard address.query == nil, star == nil || IPAddress(address.host) == nil else {
          throw WebAddress.Mistake(description: "it has a query, or a * before an IP address")
        }
        entries.append(Entry(address: address, takesSubdomains: star != nil))
      } catch {
        throw Mistake(description: "'\(prefix)' cannot be allowed: \(error)")
      }
    }
    self.entries = entries
  }

  func admits(_ address: WebAddress) -> Bool { entries.contains { $0.admits(address) } }

  /// Whether a connection to `address` is right for an address that the list admits.
  func admits(_ ip: IPAddress, for address: WebAddress) -> Bool {
    if ip.isPublic { return true }
    let names = entries.filter { !$0.takesSubdomains && $0.admits(address) }
    guard !names.isEmpty else { return false }
    // Its own spelling names it, or a name that means this machine.
    return address.host == "localhost" ? ip.isLoopback : IPAddress(address.host)?.bytes == ip.bytes
  }
}
