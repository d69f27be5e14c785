import ArtworkClients
import TestSupport

/// Held sessions, by the table that the clients for Python and C pass, too.
@Suite(.timeLimit(.minutes(5))) struct HoldCasesTests {
  struct Row: Decodable, Sendable, CustomTestStringConvertible {
    var hold: String
    /// The code of the trouble while the service does not take a change.
    var trouble: String?
    /// Whether the session ends.
    var ends: Bool?
    var testDescription: String { hold }
  }

  private static let tests = Checkout.root.appendingPathComponent("Integrations/clients/tests")

  static func rows() throws -> [(Int, Row)] {
    struct Table: Decodable { var holds: [Row] }
    let data = try Data(contentsOf: tests.appendingPathComponent("cases.json"))
    return Array(try JSONDecoder().decode(Table.self, from: data).holds.enumerated())
  }

  @Test(arguments: try rows())
  func `a session is held as in the table`(number: Int, row: Row) async throws {
    let folder = try TemporaryFolder()
    let path = folder.url("a.sock").path
    let (service, input) = (Process(), Pipe())
    service.executableURL = URL(fileURLWithPath: ReportSchema.python)
    service.arguments = [
      "-B", Self.tests.appendingPathComponent("fake.py").path, path, "\(number)",
    ]
    service.standardInput = input
    try service.run()
    defer { service.terminate() }
    let client = ArtworkClient(.socket(path: path))
    var session = MediaSession(application: "org.example.tests", content: .movie(title: "One"))
    var opened: HeldSession?
    try await until("the service did not start") {
      opened = try? await client.hold(session, as: SessionSamples.id("s"), commands: [.pause {}])
      return opened != nil
    }
    let held = try #require(opened)
    session.content?.title = "Two"
    do {
      try await held.update(session)
      #expect(row.trouble == nil)
    } catch {
      #expect(row.trouble == nil || error.code == row.trouble)
    }
    if let trouble = row.trouble {
      try await until("there is no trouble") { held.trouble?.code == trouble }
      try input.fileHandleForWriting.write(contentsOf: Data("go\n".utf8))
    }
    if row.ends == true { await held.untilEnded() }
    try await until("the service waits for something else") { !service.isRunning }
    #expect(service.terminationStatus == 0)
    #expect(held.isEnded == (row.ends ?? false))
  }
}
