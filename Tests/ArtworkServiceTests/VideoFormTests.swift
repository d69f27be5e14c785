import ArtworkService
import TestSupport

/// `GET …/video` in the form that a browser takes.
@Suite(.timeLimit(.minutes(5))) struct VideoFormTests {
  private let service: RunningService
  private let target = "/v1/artworks/a/1x1/video"

  init() async throws {
    service = try await RunningService(clipMaker: Inspector())
    #expect(try service.register("a", "good-1x1-2s.mp4").status == 201)
  }

  private func ask(_ accept: String?, _ fields: [String: String] = [:]) throws -> RawClient.Answer {
    try service.client().ask(
      "GET", target, fields.merging(accept.map { ["Accept": $0] } ?? [:]) { $1 })
  }

  /// Videos in the store, those that it made included.
  private func storedCount() -> Int { service.folder.names("store/assets").count }

  @Test(.enabled(if: PictureFormat.webp.isAvailable)) func `Pillow sees a moving WebP`() throws {
    let answer = try ask("image/webp")
    #expect(answer.status == 200 && answer.fields["content-type"] == "image/webp")
    #expect(answer.fields["vary"] == "Accept")
    let program = """
      import sys
      from PIL import Image
      im = Image.open(sys.argv[1])
      seconds = 0
      for number in range(im.n_frames):
          im.seek(number)
          im.load()
          seconds += im.info["duration"]
      print(im.format, im.size, im.n_frames, im.info["loop"], seconds)
      """
    try service.folder.write(answer.body, to: "a.webp")
    let seen = try service.folder.run("/usr/bin/python3 -c", [program, "a.webp"])
    #expect(seen.output == "WEBP (96, 96) 48 0 2000\n")
    // Made once, with an ETag that differs from the video's.
    let again = try ask("image/webp", ["If-None-Match": answer.fields["etag"] ?? ""])
    #expect(again.status == 304)
    #expect(try ask(nil).fields["etag"] != answer.fields["etag"])
    #expect(storedCount() == 2)
  }

  @Test func `ffprobe sees a WebM of VP9 with every frame, which clients share`() throws {
    // All requests are sent before the first is answered.
    let clients = try (0..<4).map { _ in try service.client() }
    for client in clients {
      try client.send("GET \(target) HTTP/1.1\r\nHost: localhost\r\nAccept: video/webm\r\n\r\n")
    }
    let answers = try clients.map { try $0.answer() }
    let first = try #require(answers.first)
    #expect(answers.allSatisfy { $0.status == 200 && $0.body == first.body })
    #expect(first.fields["content-type"] == "video/webm")
    #expect(storedCount() == 2)
    try service.folder.write(first.body, to: "a.webm")
    let facts = try service.folder.run(
      "ffprobe -v error -count_frames -show_entries "
        + "stream=codec_name,width,height,nb_read_frames:format=duration,format_name -of csv=p=0 a.webm"
    )
    #expect(facts.output == "vp9,96,96,48\n\"matroska,webm\",2.000000\n")
    // Its pictures are the same, by an independent comparison with the video.
    let compared = try service.folder.run(
      "ffmpeg -v info -nostats -i a.webm -i \(Fixture.named("good-1x1-2s.mp4").path) "
        + "-lavfi [0:v]settb=1/1000,setpts=N[a];[1:v]settb=1/1000,setpts=N[b];[a][b]psnr -f null -")
    let average = compared.error.firstMatch(of: /average:([0-9.]+)/).flatMap { Double($0.1) }
    #expect(average.map { $0 > 38 } == true, "\(compared.error)")
    // A range of it, as players request it.
    let part = try ask("video/webm", ["Range": "bytes=0-3"])
    #expect(part.status == 206 && part.body == Array(first.body.prefix(4)))
  }

  @Test func `a client that plays MP4 alone gets MP4 of a WebM`() throws {
    _ = try service.register("b", "codec-vp9.webm")
    let client = try service.client()
    let stored = try client.ask("GET", "/v1/artworks/b/1x1/video")
    #expect(stored.status == 200 && stored.fields["content-type"] == "video/webm")
    let made = try client.ask("GET", "/v1/artworks/b/1x1/video", ["Accept": "video/mp4"])
    #expect(made.status == 200 && made.fields["content-type"] == "video/mp4")
    try service.folder.write(made.body, to: "b.mp4")
    #expect(try service.folder.probe("b.mp4", "stream=codec_name") == "h264")
  }

  @Test(arguments: [
    ("codec-mjpeg.avi", "video/x-msvideo"), ("codec-mpeg2.ts", "video/mp2t"),
    ("a.avif", "image/avif"),
  ])
  func `what is no MP4 has a type of its own, and MP4 is offered`(
    name: String, type: String
  ) throws {
    var file = service.folder.url(name)
    if name == "a.avif" {
      try service.folder.ffmpeg(
        "-i \(Fixture.named("good-1x1-2s.mp4").path) -c:v libaom-av1 -cpu-used 8 -frames:v 6 -f avif \(name)"
      )
    } else {
      file = Fixture.named(name).url
    }
    let client = try service.client()
    _ = try client.ask("PUT", "/v1/artworks/b/1x1", json: #"{"source":{"path":"\#(file.path)"}}"#)
    let target = "/v1/artworks/b/1x1/video?wait=28"
    let stored = try client.ask("GET", target)
    #expect(stored.status == 200 && stored.fields["content-type"] == type)
    #expect(try Data(stored.body) == Data(contentsOf: file))
    let playable = try client.ask("GET", target, ["Accept": "video/mp4"])
    #expect(playable.status == 200 && playable.fields["content-type"] == "video/mp4")
    #expect(playable.body.dropFirst(4).starts(with: "ftyp".utf8))
  }

  @Test func `HEAD has no ranges, and GET heeds If-Match`() throws {
    let client = try service.client()
    let whole = try ask(nil)
    let head = try client.ask("HEAD", target, ["Range": "bytes=0-1"])
    #expect(head.status == 200)
    #expect(head.fields["content-length"] == "\(whole.body.count)")
    for path in [target, "/v1/artworks/a/1x1/preview"] {
      let tag = try #require(try client.ask("GET", path).fields["etag"])
      for _ in 0..<2 {
        #expect(try client.ask("GET", path, ["If-Match": "\"other\", \(tag)"]).status == 200)
        let failed = try client.ask("GET", path, ["If-Match": "\"other\""])
        #expect(failed.status == 412 && failed.fields["etag"] == tag)
      }
      #expect(try client.ask("GET", path, ["If-Match": "*", "If-None-Match": tag]).status == 304)
    }
  }

  @Test func `the file as it is needs no encoder, and an unknown format is refused`() throws {
    for accept in [nil, "*/*", "video/*", "video/webm, video/*;q=0.9"] as [String?] {
      let answer = try ask(accept)
      #expect(answer.status == 200 && answer.fields["content-type"] == "video/mp4")
    }
    #expect(storedCount() == 1)
    let refused = try ask("text/html, image/png")
    #expect(refused.status == 406 && refused.at("code") == "not-acceptable")
    // The request does not wait for a slow conversion.
    let late = try service.client().ask("GET", target + "?wait=0", ["Accept": "video/webm"])
    #expect(late.status == 504 || late.status == 200)
  }
}
