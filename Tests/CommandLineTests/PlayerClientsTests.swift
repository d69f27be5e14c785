import TestSupport

/// The clients for Python and C in `Integrations/clients`: their own tests, which start and kill `artworkd serve`.
@Suite struct PlayerClientsTests {
  static let hasCompiler =
    (try? run("cc", ["--version"]).status) == 0
    && (try? run("pkg-config", ["--exists", "libcurl", "jansson"]).status) == 0

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

  @Test("the Python client does what the service shows, and no server can hang or fool it")
  func python() throws { try runTests("test_python.py") }

  @Test(
    "the C client does too, with sanitizers",
    .enabled(if: hasCompiler, "install gcc, libcurl and Jansson: Scripts/bootstrap test does"))
  func c() throws { try runTests("test_c.py") }
}
