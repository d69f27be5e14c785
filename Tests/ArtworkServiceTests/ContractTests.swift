import TestSupport

@testable import ArtworkModel
@testable import ArtworkService

/// What openapi.json allows in bodies, and how the service names what it does not.
@Suite struct ContractTests {
  /// The reason of a refusal; `nil` for a body that is accepted.
  private func refusal(_ json: String, as schema: String) -> String? {
    func read<T: Decodable>(_ type: T.Type) -> String? {
      do throws(Problem) {
        _ = try JSON.decode(type, as: schema, from: Array(json.utf8))
        return nil
      } catch {
        return error.detail
      }
    }
    switch schema {
    case "SessionRequest": return read(SessionRequest.self)
    case "CommandRequest": return read(RequestedCommand.self)
    case "CommandAnswer": return read(CommandAnswer.self)
    case "ConditionsRequest": return read(DeviceConditions.self)
    case "PreparationRequest": return read(PreparationRequest.self)
    case "Registration": return read(Registration.self)
    default: return read(PixelSize.self)
    }
  }

  private static let long = String(repeating: "é", count: 4097)

  /// Fields of a content, and the refusal.
  private static let contents = [
    (#""mediaType":"picture""#, "mediaType: it must be one of audio, video"),
    (#""durationKind":"endless""#, "durationKind: it must be one of finite, live, continuous"),
    (#""durationKind":"finite""#, "durationSeconds is missing"),
    (#""durationKind":"live","durationSeconds":1"#, "durationSeconds: it must be absent"),
    (#""durationSeconds":-1"#, "durationSeconds: it must be a number from 0 to 100000000000"),
    (
      #""chapters":[{"title":"a","startSeconds":-1}]"#,
      "chapters[0].startSeconds: it must be a number from 0 to 100000000000"
    ),
    (
      #""chapters":[{"title":"a","startSeconds":1,"x":1}]"#,
      "chapters[0].x: unknown field; known: startSeconds, title"
    ),
    (#""chapters":[{"title":"a"}]"#, "chapters[0].startSeconds is missing"),
    (
      #""chapters":[\#(Array(repeating: #"{"title":"","startSeconds":0}"#, count: 513).joined(separator: ","))]"#,
      "chapters: it must have 0 to 512 elements, not 513"
    ),
    (
      #""chapters":[{"title":"\#(String(repeating: "x", count: 257))","startSeconds":0}]"#,
      "chapters[0].title: it must have 0 to 256 characters, not 257"
    ),
    (
      #""metadata":[{"identifier":"title","value":"a","language":"d e"}]"#,
      "metadata[0].language: it must match ^[A-Za-z]{1,8}(-[A-Za-z0-9]{1,8})*$ (A tag of BCP 47"
    ),
    (
      #""metadata":[{"identifier":"artwork","value":"a"}]"#,
      "metadata[0].dataType: an artwork needs it: image/jpeg or image/png"
    ),
    (
      #""metadata":[{"identifier":"artwork","value":"aGk=","dataType":"image/gif"}]"#,
      "metadata[0].dataType: it must be one of image/jpeg, image/png"
    ),
    (
      #""metadata":[{"identifier":"artwork","value":"?","dataType":"image/png"}]"#,
      "metadata[0].value: it must be the base64 of a file of the type image/png"
    ),
    (
      #""metadata":[{"identifier":"","value":"a"}]"#,
      "metadata[0].identifier: it must have 1 to 128 characters, not 0"
    ),
    (
      #""metadata":[{"identifier":"title","value":"\#(long)"}]"#,
      "metadata[0].value: it must have 0 to 4096 characters, not 4097"
    ),
    (#""contentRating":"""#, "contentRating: it must have 1 to 64 characters, not 0"),
    (#""composer":"\#(long)""#, "composer: it must have 0 to 4096 characters, not 4097"),
    (#""subtitle":"\#(long)""#, "subtitle: it must have 0 to 4096 characters, not 4097"),
    (#""id":"","description":null"#, "id: it must have 1 to 1024 characters, not 0"),
  ]

  /// Fields of a session beside its application, and the refusal.
  private static let sessions = [
    (#""titel":"x""#, "titel: unknown field; known: application, "),
    (#""artwork":{"1x1":"i","16x9":"j"}"#, "artwork.16x9: unknown field; known: 1x1, 3x4"),
    (#""owner":{"pid":1}"#, "owner.pid: unknown field; known: process"),
    (#""owner":{"process":null}"#, "owner.process must not be null"),
    (#""owner":{"process":0}"#, "owner.process: it must be a whole number from 1 to 2147483647"),
    (#""owner":{"process":1.5}"#, "owner.process: it must be a whole number from 1"),
    (#""owner":{"process":"1"}"#, "owner.process: it must be a whole number from 1"),
    (#""videoCodecs":["H 264"]"#, "videoCodecs[0]: it must match ^[a-z0-9]{1,16}$"),
    (#""videoCodecs":["h264\u0000"]"#, "videoCodecs[0]: it must match"),
    (#""videoCodecs":[]"#, "videoCodecs: it must have 1 to 16 elements, not 0"),
    (#""content":{"kind":"music","title":""}"#, "content.title: it must have 1 to 4096 characters"),
    (#""content":"t""#, "content: it must be an object"),
  ]

  /// A playback, and the refusal.
  private static let playbacks = [
    (#""state":"stopped","elapsedSeconds":1"#, "state: it must be one of playing, paused, "),
    (#""state":"paused""#, "elapsedSeconds is missing"),
    (#""state":"paused","elapsedSeconds":1e12"#, "elapsedSeconds: it must be a number from 0 to 1"),
    (#""state":"paused","elapsedSeconds":1e999"#, "elapsedSeconds: it must be a number from 0 to"),
    (#""state":"paused","elapsedSeconds":null"#, "elapsedSeconds must not be null"),
    (#""state":"paused","elapsedSeconds":"1""#, "elapsedSeconds: it must be a number"),
    (#""elapsedSeconds":1,"state":"playing","rate":0"#, "rate: it must be a number other than 0"),
    (
      #""elapsedSeconds":1,"state":"paused","timestamp":-5"#,
      "timestamp: it must be a number from 0"
    ),
    (#""elapsedSeconds":1,"state":"paused","durationSeconds":-1"#, "durationSeconds: it must be a"),
    (#""elapsedSeconds":1,"state":"paused","speed":1"#, "speed: unknown field"),
    (
      #""elapsedSeconds":1,"state":"paused","adBreaks":[{"startSeconds":1}]"#,
      "adBreaks[0].durationSeconds is missing"
    ),
  ]

  /// What a session offers, and the refusal.
  private static let offers = [
    (#""fly":{}"#, "fly: unknown field; known: bookmark, "),
    (#""next":{"rate":1}"#, "next.rate: unknown field; known: enabled, enabledInAds"),
    (
      #""skipForward":{"preferredIntervals":[0]}"#,
      "skipForward.preferredIntervals[0]: it must be a number above 0, at most 100000000000"
    ),
    (
      #""changePlaybackRate":{"supportedRates":[0]}"#,
      "changePlaybackRate.supportedRates[0]: it must be a number other than 0"
    ),
    (
      #""changePlaybackRate":{"supportedRates":\#([Int](1...65))}"#,
      "changePlaybackRate.supportedRates: it must have 0 to 64 elements, not 65"
    ),
    (
      #""changeRepeatMode":{"mode":"items"}"#, "changeRepeatMode.mode: it must be one of off, one, "
    ),
    (
      #""changeShuffleMode":{"mode":"one"}"#, "changeShuffleMode.mode: it must be one of off, items"
    ),
    (#""rating":{"rating":6}"#, "rating.rating: it must be a number from 0 to 5"),
    (#""rating":{"maximum":0}"#, "rating.maximum: it must be a number above 0, at most 1000"),
  ]

  @Test func `a wrong field of a session is named`() {
    func check(_ rows: [(String, String)], _ place: String, _ json: (String) -> String) {
      for (fields, reason) in rows {
        let found = refusal(json(fields), as: "SessionRequest")
        #expect(found?.hasPrefix(place + reason) == true, "\(reason): \(found ?? "accepted")")
      }
    }
    check([("", "application: it must have 1 to 1024")], "") { _ in #"{"application":""}"# }
    check(Self.sessions, "") { #"{"application":"a",\#($0)}"# }
    check(Self.contents, "content.") {
      #"{"application":"a","content":{"kind":"music","title":"t",\#($0)}}"#
    }
    check(Self.playbacks, "playback.") { #"{"application":"a","playback":{\#($0)}}"# }
    check(Self.offers, "commands.") { #"{"application":"a","commands":{\#($0)}}"# }
  }

  /// Other bodies, and their refusals.
  private static let bodies = [
    ("CommandRequest", #"{"command":"fly"}"#, "command: it must be one of play, pause"),
    ("CommandRequest", "{}", "command is missing"),
    ("CommandRequest", #"{"command":"next","position":1}"#, "position: unknown field; known: com"),
    (
      "CommandRequest", #"{"command":"seekToPosition","position":-1}"#, "position: it must be a num"
    ),
    ("CommandRequest", #"{"command":"seekToPosition"}"#, "position is missing"),
    (
      "CommandRequest", #"{"command":"seekForward","phase":"on"}"#, "phase: it must be one of begin"
    ),
    (
      "CommandRequest", #"{"command":"skipForward","interval":0}"#,
      "interval: it must be a number a"
    ),
    (
      "CommandRequest", #"{"command":"changePlaybackRate","rate":0}"#, "rate: it must be a number o"
    ),
    (
      "CommandRequest", #"{"command":"changeRepeatMode","mode":"items"}"#, "mode: it must be one of"
    ),
    (
      "CommandRequest", #"{"command":"rating","rating":-1}"#, "rating: it must be a number of at le"
    ),
    (
      "CommandRequest", #"{"command":"enableLanguageOption","option":""}"#, "option: it must have 1"
    ),
    ("CommandAnswer", #"{"status":"timed-out"}"#, "status: it must be one of success, no-such-con"),
    ("ConditionsRequest", #"{"lowpower":true}"#, "lowpower: unknown field"),
    ("ConditionsRequest", #"{"lowPower":1}"#, "lowPower: it must be true or false"),
    (
      "ConditionsRequest", #"{"lowPower":true,"low\u0050ower":false}"#,
      "lowPower: it is there twice"
    ),
    ("ConditionsRequest", #"{"thermal":"hot"}"#, "thermal: it must be one of nominal, "),
    ("ConditionsRequest", #"{"supportedKeys":["2x2"]}"#, "supportedKeys[0]: it must be one of 1x1"),
    (
      "ConditionsRequest", #"{"supportedKeys":["1x1","1x1"]}"#,
      #"supportedKeys: it names "1x1" twic"#
    ),
    ("ConditionsRequest", "[]", "the body: it must be an object"),
    ("PreparationRequest", #"{"width":96}"#, "height is missing"),
    ("VideoRequest", #"{"width":96,"height":16385}"#, "height: it must be a whole number from 1 t"),
    ("Registration", #"{"source":{}}"#, "source.path is missing"),
    (
      "Registration", #"{"source":{"path":"/a","url":"http://a"}}"#, "source.url: it must be absent"
    ),
  ]

  @Test func `a wrong field of another body is named`() {
    for (schema, json, reason) in Self.bodies {
      let found = refusal(json, as: schema)
      #expect(found?.hasPrefix(reason) == true, "\(json): \(found ?? "accepted")")
    }
  }

  @Test(arguments: [
    #"{"application":"a","artwork":null,"commands":null,"content":null,"eligibility":null,"mixesWithOthers":null,"owner":null,"playback":null}"#,
    #"{"application":"a","commands":{"play":{},"rating":{"rating":null},"like":{"active":null}}}"#,
    #"{"application":"a","content":{"kind":"music","title":"t","durationKind":"finite","durationSeconds":1,"metadata":[{"identifier":"title","value":"\#(String(repeating: "é", count: 4096))"}]}}"#,
    #"{"application":"a","playback":{"state":"paused","rate":2,"elapsedSeconds":3,"durationKind":null}}"#,
  ])
  func `what may be left out may be null`(json: String) {
    #expect(refusal(json, as: "SessionRequest") == nil)
  }

  @Test func `the texts and pictures of a content have a limit together`() throws {
    func refusal(_ change: (inout MediaContent) throws -> Void) throws -> String? {
      var content = MediaContent(kind: .book, title: "t")
      try change(&content)
      let session = SessionRequest(session: MediaSession(application: "a", content: content))
      let json = try SessionSamples.encode(session)
      // A stored session needs no check.
      #expect(try SessionSamples.decode(SessionRequest.self, json) == session)
      return self.refusal(json, as: "SessionRequest")
    }
    let widest = String(repeating: "🎵", count: 4096)
    func fill(_ content: inout MediaContent) {
      (content.title, content.subtitle, content.collection) = (widest, widest, widest)
    }
    #expect(try refusal { fill(&$0) } == nil)
    func pictures(_ bytes: Int) throws -> [MetadataItem] {
      let file =
        [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A] + [UInt8](repeating: 1, count: bytes)
      return [MetadataItem(.artwork, .picture(try ArtworkRepresentation(data: file)))]
    }
    // Base64 takes a third more.
    #expect(try refusal { $0.metadata = try pictures(719 << 10) } == nil)
    #expect(
      try refusal { $0.metadata = try pictures(720 << 10) }?
        .hasPrefix("content: it must have at most 983040 bytes of texts and pictures") == true)
    #expect(
      try refusal {
        fill(&$0)
        $0.metadata = try pictures(719 << 10)
      }?.hasPrefix("content: ") == true)
  }
}
