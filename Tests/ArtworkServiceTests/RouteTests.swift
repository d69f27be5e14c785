import Logging
import NIOCore
import NIOHTTP1
import TestSupport

@testable import ArtworkService

@Suite(.serialized) struct RouteTests {
  private let service: RunningService
  private let client: RawClient

  init() async throws {
    service = try await RunningService()
    client = try service.client()
  }

  @Test func `an artwork is registered, reported and forgotten`() throws {
    let new = try service.register("album", "good-1x1-2s.mp4")
    #expect(new.status == 201)
    #expect(try service.register("album", "good-1x1-2s.mp4").status == 200)
    #expect(new.at("status") == "ready" && new.at("digest")?.text?.count == 64)
    #expect(new.at("report.key") == "1x1" && new.at("report.facts.codec") == "h264")
    let list = try client.ask("GET", "/v1/artworks")
    #expect(list.at("artworks.*.artworkID") == ["album"])
    #expect(list.at("artworks.0.report") == nil && list.at("usage.artworks") == 1)
    let target = "/v1/artworks/album/1x1"
    let short = try client.ask("GET", target + "?report=0")
    #expect(short.at("digest") == new.at("digest") && short.at("report") == nil)
    #expect(try client.ask("GET", target).at("report") != nil)
    #expect(try client.ask("GET", target + "?report=yes").status == 400)
    #expect(try client.ask("DELETE", target).status == 204)
    #expect(try client.ask("GET", target).status == 404)
    #expect(try client.ask("DELETE", target).status == 404)
  }

  @Test func `an artwork is reported with all its keys`() throws {
    #expect(try client.ask("GET", "/v1/artworks/album").status == 404)
    _ = try service.register("album", "good-3x4.mp4", key: "3x4")
    let one = try client.ask("GET", "/v1/artworks/album")
    #expect(one.at("artworkID") == "album" && one.at("variants")?.fieldNames == ["3x4"])
    _ = try service.register("album", "good-1x1-2s.mp4")
    let both = try client.ask("GET", "/v1/artworks/album?report=1")
    #expect(both.at("variants")?.fieldNames.sorted() == ["1x1", "3x4"])
    #expect(both.at("variants.1x1.status") == "ready" && both.at("variants.1x1.report") != nil)
  }

  @Test func `the report is what check prints`() throws {
    let reported = try service.register("wide", "aspect-16x9.mp4")
    let path = try #require(reported.at("report.path")?.text)
    let checked = try BuiltTool.run("check \(path) --no-thorough --key 1x1 --format json").json
    #expect(reported.at("report.verdict") == checked.at("results.0.verdict"))
    #expect(reported.at("report.findings.*.rule") == checked.at("results.0.findings.*.rule"))
    #expect(reported.at("report.findings.0.rule") != nil)
  }

  @Test func `other content under the same artworkID is a conflict that states what to do`() throws {
    #expect(try service.register("a", "good-1x1-2s.mp4").status == 201)
    let answer = try service.register("a", "good-1x1.mp4")
    #expect(answer.status == 409)
    #expect(answer.fields["content-type"] == "application/problem+json")
    #expect(answer.at("type") == "urn:artworkd:problem:conflict" && answer.at("status") == 409)
    #expect(answer.at("detail")?.text?.contains("new artworkID") == true)
  }

