import Dispatch

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

extension IPAddress {
  /// An address as people write it: `192.0.2.1`, `2001:db8::1`. Other spellings that the system knows, as `0x7f.1`
  /// and addresses with zones, are none.
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

/// Asks the system what addresses a name has.
enum NameLookup {
  struct Failure: Error, CustomStringConvertible {
    var description: String
  }

  /// All addresses, in the order in which the system would try them. Takes as long as name servers take, or until
  /// the task is cancelled: the thread that asks is then left behind.
  static func addresses(of host: String) async throws -> [IPAddress] {
    let answer = FirstAnswer<[IPAddress]>()
    DispatchQueue(label: "artworkd.lookup").async {
      answer.give(Result { try ask(host) })
    }
    return try await answer.wait()
  }

  private static func ask(_ host: String) throws -> [IPAddress] {
    var hints = addrinfo()
    hints.ai_flags = AI_ADDRCONFIG
    #if canImport(Darwin)
      hints.ai_socktype = SOCK_STREAM
    #else
      hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
    #endif
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
      // A zone, as in fe80::1%eth0, makes it none, and what is none is refused below.
      if let address = IPAddress(text) { found.append(address) } else { return [] }
    }
    return found
  }
}
