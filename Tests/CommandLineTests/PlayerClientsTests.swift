import TestSupport

/// The clients for Python and C in `Integrations/clients`: their own tests, which start and kill `artworkd serve`.
@Suite struct PlayerClientsTests {
  static let hasCompiler =
    (try? execute("cc --version").status) == 0
    && (try? execute("pkg-config --exists libcurl jansson").status) == 0

  private func runTests(_ name: String) throws {
    let script = IntegrationsTests.file("Integrations/clients/tests/\(name)")
    let result = try run(
      ReportSchema.python, ["-B", "-W", "error", script.path],
      environment: [
        "ARTWORKD": try BuiltTool.find().path,
        "FIXTURES": Fixture.named("good-1x1.mp4").url.deletingLastPathComponent().path,
      ])
    #expect(result.status == 0, "\(result.error)")
    // A script that finds no test succeeds, too.
    #expect(result.error.contains(#/Ran [1-9][0-9]+ tests/#))
  }

  @Test("every field that a player publishes travels through Swift, too")
  func swift() throws {
    /// Whether all that is wanted is there; the service adds what is so by default.
    func holds(_ seen: JSONNode?, _ wanted: JSONNode) -> Bool {
      switch wanted {
      case .object: wanted.fieldNames.allSatisfy { holds(seen?[$0], wanted[$0] ?? .null) }
      case .list(let items):
        seen?.items.count == items.count
          && zip(seen?.items ?? [], items).allSatisfy { holds($0, $1) }
      default: seen == wanted
      }
    }
    let tables = try JSONNode.read(IntegrationsTests.text("Integrations/clients/tests/cases.json"))
    let sessions = try #require(tables["sessions"]).items
    #expect(sessions.count == 2)
    for session in sessions {
      let request = try JSONDecoder().decode(SessionRequest.self, from: Data(session.bytes))
      let again = try JSONReader.read(Array(JSONEncoder().encode(request)))
      #expect(holds(again, session), "\(again)")
    }
  }

  /// Waits for what the page leaves time for: the service, the stream, and the command.
  private static let patience = """
    waits=0
    sleep() {
      waits=$((waits + 1))
      for _ in $(seq 600); do
        case $waits in
        1) curl -sf --unix-socket "$XDG_RUNTIME_DIR/artworkd/artworkd.sock" http://localhost/healthz && return ;;
        2) grep -q '^event: now-playing' events && return ;;
        *) grep -q '^event: command' events && return ;;
        esac
        command sleep 0.1
      done
    }
    trap 'kill $(jobs -p)' EXIT

    """

  @Test("the commands of service.md work as they are pasted, in their order")
  func documentedCommands() throws {
    let page = try IntegrationsTests.text("docs/service.md")
    let blocks = page.components(separatedBy: "```sh\n").dropFirst()
      .map { $0.components(separatedBy: "\n```")[0] }.filter { $0.contains("api ") }
    #expect(blocks.count == 3)
    let folder = try TemporaryFolder()
    try folder.copy("good-1x1.mp4", to: "artwork/Mira Vance - Low Orbit/1x1.mp4")
    let script = Self.patience + blocks.joined(separator: "\n") + "\nwait $! && echo skipped\n"
    let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
    let result = try folder.run(
      "bash -c", [script],
      environment: [
        "PATH": try BuiltTool.find().deletingLastPathComponent().path + ":" + path,
        "XDG_RUNTIME_DIR": folder.url("").path, "XDG_STATE_HOME": folder.url("state").path,
      ])
    let output = result.output
    #expect(output.hasSuffix("skipped\n") && output.contains("file:///"), "\(result.error)")
    // A problem has a status that is a number.
    #expect(!output.contains(#/"status":[0-9]/#), "\(output)")
    #expect(folder.has("preview.png"))
  }

  @Test("the Python client does what the service shows, and no server can hang or fool it")
  func python() throws { try runTests("test_python.py") }

  @Test(
    "the C client does too, with sanitizers",
    .enabled(if: hasCompiler, "install gcc, libcurl and Jansson: Scripts/bootstrap test does"))
  func c() throws { try runTests("test_c.py") }
}
