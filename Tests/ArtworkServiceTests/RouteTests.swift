import Logging
import NIOCore
import NIOHTTP1
import TestSupport

@testable import ArtworkClients
@testable import ArtworkCore
@testable import ArtworkMedia
@testable import ArtworkPipeline
@testable import ArtworkService
@testable import ArtworkStore

@Suite(.serialized) struct RouteTests {
  @Test func `an artwork is registered, reported and forgotten`() async throws {
    let service = try await RunningService()
    let new = try service.register("album", "good-1x1-2s.mp4")
    #expect(new.status == 201)
    #expect(try service.register("album", "good-1x1-2s.mp4").status == 200)
    let artwork = try new.json()
    #expect(artwork["status"] as? String == "ready")
    #expect((artwork["digest"] as? String)?.count == 64)
    let report = try #require(artwork["report"] as? [String: Any])
    #expect(report["key"] as? String == "1x1")
    #expect((report["facts"] as? [String: Any])?["codec"] as? String == "h264")
    let client = try service.client()
    let list = try client.ask("GET", "/v1/artworks").json()
    let listed = try #require((list["artworks"] as? [[String: Any]])?.first)
    #expect(listed["artworkID"] as? String == "album")
    #expect(listed["report"] == nil)
    #expect((list["usage"] as? [String: Any])?["artworks"] as? Int == 1)
    let short = try client.ask("GET", "/v1/artworks/album/1x1?report=0").json()
    #expect(short["digest"] as? String == artwork["digest"] as? String)
    #expect(short["report"] == nil)
    #expect(try client.ask("GET", "/v1/artworks/album/1x1").json()["report"] != nil)
    #expect(try client.ask("GET", "/v1/artworks/album/1x1?report=yes").status == 400)
    #expect(try client.ask("DELETE", "/v1/artworks/album/1x1").status == 204)
    #expect(try client.ask("GET", "/v1/artworks/album/1x1").status == 404)
    #expect(try client.ask("DELETE", "/v1/artworks/album/1x1").status == 404)
  }

