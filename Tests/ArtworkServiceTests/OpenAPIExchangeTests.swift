import TestSupport

/// Requests and responses of the service, validated against the schemas of its description.
@Suite(.enabled(if: ReportSchema.hasValidator, ReportSchema.absence))
struct OpenAPIExchangeTests {
  private struct Exchange {
    var method: String
    /// As in the description.
    var path: String
    var target: String
    var body: String?
    var status: Int
  }

  private static func exchanges(_ file: String) -> [Exchange] {
    let artwork = "/v1/artworks/{artworkID}/{key}"
    let session = "/v1/sessions/{id}"
    let content = """
      {"kind":"music","title":"T","subtitle":"S","collection":"C","id":"i","mediaType":"audio",\
      "durationSeconds":100,"description":"D","contentRating":"explicit",\
      "composer":"X","genre":"Jazz","isExplicit":true,\
      "chapters":[{"title":"One","startSeconds":0}]}
      """
    return [
      Exchange(
        method: "PUT", path: artwork, target: "/v1/artworks/a/1x1",
        body: #"{"source":{"path":"\#(file)"}}"#, status: 201),
      Exchange(
        method: "PUT", path: artwork, target: "/v1/artworks/b/1x1", body: #"{"source":{}}"#,
        status: 400),
      Exchange(method: "GET", path: artwork, target: "/v1/artworks/a/1x1", status: 200),
      Exchange(
        method: "GET", path: "/v1/artworks/{artworkID}", target: "/v1/artworks/a", status: 200),
      Exchange(method: "GET", path: "/v1/artworks", target: "/v1/artworks", status: 200),
      Exchange(
        method: "POST", path: artwork + "/prepare", target: "/v1/artworks/a/1x1/prepare",
        body: #"{"width":96,"height":96,"videoCodecs":["h264"]}"#, status: 200),
      Exchange(
        method: "POST", path: artwork + "/prepare", target: "/v1/artworks/a/1x1/prepare",
        body: #"{"width":96}"#, status: 400),
      Exchange(
        method: "PUT", path: session, target: "/v1/sessions/s",
        body: """
          {"application":"app","content":\(content),"artwork":{"1x1":"a"},"videoCodecs":["h264"],\
          "playback":{"state":"playing","elapsedSeconds":3,"rate":1},"eligibility":"always",\
          "commands":{"pause":{},"skipForward":{"preferredIntervals":[15]}}}
          """, status: 201),
      Exchange(
        method: "PUT", path: session, target: "/v1/sessions/t", body: #"{"artwork":{"2x2":"a"}}"#,
        status: 400),
      Exchange(
        method: "PATCH", path: session, target: "/v1/sessions/s",
        body: #"{"playback":{"state":"paused"},"content":{"description":null}}"#, status: 200),
      Exchange(method: "GET", path: session, target: "/v1/sessions/s", status: 200),
      Exchange(method: "GET", path: "/v1/sessions", target: "/v1/sessions", status: 200),
      Exchange(
        method: "POST", path: session + "/artwork/{key}/video",
        target: "/v1/sessions/s/artwork/1x1/video", body: #"{"width":96,"height":96}"#, status: 200),
      Exchange(
        method: "POST", path: session + "/commands", target: "/v1/sessions/s/commands",
        body: #"{"command":"like","interval":1}"#, status: 400),
      Exchange(
        method: "POST", path: session + "/commands", target: "/v1/sessions/s/commands",
        body: #"{"command":"seekToPosition"}"#, status: 400),
      Exchange(method: "GET", path: "/v1/now-playing", target: "/v1/now-playing", status: 200),
      Exchange(method: "GET", path: "/v1/leases", target: "/v1/leases", status: 200),
      Exchange(
        method: "PUT", path: "/v1/conditions", target: "/v1/conditions",
        body: #"{"lowPower":true}"#, status: 200),
      Exchange(method: "GET", path: "/v1/conditions", target: "/v1/conditions", status: 200),
      Exchange(method: "GET", path: "/healthz", target: "/healthz", status: 200),
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
    let document = try client.ask("GET", "/openapi.json").json()
    var exchanges: [[String: Any]] = []
    for exchange in Self.exchanges(Fixture.named("good-1x1-2s.mp4").url.path) {
      let answer = try client.ask(exchange.method, exchange.target, json: exchange.body)
      #expect(answer.status == exchange.status, "\(exchange) \(answer.text)")
      exchanges.append([
        "method": exchange.method, "path": exchange.path, "target": exchange.target,
        "body": exchange.body ?? NSNull(), "status": answer.status, "answer": answer.text,
      ])
    }
    let input = try JSONSerialization.data(withJSONObject: [document, exchanges] as [Any])
    let result = try run(
      ReportSchema.python, ["-c", Self.script], input: String(decoding: input, as: UTF8.self))
    #expect(result.status == 0, "\(result.error)")
    #expect(String(decoding: result.output, as: UTF8.self) == "")
  }
}
