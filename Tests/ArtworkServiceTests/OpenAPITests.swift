import Logging
import NIOHTTP1
import TestSupport

@testable import ArtworkService

@Suite(.serialized) struct OpenAPITests {
  /// `METHOD path` of the routes that answer with anything but 405.
  private func routed(_ service: RunningService) throws -> Set<String> {
    let log = RequestLog(logger: Logger(label: "artworkd.test"))
    let routes = Routes(center: service.center, log: log, version: "test")
    return Set(routes.all.filter { $0.method != .HEAD }.map { "\($0.method.rawValue) \($0.path)" })
  }

  /// The operations, with `METHOD path` each.
  private func described(_ document: JSONNode) throws -> [(name: String, operation: JSONNode)] {
    let paths = try #require(document["paths"])
    return paths.fieldNames.flatMap { path in
      let item = paths[path] ?? .null
      return item.fieldNames.filter { $0 != "parameters" }.map {
        ("\($0.uppercased()) \(path)", item[$0] ?? .null)
      }
    }
  }

  @Test func `what is routed is described, and the reverse`() async throws {
    let service = try await RunningService()
    let answer = try service.client().ask("GET", "/openapi.json")
    #expect(answer.fields["content-type"] == "application/json")
    #expect(answer.at("openapi") == "3.1.0")
    let routed = try routed(service)
    let described = Set(try described(answer.json).map(\.name))
    let files = Set(PageRoutes.paths.map { "GET \($0)" }).subtracting(["GET /"])
    #expect(described.subtracting(routed) == [])
    // The page's scripts and styles are not part of the API.
    #expect(routed.subtracting(described).subtracting(files) == [])
  }

  @Test func `over TCP, what needs no token is described as such, and nothing else`() async throws {
    let service = try await RunningService(onTCP: true)
    let document = try service.client().ask("GET", "/openapi.json").json
    #expect(document.at("security.0")?.fieldNames == ["token"])
    for (name, operation) in try described(document) {
      let words = name.split(separator: " ").map(String.init)
      let answer = try RawClient(service.loopback, of: service).ask(
        words[0], words[1], ["Host": service.host])
      #expect((answer.status != 401) == (operation["security"] == []), "\(name)")
    }
  }

  @Test func `every reference of the document leads somewhere`() async throws {
    let service = try await RunningService()
    let document = try service.client().ask("GET", "/openapi.json").json
    var dangling: [String] = []
    func visit(_ node: JSONNode) {
      if let reference = node["$ref"]?.text {
        let end = reference.split(separator: "/").dropFirst().reduce(document as JSONNode?) {
          $0?[String($1)]
        }
        if end == nil { dangling.append(reference) }
      }
      for item in node.items { visit(item) }
      for name in node.fieldNames { visit(node[name] ?? .null) }
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
      (try? execute("python3 -m venv \(folder.path)").status) == 0
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
