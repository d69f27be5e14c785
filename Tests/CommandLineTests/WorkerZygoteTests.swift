import TestSupport

@testable import ArtworkService

/// The process that starts workers, when the system gives it no more descriptors.
@Suite(.serialized, .timeLimit(.minutes(3))) struct WorkerZygoteTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private var place: ListeningSocket.Place { .local(FilePath(folder.url("run/a.sock").path)) }

  /// A service whose soft limit of descriptors is 256.
  private func service() throws -> RunningTool {
    let service = try RunningTool(
      [
        "serve", "--store", folder.url("store").path, "--socket", folder.url("run/a.sock").path,
      ], through: ["/bin/sh", "-c", "ulimit -S -n 256; exec \"$@\"", "sh"])
    try #require(service.prints("listening"))
    return service
  }

  private func zygote(of service: RunningTool) throws -> pid_t {
    let number = service.process.processIdentifier
    // Both are forked by the first thread.
    let children = try String(
      contentsOfFile: "/proc/\(number)/task/\(number)/children", encoding: .utf8
    ).split(separator: " ")
    // Before it comes the one that replaces it.
    return try #require(children.dropFirst().first.flatMap { pid_t($0) })
  }

  /// Soft and hard.
  private func limits(of process: pid_t) throws -> [Substring] {
    let text = try String(contentsOfFile: "/proc/\(process)/limits", encoding: .utf8)
    let line = try #require(text.split(separator: "\n").first { $0.hasPrefix("Max open files") })
    return line.dropFirst("Max open files".count).split(separator: " ").prefix(2).map { $0 }
  }

  private func publish(_ name: String, _ file: URL) throws -> JSONNode {
    // One that hangs would be late.
    try RawClient(place).ask(
      "PUT", "/v1/artworks/\(name)/1x1?wait=28", json: #"{"source":{"path":"\#(file.path)"}}"#
    ).json
  }

  @Test("a worker that cannot be started for want of descriptors costs one file")
  func scarcity() throws {
    let service = try service()
    defer { service.end(SIGTERM) }
    let zygote = try zygote(of: service)
    let hard = try #require(try limits(of: zygote).last)
    // It has 0 to 6. A request brings three more, and its worker a pipe. One that can report nothing is replaced.
    for limit in 8...11 {
      #expect(try execute("prlimit --pid \(zygote) --nofile=\(limit):").status == 0)
      let file = folder.url("\(limit).mp4")
      try Data("no worker sees this, \(limit)".utf8).write(to: file)
      let answer = try publish("\(limit)", file)
      let said = "\(answer)"
      #expect(said.contains("could not be inspected"), "\(limit): \(answer)")
      // The first descriptor is the socket over which it can report the reason.
      #expect(said.contains("oo many open files"), "\(limit): \(answer)")
    }
    let plenty = "--nofile=\(hard):"
    #expect(try execute("prlimit --pid \(zygote) \(plenty)").status == 0)
    let answer = try publish("good", Fixture.named("good-1x1-2s.mp4").url)
    #expect(answer["status"] == "ready", "\(answer)")
    #expect(try self.zygote(of: service) == zygote)
    // No descriptor of the failed requests remains open.
    var open: [String] = []
    for _ in 0..<6000 where open.count != 7 {
      open = try FileManager.default.contentsOfDirectory(atPath: "/proc/\(zygote)/fd")
      usleep(10_000)
    }
    #expect(open.sorted() == (0...6).map(String.init))
  }

  @Test("the process that starts workers may open as much as the service")
  func raisedLimit() throws {
    let service = try service()
    defer { service.end(SIGTERM) }
    let limits = try limits(of: try zygote(of: service))
    #expect(limits.first != "256" && limits.first == limits.last, "\(limits)")
    #expect(try self.limits(of: service.process.processIdentifier) == limits)
  }
}
