import TestSupport

@testable import ArtworkClients
@testable import ArtworkService

@Suite(.serialized) struct ServiceSocketsTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func open(_ name: String, onTCP: Bool = false) throws -> ServiceSockets {
    var addresses = ServiceSockets.Addresses(socket: folder.path(name))
    if onTCP { addresses.loopback = LoopbackAddress(port: 0) }
    return try ServiceSockets(addresses, environment: [:])
  }

  private func mode(_ name: String) throws -> Int {
    let facts = try FileManager.default.attributesOfItem(atPath: folder.url(name).path)
    return try #require(facts[.posixPermissions] as? Int)
  }

  @Test func `the folder, the socket and the token are this user's alone`() throws {
    let before = umask(0)
    defer { umask(before) }
    let sockets = try open("run/a.sock", onTCP: true)
    #expect(try mode("run") == 0o700)
    #expect(try mode("run/a.sock") == 0o600)
    #expect(try mode("run/token") == 0o600)
    #expect(try mode("run/a.sock.lock") == 0o600)
    let token = try folder.text("run/token")
    #expect(token == "\(try #require(sockets.token).text)\n")
    #expect(umask(0) == 0)
  }

  @Test func `a second service finds the first by its process and takes nothing`() throws {
    let first = try open("run/a.sock")
    #expect(
      throws: StartError.alreadyRunning(
        lock: folder.path("run/a.sock.lock"), process: ProcessInfo.processInfo.processIdentifier)
    ) { try open("run/a.sock") }
    withExtendedLifetime(first) {}
    _ = try RawClient(first.listening[0].place)
    _ = try open("run/b.sock")
  }

  @Test func `what a dead service left is replaced`() throws {
    _ = try open("run/a.sock")
    #expect(folder.has("run/a.sock"))
    let again = try open("run/a.sock")
    _ = try RawClient(again.listening[0].place)
  }

  /// A folder for this user alone.
  private func make(_ name: String, mode: Int = 0o700) throws {
    try FileManager.default.createDirectory(
      at: folder.url(name), withIntermediateDirectories: true,
      attributes: [.posixPermissions: mode])
  }

  @Test(arguments: ["link", "file", "folder"])
  func `what is no socket is left alone`(kind: String) throws {
    try make("run")
    switch kind {
    case "link": try folder.link("run/a.sock", to: folder.url("elsewhere").path)
    case "file": try folder.write("mine", to: "run/a.sock")
    default: try make("run/a.sock")
    }
    #expect(throws: StartError.notASocket(folder.path("run/a.sock"))) { try open("run/a.sock") }
    #expect(!folder.has("elsewhere"))
    if kind == "file" { #expect(try folder.text("run/a.sock") == "mine") }
  }

  @Test func `a link in the place of the lock is not followed`() throws {
    try make("run")
    try folder.write("mine", to: "victim")
    try folder.link("run/a.sock.lock", to: folder.url("victim").path)
    #expect(throws: StartError.self) { try open("run/a.sock") }
    #expect(try folder.text("victim") == "mine")
  }

  @Test(arguments: [0o755, 0o770, 0o701, 0o1777])
  func `a folder that others may enter is refused`(mode: Int) throws {
    try folder.make("run")
    try FileManager.default.setAttributes(
      [.posixPermissions: mode], ofItemAtPath: folder.url("run").path)
    let error = #expect(throws: StartError.self) { try open("run/a.sock") }
    guard case .folderNotPrivate = error else {
      Issue.record("\(String(describing: error))")
      return
    }
  }

  @Test func `a link in the place of the folder is refused`() throws {
    try make("real")
    try folder.link("run", to: folder.url("real").path)
    #expect(throws: StartError.folderNotPrivate(folder.path("run"), "is not a folder")) {
      try open("run/a.sock")
    }
  }

  @Test func `a path that is too long for the system is reported with the limit`() throws {
    let name = "run/" + String(repeating: "x", count: 108)
    let error = #expect(throws: StartError.self) { try open(name) }
    #expect(error == .socketPathTooLong(folder.path(name), limit: ListeningSocket.longestPath))
    #expect(error?.description.contains("107") == true)
    let fits = 107 - folder.url("run").path.utf8.count - 1
    _ = try open("run/" + String(repeating: "x", count: fits))
  }

  @Test func `where the socket lies follows the environment`() {
    func path(_ environment: [String: String]) -> String { DefaultSocket.path(environment) }
    #expect(path(["ARTWORKD_SOCKET": "/a/b", "XDG_RUNTIME_DIR": "/run/x"]) == "/a/b")
    #expect(path(["XDG_RUNTIME_DIR": "/run/x"]) == "/run/x/artworkd/artworkd.sock")
    #expect(path(["XDG_RUNTIME_DIR": "x"]) == "/tmp/artworkd-\(geteuid())/artworkd.sock")
    #expect(path([:]) == "/tmp/artworkd-\(geteuid())/artworkd.sock")
  }

  @Test func `descriptors for another process are not taken`() throws {
    var addresses = ServiceSockets.Addresses(socket: folder.path("run/a.sock"))
    addresses.usesSocket = true
    let sockets = try ServiceSockets(
      addresses, environment: ["LISTEN_PID": "1", "LISTEN_FDS": "1"])
    #expect(sockets.listening.map(\.place) == [.local(folder.path("run/a.sock"))])
  }

  @Test func `tokens differ and have 256 bits`() {
    let tokens = (0..<100).map { _ in AccessToken().text }
    #expect(Set(tokens).count == 100)
    #expect(tokens.allSatisfy { $0.count == 64 && $0.allSatisfy(\.isHexDigit) })
  }
}
