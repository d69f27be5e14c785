import ArtworkCompanion
import TestSupport

/// A message bus of a test's own.
final class MessageBus: Sendable {
  static let isAvailable =
    OptionalLibrary.desktopPlayers.isPresent
    && FileManager.default.isExecutableFile(atPath: "/usr/bin/dbus-daemon")
  static let absence: Comment = "needs dbus-daemon and a build with libsystemd"

  static let hasClient = FileManager.default.isExecutableFile(atPath: "/usr/bin/playerctl")

  let folder: TemporaryFolder
  private let daemon: Child

  init() throws {
    folder = try TemporaryFolder()
    daemon = try Child(
      "/usr/bin/dbus-daemon",
      [
        "--session", "--nofork", "--nosyslog", "--print-address=1",
        "--address=\(Self.text(folder))",
      ])
    // It prints its address when it listens.
    _ = try daemon.line()
  }

  private static func text(_ folder: TemporaryFolder) -> String {
    "unix:path=\(folder.path("bus").string)"
  }

  var text: String { Self.text(folder) }
  var address: BusAddress { .at(text) }

  /// For programs that are to use this bus.
  var environment: [String: String] {
    ["DBUS_SESSION_BUS_ADDRESS": text, "DBUS_SYSTEM_BUS_ADDRESS": text]
  }

  func stop() { daemon.kill() }

  /// Whether a program succeeds on this bus, and its output.
  func run(_ program: String, _ arguments: [String]) throws -> (status: Int32, output: String) {
    let ended = try TestSupport.run(program, arguments, environment: environment)
    return (ended.status, String(decoding: ended.output, as: UTF8.self))
  }
}

/// A program that runs beside a test, and ends with this object.
final class Child: Sendable {
  private let process = Process()
  private let input = Pipe()
  private let output = Pipe()

  init(_ program: String, _ arguments: [String], environment: [String: String] = [:]) throws {
    process.executableURL = URL(fileURLWithPath: program)
    process.arguments = arguments
    process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    process.standardInput = input
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    try process.run()
  }

  deinit { kill() }

  /// A player in a separate process, which owns its names.
  static func player(_ names: String..., on bus: MessageBus) throws -> Child {
    let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().appendingPathComponent("fake-player")
    let player = try Child(script.path, names, environment: bus.environment)
    try #require(try player.line() == "ready", "fake-player did not start")
    return player
  }

  var processID: Int32 { process.processIdentifier }

  func kill() {
    // Once it has been waited for, its number may be another's.
    if process.isRunning { Foundation.kill(processID, SIGKILL) }
    process.waitUntilExit()
  }

  func signal(_ number: Int32) { Foundation.kill(processID, number) }

  func send(_ line: String) throws {
    try input.fileHandleForWriting.write(contentsOf: Data("\(line)\n".utf8))
  }

  /// The next line of its output; empty at the end.
  func line() throws -> String {
    var bytes: [UInt8] = []
    while let byte = try output.fileHandleForReading.read(upToCount: 1)?.first, byte != 10 {
      bytes.append(byte)
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}

/// Waits until something is so, which takes milliseconds when all is well.
func eventually<Value: Sendable>(
  _ what: Comment, sourceLocation: SourceLocation = #_sourceLocation,
  _ read: () async throws -> Value?
) async throws -> Value {
  let end = ContinuousClock.now + .seconds(60)
  while ContinuousClock.now < end {
    if let value = try await read() { return value }
    try await Task.sleep(for: .milliseconds(10))
  }
  return try #require(nil as Value?, what, sourceLocation: sourceLocation)
}

func eventually(
  _ what: Comment, sourceLocation: SourceLocation = #_sourceLocation,
  _ read: () async throws -> Bool
) async throws {
  _ = try await eventually(what, sourceLocation: sourceLocation) {
    try await read() ? true : nil
  }
}
