import ArtworkModel
import ArtworkPipeline
import Glibc

extension IPAddress {
  /// An address in its usual form: `192.0.2.1`, `2001:db8::1`. `nil` for other forms that the system knows, such as
  /// `0x7f.1`, and for addresses with a zone.
  init?(_ text: String) {
    var four = in_addr()
    var six = in6_addr()
    if inet_pton(AF_INET, text, &four) == 1 {
      self.init(bytes: withUnsafeBytes(of: four) { Array($0) }, description: text)
    } else if inet_pton(AF_INET6, text, &six) == 1 {
      self.init(bytes: withUnsafeBytes(of: six) { Array($0) }, description: text)
    } else {
      return nil
    }
  }
}

/// Resolves names through the system.
enum NameLookup {
  struct Failure: Error, CustomStringConvertible {
    var description: String
  }

  /// All addresses, in the order in which the system would try them. Returns when the name servers have answered, after a
  /// minute, or when the task is cancelled; then a thread still waits for them.
  static func addresses(of host: String) async throws -> [IPAddress] {
    let late = Failure(description: "the name servers do not answer")
    return try await Deadline.lend(
      .seconds(60), late: Task.isCancelled ? CancellationError() : late as any Error
    ) {
      try await onThread { try ask(host) }
    }
  }

  private static func ask(_ host: String) throws -> [IPAddress] {
    var hints = addrinfo()
    hints.ai_flags = AI_ADDRCONFIG
    hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
    var list: UnsafeMutablePointer<addrinfo>?
    let status = getaddrinfo(host, nil, &hints, &list)
    guard status == 0 else {
      throw Failure(description: String(cString: gai_strerror(status)))
    }
    defer { freeaddrinfo(list) }
    var found: [IPAddress] = []
    var next = list
    while let entry = next?.pointee {
      next = entry.ai_next
      var name = [CChar](repeating: 0, count: Int(NI_MAXHOST))
      guard
        getnameinfo(
          entry.ai_addr, entry.ai_addrlen, &name, socklen_t(name.count), nil, 0, NI_NUMERICHOST)
          == 0
      else { continue }
      let text = String(
        decoding: name.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
      // An address with a zone, as fe80::1%eth0, is not valid: then the whole name is refused.
      if let address = IPAddress(text) { found.append(address) } else { return [] }
    }
    return found
  }
}