  @Test func `an identifier may be any text`() throws {
    for segment in [
      "a%2Fb", "%2E%2E%2E", "..%2F..%2Fetc%2Fpasswd", "%00", "%20", "caf%C3%A9", "cafe%CC%81",
      "%25", "CON", String(repeating: "x", count: 1024), "%F0%9F%8E%B5",
    ] {
      #expect(try service.register(segment, "good-1x1-2s.mp4").status == 201, "\(segment)")
      let text = try client.ask("GET", "/v1/artworks/\(segment)/1x1").at("artworkID")?.text
      #expect(
        text.map { Array($0.utf8) } == PercentEncoding.decode(segment).map { Array($0.utf8) })
      let preview = try client.ask("GET", "/v1/artworks/\(segment)/1x1/preview")
      #expect(preview.status == 200, "\(segment)")
    }
  }

  @Test func `what is not there or not right is a problem document`() throws {
    for (target, status) in [
      ("/v1/artworks/%ff/1x1", 400), ("/v1/artworks/%zz/1x1", 400), ("/v1/artworks//1x1", 400),
      ("/v1/artworks/a/2x3", 400), ("/v1/artworks/a/b/1x1", 404), ("/v1/artworks/a", 404),
      ("/v1/../etc/passwd", 404), ("/v1/artworks/a/1x1?x=1", 400), ("/nowhere", 404),
      ("/v1/artworks/\(String(repeating: "x", count: 1025))/1x1", 400),
      ("/v1/artworks/unknown/1x1/preview", 404), ("/v1/sessions/unknown", 404),
    ] {
      let answer = try service.client().ask("GET", target)
      #expect(answer.status == status, "\(target)")
      #expect(answer.at("status")?.int == status, "\(target)")
      #expect(answer.fields["content-type"] == "application/problem+json", "\(target)")
    }
  }

  @Test func `no response to HEAD has a body, so that the next one is found`() throws {
    for target in ["/nowhere", "/healthz", "/v1/artworks/a/1x1/video", "/v1/events"] {
      let status = try client.ask("HEAD", target).status
      #expect(try client.ask("GET", target == "/v1/events" ? "/healthz" : target).status == status)
    }
  }

  @Test(arguments: [".", "..", "%2E", "%2E."])
  func `a name that paths give a meaning is not created`(segment: String) throws {
    for (target, json) in [
      ("/v1/artworks/\(segment)/1x1", #"{"source":{"path":"/a"}}"#),
      ("/v1/sessions/\(segment)", #"{"application":"a"}"#),
    ] {
      let answer = try client.ask("PUT", target, json: json)
      #expect(answer.status == 400)
      #expect(answer.at("detail")?.text?.contains("must not be .") == true)
      #expect(try client.ask("DELETE", target).status == 404)
    }
  }

  @Test func `a path that leads nowhere is the client's mistake`() throws {
    let target = "/v1/artworks/a/1x1"
    let answer = try client.ask("PUT", target, json: #"{"source":{"path":"/nothing/here"}}"#)
    #expect(answer.status == 422 && answer.at("code") == "source-unavailable")
    let lazy = #"{"source":{"url":"file:///nothing/here"},"prepare":false}"#
    #expect(try client.ask("PUT", target, json: lazy).status == 201)
    #expect(try client.ask("GET", target).at("status") == "registered")
    #expect(try client.ask("GET", target + "/preview").status == 422)
  }

  /// Methods that a resource does not know, methods that no route has, and bodies that no route reads.
  @Test func `a method that a resource does not know is reported with those that it does`() throws {
    for (method, target, allow) in [
      ("DELETE", "/v1/now-playing", "GET, HEAD"), ("QUERY", "/v1/now-playing", "GET, HEAD"),
      ("PATCH", "/v1/artworks/a/1x1", "GET, HEAD, PUT, DELETE"),
      ("PROPFIND", "/v1/sessions/s", "GET, HEAD, PUT, PATCH, DELETE"),
      ("PUT", "/v1/artworks/a/1x1/preview", "GET, HEAD"),
      ("POST", "/v1/artworks/a/1x1/video", "GET, HEAD"),
    ] {
      let answer = try service.client().ask(method, target, ["Content-Type": "text/plain"])
      #expect(answer.status == 405, "\(method) \(target)")
      #expect(answer.fields["allow"] == allow, "\(method) \(target)")
    }
  }

  @Test func `a form that any page can send is no JSON`() throws {
    for type in [
      "text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x",
      "application/json5", "text/plain; application/json", "",
    ] {
      for (method, target) in [
        ("PUT", "/v1/conditions"), ("POST", "/v1/sessions/s/primary"), ("PATCH", "/v1/sessions/s"),
      ] {
        let answer = try service.client().ask(method, target, ["Content-Type": type], json: "{}")
        #expect(answer.status == 415, "\(type) \(target)")
      }
    }
    let type = ["Content-Type": "Application/JSON ; charset=utf-8"]
    #expect(try client.ask("PUT", "/v1/conditions", type, json: "{}").status == 200)
  }

  /// ContractTests has the fields of all bodies.
  @Test func `a field that is not known or not right is named`() throws {
    for (target, json, field) in [
      ("artworks/a/1x1", #"{"source":{"path":"/a","colour":1}}"#, "colour"),
      ("artworks/a/1x1", #"{"source":{"path":"/a"},"colour":1}"#, "colour"),
      ("artworks/a/1x1", #"{"source":{"path":"a.mp4"}}"#, "source.path"),
      ("artworks/a/1x1", #"{}"#, "source is missing"),
      ("artworks/a/1x1", #"{"source":null}"#, "source must not be null"),
      ("artworks/a/1x1", #"{"source":{"url":"file:a"}}"#, "source.url"),
      ("artworks/a/1x1", #"{"source":{"path":"/a"},"prepare":1}"#, "prepare"),
      ("artworks/a/1x1", #"{"source":1}"#, "source"),
      ("sessions/s", #"{"application":"a","playback":{"colour":1}}"#, "colour"),
      ("sessions/s", #"["#, "JSON"), ("conditions", #"{"lowPower":1}"#, "lowPower"),
      ("conditions", "", "JSON"),
    ] {
      let answer = try service.client().ask("PUT", "/v1/" + target, json: json)
      #expect(answer.status == 400, "\(json)")
      #expect(answer.at("detail")?.text?.contains(field) == true, "\(answer.text)")
    }
  }

  @Test func `a preview is a PNG that is sent once`() throws {
    _ = try service.register("a", "good-1x1-2s.mp4")
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
    #expect(PNGDecoder.decode([UInt8](try Data(contentsOf: picture))) != nil)
  }

  @Test func `a preview that lies ready is answered without a task, and nothing else is`()
    async throws
  {
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

  @Test func `a preview comes in the format that the client prefers`() throws {
    _ = try service.register("a", "good-1x1.mp4")
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
        try folder.write(first.body, to: "picture")
        let side = size.isEmpty ? 96 : 50
        #expect(try folder.probe("picture", "stream=width,height") == "\(side),\(side)")
      }
    }
    let refused = try client.ask("GET", target, ["Accept": "image/gif"])
    #expect(refused.status == 406 && refused.at("code") == "not-acceptable")
  }

  @Test func `a video is sent whole or in part`() throws {
    _ = try service.register("a", "good-1x1.mp4")
    let bytes = Array(try Data(contentsOf: Fixture.named("good-1x1.mp4").url))
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

  @Test func `a session is given a file that opens until it publishes something else`() throws {
    _ = try service.register("a", "good-1x1-2s.mp4")
    let session =
      #"{"application":"app","artwork":{"1x1":"a"},"content":{"kind":"music","title":"t"},"#
      + #""playback":{"state":"playing","elapsedSeconds":1,"durationSeconds":100}}"#
    let new = try client.ask("PUT", "/v1/sessions/s", json: session)
    #expect(new.status == 201 && new.at("isSystemPrimary") == true)
    #expect(try client.ask("PUT", "/v1/sessions/s", json: session).status == 200)
    func video(_ target: String = "s/artwork/1x1") throws -> RawClient.Answer {
      try client.ask(
        "POST", "/v1/sessions/\(target)/video", json: #"{"width":1080,"height":1080}"#)
    }
    let answer = try video()
    let url = try #require(answer.at("url")?.text.flatMap(URL.init(string:)))
    #expect(answer.at("show") == "video" && answer.at("reason.code") == "plays")
    _ = try client.ask("PUT", "/v1/conditions", json: #"{"lowPower":true}"#)
    let still = try video()
    #expect(still.at("url") == .null && still.at("show") == "preview")
    #expect(still.at("reason.code") == "low-power")
    _ = try client.ask("PUT", "/v1/conditions", json: "{}")
    #expect(try Data(contentsOf: url) == Data(contentsOf: Fixture.named("good-1x1-2s.mp4").url))
    #expect(try video("s/artwork/3x4").status == 409)
    #expect(try video("x/artwork/1x1").status == 404)
    #expect(try client.ask("GET", "/v1/leases").at("leases.0.url") == answer.at("url"))
    #expect(try client.ask("DELETE", "/v1/artworks/a/1x1").status == 409)
    #expect(try client.ask("GET", "/v1/now-playing").at("shown.sessionID") == "s")
    #expect(try client.ask("DELETE", "/v1/sessions/s").status == 204)
    #expect(!FileManager.default.fileExists(atPath: url.path))
    #expect(try client.ask("DELETE", "/v1/sessions/s").status == 404)
  }

  @Test func `conditions and primaries are set`() throws {
    let low = try client.ask("PUT", "/v1/conditions", json: #"{"lowPower":true}"#)
    #expect(low.at("lowPower") == true)
    #expect(try client.ask("GET", "/v1/conditions").at("lowPower") == true)
    _ = try client.ask("PUT", "/v1/sessions/s", json: #"{"application":"app"}"#)
    for (session, json, status) in [
      ("s", #"{"scope":"system"}"#, 204), ("s", "{}", 204), ("x", "{}", 404),
      ("s", #"{"scope":"world"}"#, 400),
    ] {
      let answer = try client.ask("POST", "/v1/sessions/\(session)/primary", json: json)
      #expect(answer.status == status, "\(session) \(json)")
    }
  }

  @Test func `the page may load nothing from elsewhere`() async throws {
    let answer = try client.ask("GET", "/")
    #expect(answer.status == 200)
    let policy = try #require(answer.fields["content-security-policy"])
    #expect(policy.hasPrefix("default-src 'none'"))
    #expect(!policy.contains("unsafe"))
    #expect(answer.fields["x-content-type-options"] == "nosniff")
  }
}
