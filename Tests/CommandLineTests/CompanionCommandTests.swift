import ArtworkCompanion
import TestSupport

/// The command line of `artworkd companion`; ArtworkCompanionTests tests its behaviour.
@Suite struct CompanionCommandTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func run(_ arguments: String..., bus: String? = nil) throws -> BuiltTool.Result {
    try BuiltTool.run(
      ["companion"] + arguments,
      environment: [
        "DBUS_SESSION_BUS_ADDRESS": bus ?? "unix:path=\(folder.path("no-bus").string)",
        "XDG_RUNTIME_DIR": folder.root.path, "HOME": folder.root.path,
      ])
  }

  @Test("without a service, 69 and what to do") func noService() throws {
    let result = try run()
    #expect(result.status == 69)
    #expect(result.error.contains("is artworkd serve running?"))
  }

  @Test("without a bus or without libsystemd, 69 and what is missing") func noBus() async throws {
    let service = try await RunningService()
    let socket = service.folder.path("run/a.sock").string
    let result = try await withCheckedThrowingContinuation { continuation in
      Thread.detachNewThread { continuation.resume(with: Result { try run("--socket", socket) }) }
    }
    #expect(result.status == 69)
    #expect(
      result.error.contains(
        OptionalLibrary.desktopPlayers.isPresent ? "no message bus" : "DesktopPlayers"))
  }

  @Test("a folder that is not there, an unknown condition: 64 and the name") func usage() throws {
    let absent = try run("--music", "/nonexistent")
    #expect(absent.status == 64)
    #expect(absent.error.contains("/nonexistent is not a folder"))
    #expect(try run("--library", "/dev/null").status == 64)
    #expect(try run("--low-power", "maybe").status == 64)
    #expect(try run("--config", "/nonexistent.yml").status == 64)
  }
}
