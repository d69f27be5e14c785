import Logging
import NIOCore
import NIOHTTP1
import TestSupport

@testable import ArtworkModel
@testable import ArtworkService

/// Another user of the machine, who can reach the TCP port but has no token.
@Suite(.serialized, .timeLimit(.minutes(5))) struct NeighbourTests {
  private func connect(_ service: RunningService) throws -> RawClient {
    try RawClient(service.loopback, of: service)
  }

  private func proof(_ service: RunningService) throws -> [String: String] {
    let token = try #require(service.sockets.token).text
    return ["Host": service.host, "Authorization": "Bearer \(token)"]
  }

  @Test func `2,000 TCP connections take no place at the Unix socket`() async throws {
    let service = try await RunningService({ $0.authentication = .hours(1) }, onTCP: true)
    let owner = try service.client()
    var neighbours: [RawClient] = []
    for number in 0..<2000 {
      neighbours.append(try connect(service))
      guard number % 20 == 0 else { continue }
      #expect(try owner.ask("GET", "/v1/now-playing").status == 200)
      #expect(try service.client().ask("GET", "/v1/now-playing").status == 200)
    }
    let limit = ServiceLimits().unauthenticatedPeers
    // They have sent no request, so the only possible input is the end. The oldest are gone; several threads admit,
    // so the order is not exactly that of the test.
    #expect(try await eventually { neighbours.count { !$0.hasInput } == limit })
    #expect(!neighbours.prefix(1000).contains { !$0.hasInput })
    for dropped in neighbours.filter(\.hasInput) { #expect(try dropped.receiveToEnd() == "") }
    #expect(try owner.ask("GET", "/v1/now-playing").status == 200)
  }

  @Test
  func `unauthenticated peers that reconnect again and again keep no holder of the token out`()
    async throws
  {
    let service = try await RunningService(
      {
        $0.unauthenticatedPeers = 4
        $0.authentication = .hours(1)
      }, onTCP: true)
    let proof = try proof(service)
    var neighbours: [RawClient] = []
    for _ in 0..<50 {
      neighbours.append(try connect(service))
      // Its answer says that it was admitted: several threads admit, and four at once would displace the next client.
      #expect(try neighbours.last?.ask("GET", "/v1/leases", ["Host": service.host]).status == 401)
      #expect(try connect(service).ask("GET", "/v1/leases", proof).status == 200)
    }
  }

  @Test func `TCP has as many places as the socket, and neither takes one from the other`()
    async throws
  {
    let service = try await RunningService({ $0.connections = 16 }, onTCP: true)
    let proof = try proof(service)
    let known = try (0..<16).map { _ in try connect(service) }
    for client in known { #expect(try client.ask("GET", "/v1/leases", proof).status == 200) }
    #expect(try connect(service).answer().status == 503)
    let owners = try (0..<16).map { _ in try service.client() }
    for client in owners { #expect(try client.ask("GET", "/v1/leases").status == 200) }
    #expect(try service.client().answer().status == 503)
    #expect(try known[7].ask("GET", "/v1/leases", proof).status == 200)
  }

  @Test func `1,024 clients may wait at the socket`() async throws {
    let service = try await RunningService()
    guard case .local(let path) = service.local else { return }
    // Who is answered was accepted, and nobody is before the service has said how many may wait.
    #expect(try service.client().ask("GET", "/healthz").status == 200)
    // Netlink's figure for a listening socket: how many may wait.
    let fields = try execute("ss -xlH src \(path)").output.split(separator: " ")
    let most = try #require(
      Int(
        try String(contentsOfFile: "/proc/sys/net/core/somaxconn", encoding: .utf8)
          .trimmingCharacters(in: .whitespacesAndNewlines)))
    #expect(fields.count > 3 && Int(fields[3]) == min(1024, most))
  }

  @Test func `why the service fails is reported only to those with the token`() async throws {
    let router = Router(
      [Route(.GET, "/healthz") { _ in throw StoreError(.failed, "cannot write /secret") }],
      log: RequestLog(logger: Logger(label: "artworkd.test")))
    let connection = Connection(limits: ServiceLimits(), peer: nil, isTrusted: false)
    let request = Request(
      HTTPRequestHead(version: .http1_1, method: .GET, uri: "/healthz"), on: connection)
    let reported = await router.respond(to: request)
    #expect(reported.status == .serviceUnavailable)
    #expect(reported.length == Problem.redacted.body.readableBytes)
    connection.trust()
    #expect(await router.respond(to: request).status == .internalServerError)
  }

  @Test func `who shows the token gives an unauthenticated peer's place back`() async throws {
    let service = try await RunningService(
      {
        $0.unauthenticatedPeers = 2
        $0.authentication = .hours(1)
      }, onTCP: true)
    let proof = try proof(service)
    let clients = try (0..<8).map { _ in
      let client = try connect(service)
      #expect(try client.ask("GET", "/v1/leases", proof).status == 200)
      return client
    }
    // Answers that are open to all give no place back.
    let peers = try (0..<2).map { _ in
      let client = try connect(service)
      #expect(try client.ask("GET", "/healthz", ["Host": service.host]).status == 200)
      return client
    }
    let next = try connect(service)
    #expect(try next.ask("GET", "/healthz", ["Host": service.host]).status == 200)
    for client in clients { #expect(try client.ask("GET", "/v1/leases", proof).status == 200) }
    #expect(try peers[0].receiveToEnd() == "")
    #expect(try peers[1].ask("GET", "/healthz", ["Host": service.host]).status == 200)
  }

  @Test func `a connection without the token ends, whatever it asks for`() async throws {
    let service = try await RunningService({ $0.authentication = .milliseconds(1500) }, onTCP: true)
    let known = try connect(service)
    #expect(try known.ask("GET", "/v1/leases", proof(service)).status == 200)
    let silent = try connect(service)
    let busy = try connect(service)
    let slow = try connect(service)
    try slow.send("GET /healthz HTTP/1.1\r\n")
    var answers = 0
    while answers < 10_000, !silent.hasInput {
      guard let answer = try? busy.ask("GET", "/healthz", ["Host": service.host]) else { break }
      #expect(answer.status == 200)
      answers += 1
    }
    #expect(try silent.receiveToEnd() == "")
    #expect(try slow.answer().status == 408)
    #expect(try busy.receiveToEnd() == "")
    #expect(try known.ask("GET", "/v1/leases", proof(service)).status == 200)
  }
}
