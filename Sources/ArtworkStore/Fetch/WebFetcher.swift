package import ArtworkModel
import ArtworkPipeline
package import SystemPackage
import WebTransfer

/// Fetches videos from allowed addresses of the web.
///
/// A name is looked up once for each request, all its addresses are checked, and the connection goes to the one that
/// was checked: what a name server says later changes nothing. Redirections are followed within the list only.
/// No cookies, no proxies, no compression. Keeps no connection.
package struct WebFetcher: ArtworkFetcher {
  package struct Patience: Sendable {
    package var connect: Duration = .seconds(5)
    /// Between two arrivals of bytes.
    package var idle: Duration = .seconds(10)
    /// For everything, names and redirections included. A session's request for a video ends within 30 s, and what it
    /// began goes on: a video of a gigabyte is here when the session asks again.
    package var total: Duration = .seconds(600)

    package init() {}
  }

  /// Of one fetch; browsers follow 20.
  static let mostRedirections = 5

  private let allowed: AllowList
  private let patience: Patience
  private let lookUp: @Sendable (String) async throws -> [IPAddress]

  package init(_ allowed: AllowList, patience: Patience = Patience()) {
    self.init(allowed, patience: patience, lookUp: NameLookup.addresses)
  }

  init(
    _ allowed: AllowList, patience: Patience,
    lookUp: @escaping @Sendable (String) async throws -> [IPAddress]
  ) {
    (self.allowed, self.patience, self.lookUp) = (allowed, patience, lookUp)
  }

  package func check(_ url: String) throws(StoreError) { _ = try address(url) }

  package func fetch(
    _ url: String, into file: FileDescriptor, byteLimit: Int64
  ) async throws(StoreError) {
    let start = try address(url)
    do {
      let late = StoreError(.sourceUnavailable, "it did not come within \(patience.total)")
      try await Deadline.run(patience.total, late: late) {
        var address = start
        for _ in 0...Self.mostRedirections {
          guard let next = try await load(address, into: file, byteLimit: byteLimit) else { return }
          address = next
        }
        throw StoreError(
          .sourceUnavailable, "it was redirected more than \(Self.mostRedirections) times")
      }
    } catch let error as StoreError {
      throw error
    } catch is CancellationError {
      throw StoreError(.sourceUnavailable, "nobody waits for it any more")
    } catch let error as Errno {
      throw StoreError(
        error == .noSpace || error == .diskQuotaExceeded ? .noSpace : .failed,
        "it cannot be written: \(error)")
    } catch {
      throw StoreError(.sourceUnavailable, "it cannot be fetched: \(error)")
    }
  }

  private func address(_ url: String) throws(StoreError) -> WebAddress {
    do throws(WebAddress.Mistake) {
      return try admitted(try WebAddress(url))
    } catch {
      throw StoreError(.sourceNotAllowed, "this address is not fetched: \(error)")
    }
  }

  private func admitted(_ address: WebAddress) throws(WebAddress.Mistake) -> WebAddress {
    guard allowed.admits(address) else {
      throw WebAddress.Mistake(description: "it begins as no address that the service allows")
    }
    return address
  }

  /// The first address of the host, when all of them are public or listed.
  private func place(of address: WebAddress) async throws -> IPAddress {
    let found: [IPAddress]
    if let literal = IPAddress(address.host) {
      found = [literal]
    } else {
      do {
        found = try await lookUp(address.host)
      } catch {
        throw StoreError(.sourceUnavailable, "\(address.host) is not found: \(error)")
      }
    }
    guard let first = found.first else {
      throw StoreError(.sourceUnavailable, "\(address.host) has no address")
    }
    guard let wrong = found.first(where: { !allowed.admits($0, for: address) }) else {
      return first
    }
    throw StoreError(
      .sourceNotAllowed, "\(address.host) is at \(wrong), which is not on the public Internet")
  }

  /// Writes what lies there, or returns where it lies instead.
  private func load(
    _ address: WebAddress, into file: FileDescriptor, byteLimit: Int64
  ) async throws -> WebAddress? {
    let place = try await place(of: address)
    try Task.checkCancellation()
    var request = TransferRequest("GET", address.description)
    request.headers = [
      ("Accept", "video/*, */*;q=0.5"),
      // As it lies there: what is packed could unpack to anything.
      ("Accept-Encoding", "identity"),
      ("User-Agent", "artworkd"),
    ]
    request.route = .address(place.description)
    request.patience.connect = patience.connect
    request.patience.head = patience.idle
    request.patience.idle = patience.idle
    request.keepsConnection = false
    let response = try await TransferLoop.shared.send(request)
    if [301, 302, 303, 307, 308].contains(response.status) {
      guard let location = response.header("Location") else {
        throw StoreError(.sourceUnavailable, "it was redirected to nowhere")
      }
      do {
        return try admitted(try address.redirected(to: location))
      } catch {
        throw StoreError(.sourceNotAllowed, "it was redirected to what is not fetched: \(error)")
      }
    }
    guard response.status == 200 else {
      throw StoreError(.sourceUnavailable, "the server answered \(response.status)")
    }
    let encoding = response.header("Content-Encoding") ?? "identity"
    guard encoding.lowercased() == "identity" else {
      throw StoreError(.sourceUnavailable, "the server packed it (\(encoding))")
    }
    let declared = response.header("Content-Length").flatMap { Int64($0) }
    func checkLength(_ count: Int64) throws {
      if count > byteLimit {
        throw StoreError(.sourceUnavailable, "it has more than \(byteLimit) bytes")
      }
    }
    try checkLength(declared ?? 0)
    var count: Int64 = 0
    for try await part in response.body {
      count += Int64(part.count)
      try checkLength(count)
      _ = try file.writeAll(part)
    }
    guard count == declared ?? count else {
      throw StoreError(.sourceUnavailable, "it ended after \(count) of \(declared ?? 0) bytes")
    }
    return nil
  }
}
