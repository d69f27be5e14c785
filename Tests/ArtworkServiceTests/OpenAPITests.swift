import Logging
import NIOHTTP1
import TestSupport

@testable import ArtworkClients
@testable import ArtworkPipeline
@testable import ArtworkService

@Suite(.serialized) struct OpenAPITests {
  /// `METHOD path` of the routes that answer with anything but 405.
  private func routed(_ service: RunningService) throws -> Set<String> {
    let log = RequestLog(logger: Logger(label: "artworkd.test"))
    let routes = Routes(center: service.center, log: log, version: "test")
    return Set(
      routes.all.filter { $0.method != .HEAD }.map { "\($0.method.rawValue) \($0.path)" })
  }

  private func described(_ document: [String: Any]) throws -> Set<String> {
    let paths = try #require(document["paths"] as? [String: [String: Any]])
    return Set(
      paths.flatMap { path, item in
        item.keys.filter { $0 != "parameters" }.map { "\($0.uppercased()) \(path)" }
      })
  }

  @Test func `what is routed is described, and the reverse`() async throws {
    let service = try await RunningService()
    let answer = try service.client().ask("GET", "/openapi.json")
    #expect(answer.fields["content-type"] == "application/json")
    let document = try answer.json()
    #expect(document["openapi"] as? String == "3.1.0")
    let (routed, described) = (try routed(service), try described(document))
    let files = Set(PageRoutes.paths.map { "GET \($0)" }).subtracting(["GET /"])
    #expect(described.subtracting(routed) == [])
    // The page's scripts and styles are not part of the API.
    #expect(routed.subtracting(described).subtracting(files) == [])
  }

  @Test func `over TCP, what needs no token is described as such, and nothing else`() async throws {
    let service = try await RunningService(onTCP: true)
    let document = try service.client().ask("GET", "/openapi.json").json()
    let paths = try #require(document["paths"] as? [String: [String: Any]])
    #expect((document["security"] as? [[String: Any]])?.first?.keys.first == "token")
    for (path, item) in paths {
      for case (let method, let operation as [String: Any]) in item {
        let client = try RawClient(service.loopback, of: service)
        let answer = try client.ask(method.uppercased(), path, ["Host": service.host])
        let isOpen = (operation["security"] as? [Any])?.isEmpty ?? false
        #expect((answer.status != 401) == isOpen, "\(method) \(path)")
      }
    }
  }

  @Test func `every reference of the document leads somewhere`() async throws {
    let service = try await RunningService()
    let document = try service.client().ask("GET", "/openapi.json").json()
    var dangling: [String] = []
    func visit(_ value: Any) {
      if let list = value as? [Any] { list.forEach(visit) }
      guard let object = value as? [String: Any] else { return }
      if let reference = object["$ref"] as? String {
        let end = reference.split(separator: "/").dropFirst().reduce(document as Any?) {
          ($0 as? [String: Any])?[String($1)]
        }
        if end == nil { dangling.append(reference) }
      }
      object.values.forEach(visit)
    }
    visit(document)
    #expect(dangling == [])
  }

  /// A virtual environment below .build, with schemathesis from PyPI; `nil` if there is no network and it was not
  /// made before.
  private static let schemathesis: String? = {
    let folder = Checkout.root.appendingPathComponent(".build/schemathesis")
    let tool = folder.appendingPathComponent("bin/schemathesis").path
    if FileManager.default.isExecutableFile(atPath: tool) { return tool }
    let made =
      (try? run("python3", ["-m", "venv", folder.path]).status) == 0
      && (try? run(
        folder.appendingPathComponent("bin/pip").path,
        ["install", "--quiet", "schemathesis==4.32.5"]
      ).status) == 0
    if !made {
      FileHandle.standardError.write(
        Data("SKIPPED: schemathesis cannot be installed, its test does not run\n".utf8))
    }
    return made ? tool : nil
  }()

  @Test(
    .nightly,
    .enabled(if: !Nightly.isOn || schemathesis != nil, "schemathesis is not there"),
    .timeLimit(.minutes(20)))
  func `the running service answers as its description states`() async throws {
    let tool = try #require(Self.schemathesis)
    let service = try await RunningService(onTCP: true)
    _ = try service.register("known", "good-1x1-2s.mp4")
    let token = try #require(service.sockets.token).text
    // 504: the work goes on.
    try Data(
      "[checks.not_a_server_error]\nexpected-statuses = ['2xx', '3xx', '4xx', '504']\n".utf8
    ).write(to: service.folder.url("schemathesis.toml"))
    // The stream of events does not end. 50 examples an operation: some minutes.
    let result = try run(
      tool,
      [
        "run", "http://\(service.host)/openapi.json", "--header",
        "Authorization: Bearer \(token)", "--max-examples", "50", "--phases",
        "examples,coverage,fuzzing", "--exclude-path", "/v1/events", "--checks",
        "not_a_server_error,status_code_conformance,content_type_conformance,"
          + "response_schema_conformance,response_headers_conformance",
        "--exclude-checks", "ignored_auth", "--generation-deterministic", "--no-color",
        "--request-timeout", "20", "--suppress-health-check", "all",
      ], in: service.folder.root)
    #expect(
      result.status == 0,
      "\(String(decoding: result.output, as: UTF8.self).suffix(6000))\(result.error)")
    #expect(try service.client().ask("GET", "/healthz").status == 200)
  }
}