  @Test func `an artwork is reported with all its keys`() async throws {
    let service = try await RunningService()
    let client = try service.client()
    #expect(try client.ask("GET", "/v1/artworks/album").status == 404)
    _ = try service.register("album", "good-3x4.mp4", key: "3x4")
    let one = try client.ask("GET", "/v1/artworks/album").json()
    #expect(one["artworkID"] as? String == "album")
    #expect((one["variants"] as? [String: Any])?.keys.sorted() == ["3x4"])
    _ = try service.register("album", "good-1x1-2s.mp4")
    let both = try #require(
      try client.ask("GET", "/v1/artworks/album?report=1").json()["variants"]
        as? [String: [String: Any]])
    #expect(both.keys.sorted() == ["1x1", "3x4"])
    #expect(both["1x1"]?["status"] as? String == "ready")
    #expect(both["1x1"]?["report"] != nil)
  }

  @Test func `the report is what check prints`() async throws {
    let service = try await RunningService()
    let name = "aspect-16x9.mp4"
    let reported = try service.register("wide", name).json()["report"] as? [String: Any]
    let findings = try #require(reported?["findings"] as? [[String: Any]])
    let path = try #require(reported?["path"] as? String)
    let checked = try BuiltTool.run([
      "check", path, "--no-thorough", "--key", "1x1", "--format", "json",
    ])
    let document =
      try JSONSerialization.jsonObject(with: Data(checked.output.utf8)) as? [String: Any]
    let result = try #require((document?["results"] as? [[String: Any]])?.first)
    #expect(reported?["verdict"] as? String == result["verdict"] as? String)
    #expect(
      findings.map { $0["rule"] as? String }
        == (result["findings"] as? [[String: Any]])?.map { $0["rule"] as? String })
  }

  @Test func `other content under the same artworkID is a conflict that states what to do`()
    async throws
  {
    let service = try await RunningService()
    #expect(try service.register("a", "good-1x1-2s.mp4").status == 201)
    let answer = try service.register("a", "good-1x1.mp4")
    #expect(answer.status == 409)
    #expect(answer.fields["content-type"] == "application/problem+json")
    let problem = try answer.json()
    #expect(problem["type"] as? String == "urn:artworkd:problem:conflict")
    #expect(problem["status"] as? Int == 409)
    #expect((problem["detail"] as? String)?.contains("new artworkID") == true)
  }

  @Test(arguments: [
    "a%2Fb", "%2E%2E%2E", "..%2F..%2Fetc%2Fpasswd", "%00", "%20", "caf%C3%A9", "cafe%CC%81", "%25",
    "CON",
    String(repeating: "x", count: 1024), "%F0%9F%8E%B5",
  ])
  func `an identifier may be any text`(segment: String) async throws {
    let service = try await RunningService()
    #expect(try service.register(segment, "good-1x1-2s.mp4").status == 201)
    let reported = try service.client().ask("GET", "/v1/artworks/\(segment)/1x1").json()
    let text = try #require(reported["artworkID"] as? String)
    #expect(Array(text.utf8) == PercentEncoding.decode(segment).map { Array($0.utf8) })
    let preview = try service.client().ask("GET", "/v1/artworks/\(segment)/1x1/preview")
    #expect(preview.status == 200)
  }

  @Test(arguments: [
    ("/v1/artworks/%ff/1x1", 400), ("/v1/artworks/%zz/1x1", 400), ("/v1/artworks//1x1", 400),
    ("/v1/artworks/a/2x3", 400), ("/v1/artworks/a/b/1x1", 404), ("/v1/artworks/a", 404),
    ("/v1/../etc/passwd", 404), ("/v1/artworks/a/1x1?x=1", 400), ("/nowhere", 404),
    ("/v1/artworks/\(String(repeating: "x", count: 1025))/1x1", 400),
    ("/v1/artworks/unknown/1x1/preview", 404), ("/v1/sessions/unknown", 404),
  ])
  func `what is not there or not right is a problem document`(target: String, status: Int)
    async throws
  {
    let answer = try await RunningService().client().ask("GET", target)
    #expect(answer.status == status)
    #expect(try answer.json()["status"] as? Int == status)
    #expect(answer.fields["content-type"] == "application/problem+json")
  }

  @Test func `no response to HEAD has a body, so that the next one is found`() async throws {
    let client = try await RunningService().client()
    for target in ["/nowhere", "/healthz", "/v1/artworks/a/1x1/video", "/v1/events"] {
      let status = try client.ask("HEAD", target).status
      #expect(try client.ask("GET", target == "/v1/events" ? "/healthz" : target).status == status)
    }
  }

  @Test(arguments: [".", "..", "%2E", "%2E."])
  func `a name that paths give a meaning is not created`(segment: String) async throws {
    let client = try await RunningService().client()
    for (target, json) in [
      ("/v1/artworks/\(segment)/1x1", #"{"source":{"path":"/a"}}"#),
      ("/v1/sessions/\(segment)", #"{"application":"a"}"#),
    ] {
      let answer = try client.ask("PUT", target, json: json)
      #expect(answer.status == 400)
      #expect((try answer.json()["detail"] as? String)?.contains("must not be .") == true)
      #expect(try client.ask("DELETE", target).status == 404)
    }
  }

  @Test func `a path that leads nowhere is the client's mistake`() async throws {
    let client = try await RunningService().client()
    let target = "/v1/artworks/a/1x1"
    let answer = try client.ask("PUT", target, json: #"{"source":{"path":"/nothing/here"}}"#)
    #expect(answer.status == 422)
    #expect(try answer.json()["code"] as? String == "source-unavailable")
    let lazy = #"{"source":{"url":"file:///nothing/here"},"prepare":false}"#
    #expect(try client.ask("PUT", target, json: lazy).status == 201)
    #expect(try client.ask("GET", target).json()["status"] as? String == "registered")
    #expect(try client.ask("GET", target + "/preview").status == 422)
  }

  @Test func `a method that a resource does not know is reported with those that it does`()
    async throws
  {
    let service = try await RunningService()
    let answer = try service.client().ask("DELETE", "/v1/now-playing")
    #expect(answer.status == 405)
    #expect(answer.fields["allow"] == "GET, HEAD")
    #expect(
      try service.client().ask("PATCH", "/v1/artworks/a/1x1").fields["allow"]
        == "GET, HEAD, PUT, DELETE")
    // Methods that no route has, and bodies that no route reads.
    for (method, target, allow) in [
      ("QUERY", "/v1/now-playing", "GET, HEAD"), ("PROPFIND", "/v1/sessions/s", nil),
      ("PUT", "/v1/artworks/a/1x1/preview", "GET, HEAD"),
      ("POST", "/v1/artworks/a/1x1/video", "GET, HEAD"),
    ] {
      let answer = try service.client().ask(method, target, ["Content-Type": "text/plain"])
      #expect(answer.status == 405, "\(method) \(target)")
      #expect(answer.fields["allow"] == allow ?? "GET, HEAD, PUT, PATCH, DELETE")
    }
  }

  @Test(arguments: [
    "text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x",
    "application/json5", "text/plain; application/json", "",
  ])
  func `a form that any page can send is no JSON`(type: String) async throws {
    let client = try await RunningService().client()
    for (method, target) in [
      ("PUT", "/v1/conditions"), ("POST", "/v1/sessions/s/primary"), ("PATCH", "/v1/sessions/s"),
    ] {
      #expect(try client.ask(method, target, ["Content-Type": type], json: "{}").status == 415)
    }
  }

  @Test func `JSON may state its character set`() async throws {
    let client = try await RunningService().client()
    let type = ["Content-Type": "Application/JSON ; charset=utf-8"]
    #expect(try client.ask("PUT", "/v1/conditions", type, json: "{}").status == 200)
  }

  @Test(arguments: [
    ("/v1/artworks/a/1x1", #"{"source":{"path":"/a","colour":1}}"#, "colour"),
    ("/v1/artworks/a/1x1", #"{"source":{"path":"/a"},"colour":1}"#, "colour"),
    ("/v1/artworks/a/1x1", #"{"source":{"path":"/a","url":"http://a"}}"#, "source"),
    ("/v1/artworks/a/1x1", #"{"source":{"path":"a.mp4"}}"#, "source.path"),
    ("/v1/artworks/a/1x1", #"{}"#, "source is missing"),
    ("/v1/artworks/a/1x1", #"{"source":null}"#, "source must not be null"),
    ("/v1/artworks/a/1x1", #"{"source":{"url":"file:a"}}"#, "source.url"),
    ("/v1/artworks/a/1x1", #"{"source":{"path":"/a"},"prepare":1}"#, "prepare"),
    ("/v1/sessions/s", #"{"application":"a","owner":{"process":null}}"#, "owner.process"),
    (
      "/v1/sessions/s", #"{"application":"a","content":{"kind":"music","title":""}}"#,
      "content.title"
    ),
    ("/v1/conditions", #"{"supportedKeys":["1x1","1x1"]}"#, "supportedKeys"),
    ("/v1/artworks/a/1x1", #"{"source":1}"#, "source"),
    ("/v1/sessions/s", #"{"application":"a","colour":1}"#, "colour"),
    ("/v1/sessions/s", #"{"application":"a","playback":{"colour":1}}"#, "colour"),
    ("/v1/sessions/s", #"{"application":"a","owner":{"colour":1}}"#, "colour"),
    ("/v1/sessions/s", #"{}"#, "application"), ("/v1/sessions/s", #"["#, "JSON"),
    ("/v1/conditions", #"{"lowpower":true}"#, "lowpower"),
    ("/v1/conditions", #"{"lowPower":1}"#, "lowPower"), ("/v1/conditions", "", "JSON"),
  ])
  func `a field that is not known or not right is named`(
    target: String, json: String, field: String
  ) async throws {
    let answer = try await RunningService().client().ask("PUT", target, json: json)
    #expect(answer.status == 400)
    #expect((try answer.json()["detail"] as? String)?.contains(field) == true, "\(answer.text)")
  }

  @Test func `a preview is a PNG that is sent once`() async throws {
    let service = try await RunningService()
    _ = try service.register("a", "good-1x1-2s.mp4")
    let client = try service.client()
    let target = "/v1/artworks/a/1x1/preview"
    let first = try client.ask("GET", target)
    #expect(first.status == 200)
    #expect(first.body.starts(with: [0x89, 0x50, 0x4e, 0x47]))
    #expect(first.fields["content-type"] == "image/png")
    #expect(first.fields["cache-control"] == "no-cache")
    let tag = try #require(first.fields["etag"])
    let again = try client.ask("GET", target, ["If-None-Match": "\"x\", \(tag)"])
    #expect(again.status == 304)
    #expect(again.fields["etag"] == tag)
    #expect(try client.ask("GET", target, ["If-None-Match": "\"x\""]).body == first.body)
    // The long way and the short one differ in nothing that a client sees.
    let short = try client.ask("GET", target)
    #expect((short.status, short.body) == (200, first.body))
    #expect(short.fields == first.fields)
    let head = try client.ask("HEAD", target)
    #expect(head.fields == first.fields)
    #expect(head.fields["content-length"] == "\(first.body.count)")
    let small = try client.ask("GET", target + "?width=32")
    #expect(small.fields["etag"] != tag)
    #expect(small.body.count < first.body.count)
    // Width and height of the IHDR chunk.
    #expect(Array(small.body[16..<24]) == [0, 0, 0, 32, 0, 0, 0, 32])
    #expect(try client.ask("GET", target + "?width=16384&height=32").body == small.body)
    #expect(try client.ask("GET", target + "?width=0").status == 400)
    #expect(try client.ask("GET", target, ["Content-Length": "0"]).body == first.body)
    #expect(try client.ask("DELETE", "/v1/artworks/a/1x1").status == 204)
    #expect(try client.ask("GET", target).status == 404)
    #expect(try client.ask("GET", target + "?width=32").status == 404)
  }

  @Test func `a hundred clients who ask for a preview whose picture is lost cost one decode`()
    async throws
  {
    let inspector = ScriptedInspector()
    let service = try await RunningService(inspector: inspector)
    _ = try service.register("a", "good-1x1-2s.mp4")
    let before = inspector.inspections
    let assets = service.folder.url("store/assets")
    let asset = try #require(try FileManager.default.contentsOfDirectory(atPath: assets.path).first)
    let picture = assets.appendingPathComponent(asset).appendingPathComponent("preview.png")
    try Data("no picture".utf8).write(to: picture)
    inspector.delay = 1
    let (answers, answered) = AsyncStream.makeStream(of: RawClient.Answer?.self)
    for _ in 0..<100 {
      Thread.detachNewThread {
        answered.yield(try? service.client().ask("GET", "/v1/artworks/a/1x1/preview?width=33"))
      }
    }
    var (count, bodies) = (0, Set<[UInt8]>())
    for await answer in answers {
      #expect(answer?.status == 200)
      bodies.insert(answer?.body ?? [])
      count += 1
      if count == 100 { break }
    }
    #expect(bodies.count == 1)
    #expect(inspector.inspections == before + 1)
    // The picture is there again.
    #expect(
      PNGDecoder.decode([UInt8](try Data(contentsOf: picture))) != nil)
  }

  @Test func `a preview that lies ready is answered without a task, and nothing else is`()
    async throws
  {
    let service = try await RunningService()
    _ = try service.register("a", "good-1x1-2s.mp4")
    let reference = try StoreFixture.reference("a")
    let log = RequestLog(logger: Logger(label: "artworkd.test"))
    let cache = ReadyPreviews(store: service.center.store, log: log)
    let connection = Connection(limits: ServiceLimits(), peer: nil, isTrusted: true)
    func request(_ change: (inout HTTPRequestHead) -> Void = { _ in }) -> Request {
      var head = HTTPRequestHead(version: .http1_1, method: .GET, uri: "/target")
      change(&head)
      return Request(head, on: connection)
    }
    #expect(cache.response(to: request()) == nil)
    let stored = try await service.center.store.preview(reference)
    let headers = EntityTag.headers(stored.tag, contentType: "image/png")
    cache.insert(
      request(), for: reference, inside: nil, as: [.png], tag: stored.tag,
      found: Response(.ok, headers, .bytes(ByteBuffer(bytes: stored.bytes))),
      notModified: Response(.notModified, headers))
    let found = cache.response(to: request())
    #expect(found.map { Array($0.body.readableBytesView) } == stored.bytes)
    #expect(cache.response(to: request { $0.method = .HEAD }) == nil)
    #expect(cache.response(to: request { $0.uri = "/other" }) == nil)
    #expect(cache.response(to: request { $0.headers.add(name: "Accept", value: "*/*") }) == nil)
    let known = try #require(
      cache.response(
        to: request { $0.headers.add(name: "If-None-Match", value: "\"\(stored.tag)\"") }))
    #expect(String(buffer: known.head).hasPrefix("HTTP/1.1 304 "))
    #expect(known.body.readableBytes == 0)
    _ = try await service.center.store.evict(downTo: 0)
    #expect(cache.response(to: request()) == nil)
  }

  @Test func `a preview comes in the format that the client prefers`() async throws {
    let service = try await RunningService()
    _ = try service.register("a", "good-1x1.mp4")
    let client = try service.client()
    let target = "/v1/artworks/a/1x1/preview"
    var tags: Set<String> = []
    for format in PictureFormat.allCases where format.isAvailable {
      for size in ["", "?width=50"] {
        let accept = ["Accept": "image/gif, \(format.contentType), */*;q=0.1"]
        let first = try client.ask("GET", target + size, accept)
        #expect(first.status == 200 && first.fields["content-type"] == format.contentType)
        let signature: [UInt8] =
          switch format {
          case .png: [0x89, 0x50, 0x4e, 0x47]
          case .webp: Array("RIFF".utf8)
          case .jpeg: [0xff, 0xd8, 0xff]
          }
        #expect(first.fields["vary"] == "Accept" && first.body.starts(with: signature))
        let tag = try #require(first.fields["etag"])
        #expect(tags.insert(tag).inserted)
        // By way of the shortcut, from memory.
        let again = try client.ask("GET", target + size, accept)
        #expect(again.fields == first.fields && again.body == first.body)
        let head = try client.ask("HEAD", target + size, accept)
        #expect(head.fields == first.fields && head.body.isEmpty)
        let known = try client.ask(
          "GET", target + size, accept.merging(["If-None-Match": tag]) { $1 })
        #expect(known.status == 304 && known.body.isEmpty && known.fields["vary"] == "Accept")
        // A client with another format does not have this one.
        let other = try client.ask("GET", target + size, ["If-None-Match": tag])
        #expect(other.status == (format == .png ? 304 : 200))
        let folder = try TemporaryFolder()
        try Data(first.body).write(to: folder.url("picture"))
        let side = size.isEmpty ? 96 : 50
        let read = try run(
          "ffprobe",
          [
            "-v", "error", "-show_entries", "stream=width,height", "-of", "csv=p=0",
            folder.url("picture").path,
          ])
        #expect(String(decoding: read.output, as: UTF8.self).contains("\(side),\(side)"))
      }
    }
    let refused = try client.ask("GET", target, ["Accept": "image/gif"])
    #expect(refused.status == 406)
    #expect(try refused.json()["code"] as? String == "not-acceptable")
  }

  @Test func `a video is sent whole or in part`() async throws {
    let service = try await RunningService()
    _ = try service.register("a", "good-1x1.mp4")
    let bytes = Array(try Data(contentsOf: Fixture.named("good-1x1.mp4").url))
    let client = try service.client()
    let target = "/v1/artworks/a/1x1/video"
    let whole = try client.ask("GET", target)
    #expect(whole.status == 200)
    #expect(whole.body == bytes)
    #expect(whole.fields["content-type"] == "video/mp4")
    let part = try client.ask("GET", target, ["Range": "bytes=10-19"])
    #expect(part.status == 206)
    #expect(part.body == Array(bytes[10...19]))
    #expect(part.fields["content-range"] == "bytes 10-19/\(bytes.count)")
    let tag = try #require(whole.fields["etag"])
    #expect(
      try client.ask("GET", target, ["Range": "bytes=-5", "If-Range": tag]).body
        == Array(bytes.suffix(5)))
    #expect(
      try client.ask("GET", target, ["Range": "bytes=-5", "If-Range": "\"other\""]).status == 200)
    let beyond = try client.ask("GET", target, ["Range": "bytes=\(bytes.count)-"])
    #expect(beyond.status == 416)
    #expect(beyond.fields["content-range"] == "bytes */\(bytes.count)")
    #expect(try client.ask("HEAD", target).fields["content-length"] == "\(bytes.count)")
    #expect(try client.ask("GET", target, ["If-None-Match": tag]).status == 304)
  }

  @Test func `a session is given a file that opens until it publishes something else`()
    async throws
  {
    let service = try await RunningService()
    _ = try service.register("a", "good-1x1-2s.mp4")
    let client = try service.client()
    let session =
      #"{"application":"app","artwork":{"1x1":"a"},"content":{"kind":"music","title":"t"},"#
      + #""playback":{"state":"playing","elapsedSeconds":1,"durationSeconds":100}}"#
    let new = try client.ask("PUT", "/v1/sessions/s", json: session)
    #expect(new.status == 201)
    #expect(try new.json()["isSystemPrimary"] as? Bool == true)
    #expect(try client.ask("PUT", "/v1/sessions/s", json: session).status == 200)
    let size = #"{"width":1080,"height":1080}"#
    let answer = try client.ask("POST", "/v1/sessions/s/artwork/1x1/video", json: size).json()
    let url = try #require((answer["url"] as? String).flatMap(URL.init(string:)))
    #expect(answer["show"] as? String == "video")
    #expect((answer["reason"] as? [String: String])?["code"] == "plays")
    _ = try client.ask("PUT", "/v1/conditions", json: #"{"lowPower":true}"#)
    let still = try client.ask("POST", "/v1/sessions/s/artwork/1x1/video", json: size).json()
    #expect(still["url"] is NSNull)
    #expect(still["show"] as? String == "preview")
    #expect((still["reason"] as? [String: String])?["code"] == "low-power")
    _ = try client.ask("PUT", "/v1/conditions", json: "{}")
    #expect(
      try Data(contentsOf: url) == Data(contentsOf: Fixture.named("good-1x1-2s.mp4").url))
    #expect(
      try client.ask("POST", "/v1/sessions/s/artwork/3x4/video", json: size).status == 409)
    #expect(
      try client.ask("POST", "/v1/sessions/x/artwork/1x1/video", json: size).status == 404)
    let leases = try client.ask("GET", "/v1/leases").json()["leases"] as? [[String: Any]]
    #expect(leases?.first?["url"] as? String == answer["url"] as? String)
    #expect(try client.ask("DELETE", "/v1/artworks/a/1x1").status == 409)
    let shown = try client.ask("GET", "/v1/now-playing").json()["shown"] as? [String: Any]
    #expect(shown?["sessionID"] as? String == "s")
    #expect(try client.ask("DELETE", "/v1/sessions/s").status == 204)
    #expect(!FileManager.default.fileExists(atPath: url.path))
    #expect(try client.ask("DELETE", "/v1/sessions/s").status == 404)
  }

  @Test func `conditions and primaries are set`() async throws {
    let client = try await RunningService().client()
    let low = try client.ask("PUT", "/v1/conditions", json: #"{"lowPower":true}"#).json()
    #expect(low["lowPower"] as? Bool == true)
    #expect(try client.ask("GET", "/v1/conditions").json()["lowPower"] as? Bool == true)
    _ = try client.ask("PUT", "/v1/sessions/s", json: #"{"application":"app"}"#)
    #expect(
      try client.ask("POST", "/v1/sessions/s/primary", json: #"{"scope":"system"}"#).status == 204
    )
    #expect(try client.ask("POST", "/v1/sessions/s/primary", json: "{}").status == 204)
    #expect(try client.ask("POST", "/v1/sessions/x/primary", json: "{}").status == 404)
    #expect(
      try client.ask("POST", "/v1/sessions/s/primary", json: #"{"scope":"world"}"#).status == 400)
  }

  @Test func `the page may load nothing from elsewhere`() async throws {
    let answer = try await RunningService().client().ask("GET", "/")
    #expect(answer.status == 200)
    let policy = try #require(answer.fields["content-security-policy"])
    #expect(policy.hasPrefix("default-src 'none'"))
    #expect(!policy.contains("unsafe"))
    #expect(answer.fields["x-content-type-options"] == "nosniff")
  }
}
