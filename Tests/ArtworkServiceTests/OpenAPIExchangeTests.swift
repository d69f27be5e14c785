import TestSupport

/// Requests and responses of the service, validated against the schemas of its description.
@Suite(.enabled(if: ReportSchema.hasValidator, ReportSchema.absence))
struct OpenAPIExchangeTests {
  /// The method, the path as in the description, what stands for its parameters, the body, and the status.
  private typealias Exchange = (
    method: String, path: String, names: [String], body: String?, status: Int
  )

  private static func exchanges(_ file: String) -> [Exchange] {
    let artwork = "/v1/artworks/{artworkID}/{key}"
    let session = "/v1/sessions/{id}"
    let content = """
      {"kind":"music","title":"T","subtitle":"S","collection":"C","id":"i","mediaType":"audio",\
      "durationSeconds":100,"description":"D","contentRating":"explicit",\
      "composer":"X","genre":"Jazz","isExplicit":true,\
      "chapters":[{"title":"One","startSeconds":0}]}
      """
    let whole = """
      {"application":"app","content":\(content),"artwork":{"1x1":"a"},"videoCodecs":["h264"],\
      "playback":{"state":"playing","elapsedSeconds":3,"rate":1},"eligibility":"always",\
      "commands":{"pause":{},"skipForward":{"preferredIntervals":[15]}}}
      """
    let change = #"{"playback":{"state":"paused"},"content":{"description":null}}"#
    let prepared = #"{"width":96,"height":96,"videoCodecs":["h264"]}"#
    return [
      ("PUT", artwork, ["a", "1x1"], #"{"source":{"path":"\#(file)"}}"#, 201),
      ("PUT", artwork, ["b", "1x1"], #"{"source":{}}"#, 400),
      ("GET", artwork, ["a", "1x1"], nil, 200),
      ("GET", "/v1/artworks/{artworkID}", ["a"], nil, 200), ("GET", "/v1/artworks", [], nil, 200),
      ("POST", artwork + "/prepare", ["a", "1x1"], prepared, 200),
      ("POST", artwork + "/prepare", ["a", "1x1"], #"{"width":96}"#, 400),
      ("PUT", session, ["s"], whole, 201),
      ("PUT", session, ["t"], #"{"artwork":{"2x2":"a"}}"#, 400),
      ("PATCH", session, ["s"], change, 200), ("GET", session, ["s"], nil, 200),
      ("GET", "/v1/sessions", [], nil, 200),
      ("POST", session + "/artwork/{key}/video", ["s", "1x1"], #"{"width":96,"height":96}"#, 200),
      ("POST", session + "/commands", ["s"], #"{"command":"like","interval":1}"#, 400),
      ("POST", session + "/commands", ["s"], #"{"command":"seekToPosition"}"#, 400),
      ("GET", "/v1/now-playing", [], nil, 200), ("GET", "/v1/leases", [], nil, 200),
      ("PUT", "/v1/conditions", [], #"{"lowPower":true}"#, 200),
      ("GET", "/v1/conditions", [], nil, 200), ("GET", "/healthz", [], nil, 200),
    ]
  }

  /// Prints a line for each schema that differs from the service.
  private static let script = """
    import json, sys
    from jsonschema import Draft202012Validator
    document, exchanges = json.load(sys.stdin)
    def resolved(node):
        while "$ref" in node:
            place = document
            for part in node["$ref"].split("/")[1:]:
                place = place[part]
            node = place
        return node
    def errors(schema, value):
        return list(Draft202012Validator({**schema, "components": document["components"]}).iter_errors(value))
    for each in exchanges:
        name = f"{each['method']} {each['target']} {each['body']}"
        operation = document["paths"][each["path"]][each["method"].lower()]
        if each["body"] is not None:
            found = errors(operation["requestBody"]["content"]["application/json"]["schema"], json.loads(each["body"]))
            if bool(found) != (each["status"] == 400):
                print(name, "request:", [error.message[:120] for error in found])
        answers = operation["responses"]
        answer = resolved(answers.get(str(each["status"]), answers.get("default", {})))
        kinds = answer["content"]
        for error in errors(next(iter(kinds.values()))["schema"], json.loads(each["answer"])):
            print(name, "answer:", error.json_path, error.message[:200])
    """

  @Test func `requests are taken if their schema does, and answers are as described`() async throws {
    let service = try await RunningService()
    let client = try service.client()
    let document = try client.ask("GET", "/openapi.json").text
    var exchanges: [[String: Any]] = []
    for exchange in Self.exchanges(Fixture.named("good-1x1-2s.mp4").url.path) {
      let target = exchange.names.reduce(exchange.path) {
        $0.replacing(#/\{\w+\}/#, with: $1, maxReplacements: 1)
      }
      let answer = try client.ask(exchange.method, target, json: exchange.body)
      #expect(answer.status == exchange.status, "\(exchange) \(answer.text)")
      exchanges.append([
        "method": exchange.method, "path": exchange.path, "target": target,
        "body": exchange.body ?? NSNull(), "status": answer.status, "answer": answer.text,
      ])
    }
    let seen = try JSONSerialization.data(withJSONObject: exchanges)
    let result = try execute(
      "\(ReportSchema.python) -c", [Self.script],
      input: "[\(document),\(String(decoding: seen, as: UTF8.self))]")
    #expect(result.status == 0, "\(result.error)")
    #expect(result.output == "")
  }
}
