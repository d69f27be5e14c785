import ArtworkClients
package import ArtworkModel
import ArtworkPipeline
package import SystemPackage

/// Downloads videos from allowed URLs.
///
/// Each request looks the host's name up once, checks all addresses, and connects to a checked one: a later answer of the
/// name server has no effect. Redirects are followed only to allowed URLs. No cookies, proxies, compression or kept
/// connections.
package struct WebFetcher: ArtworkFetcher {
  package struct Timeouts: Sendable {
    package var connect: Duration = .seconds(5)
    /// Until the response begins, and between two arrivals of bytes.
    package var idle: Duration = .seconds(10)
    /// A download of fewer bytes a second, over each such time, is given up; sooner while others wait for its place.
    package var leastSpeed: Int64 = 10_000
    package var speedWindow: Duration = .seconds(20)
    package var crowdedWindow: Duration = .seconds(5)
    /// The time for the whole download, name lookups and redirects included. A session's request for a video ends
    /// within 30 s, but the download continues: a video of a gigabyte is stored by the time the session asks again.
    package var total: Duration = .seconds(600)

    package init() {}
  }

  /// The most redirects of one download; browsers follow 20.
  static let redirectLimit = 5

  private let allowed: AllowList
  private let timeouts: Timeouts
  private let lookUp: @Sendable (String) async throws -> [IPAddress]

  package init(_ allowed: AllowList, timeouts: Timeouts = Timeouts()) {
    self.init(allowed, timeouts: timeouts, lookUp: NameLookup.addresses)
  }

  init(
    _ allowed: AllowList, timeouts: Timeouts,
    lookUp: @escaping @Sendable (String) async throws -> [IPAddress]
  ) {
    (self.allowed, self.timeouts, self.lookUp) = (allowed, timeouts, lookUp)
  }

  package func check(_ url: String) throws(StoreError) { _ = try address(url) }

  package func fetch(
    _ url: String, into file: FileDescriptor, byteLimit: Int64,
    isCrowded: @escaping @Sendable () -> Bool = { false }
  ) async throws(StoreError) {
    let start = try address(url)
    do {
      let late = StoreError(
        .sourceUnavailable, "download timed out after \(timeouts.total)")
      try await Deadline.run(timeouts.total, late: late) {
        var address = start
        for _ in 0...Self.redirectLimit {
          guard let next = try await load(address, into: file, byteLimit, isCrowded) else { return }
          address = next
        }
        throw StoreError(
          .sourceUnavailable, "download redirected more than \(Self.redirectLimit) times")
      }
    } catch let error as StoreError {
      throw error
    } catch TransferError.timedOut {
      throw StoreError(
        .sourceUnavailable, "download timed out after \(timeouts.idle) without data")
    } catch  where error is CancellationError || error as? TransferError == .cancelled {
      throw StoreError(.sourceUnavailable, "download cancelled")
    } catch let error as Errno {
      throw StoreError(
        error == .noSpace || error == .diskQuotaExceeded ? .noSpace : .failed,
        "download cannot be written: \(error)")
    } catch {
      throw StoreError(.sourceUnavailable, "download failed: \(error)")
    }
  }

  private func address(_ url: String) throws(StoreError) -> WebAddress {
    do throws(WebAddress.Invalid) {
      return try admitted(try WebAddress(url))
    } catch {
      throw StoreError(.sourceNotAllowed, "this URL is not allowed as a source: \(error)")
    }
  }

  private func admitted(_ address: WebAddress) throws(WebAddress.Invalid) -> WebAddress {
    guard allowed.admits(address) else {
      throw WebAddress.Invalid(description: "no --allow-source prefix matches")
    }
    return address
  }

  /// The first IP address of the host, if the list admits all of them.
  private func ipAddress(of address: WebAddress) async throws -> IPAddress {
    let found: [IPAddress]
    if let literal = IPAddress(address.host) {
      found = [literal]
    } else {
      do {
        found = try await lookUp(address.host)
      } catch let error as CancellationError {
        throw error
      } catch {
        throw StoreError(.sourceUnavailable, "\(address.host) cannot be resolved: \(error)")
      }
    }
    guard let first = found.first else {
      throw StoreError(.sourceUnavailable, "\(address.host) has no IP address")
    }
    guard let refused = found.first(where: { !allowed.admits($0, for: address) }) else {
      return first
    }
    throw StoreError(
      .sourceNotAllowed, "\(address.host) has the address \(refused), which is not public")
  }

  /// Downloads from one address.
  ///
  /// - Returns: the target of a redirect; `nil` when the video is complete.
  private func load(
    _ address: WebAddress, into file: FileDescriptor, _ byteLimit: Int64,
    _ isCrowded: @Sendable () -> Bool
  ) async throws -> WebAddress? {
    let ip = try await ipAddress(of: address)
    try Task.checkCancellation()
    var request = TransferRequest("GET", address.description)
    request.headers = [
      ("Accept", "video/*, */*;q=0.5"),
      // A compressed response could expand to any size.
      ("Accept-Encoding", "identity"),
      ("User-Agent", "artworkd"),
    ]
    request.route = .address(ip.description)
    request.timeouts.connect = timeouts.connect
    request.timeouts.head = timeouts.idle
    request.timeouts.idle = timeouts.idle
    request.keepsConnection = false
    let response = try await TransferLoop.shared.send(request)
    if [301, 302, 303, 307, 308].contains(response.status) {
      guard let location = response.header("Location") else {
        throw StoreError(.sourceUnavailable, "the server redirected without a Location")
      }
      do {
        return try admitted(try address.redirected(to: location))
      } catch {
        throw StoreError(
          .sourceNotAllowed, "the redirect leads to a URL that is not allowed: \(error)")
      }
    }
    guard response.status == 200 else {
      throw StoreError(.sourceUnavailable, "the server answered \(response.status)")
    }
    let encoding = response.header("Content-Encoding") ?? "identity"
    guard encoding.lowercased() == "identity" else {
      throw StoreError(.sourceUnavailable, "the server compressed the video (\(encoding))")
    }
    let declared = response.header("Content-Length").flatMap { Int64($0) }
    func checkLength(_ count: Int64) throws {
      if count > byteLimit {
        throw StoreError(.sourceUnavailable, "the video has more than \(byteLimit) bytes")
      }
    }
    try checkLength(declared ?? 0)
    var count: Int64 = 0
    var window = (start: ContinuousClock.now, count: Int64(0))
    for try await part in response.body {
      count += Int64(part.count)
      try checkLength(count)
      let time = window.start.duration(to: .now)
      if time >= timeouts.speedWindow || time >= timeouts.crowdedWindow && isCrowded() {
        guard Double(count - window.count) >= Double(timeouts.leastSpeed) * (time / .seconds(1))
        else {
          throw StoreError(
            .sourceUnavailable,
            "the server sends fewer than \(timeouts.leastSpeed) bytes a second")
        }
        window = (.now, count)
      }
      _ = try await onThread { try file.writeAll(part) }
    }
    guard count == declared ?? count else {
      throw StoreError(
        .sourceUnavailable, "download ended after \(count) of \(declared ?? 0) bytes")
    }
    return nil
  }
}
