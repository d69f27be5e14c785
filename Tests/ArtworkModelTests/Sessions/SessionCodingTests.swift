import TestSupport

/// The JSON of the public contract.
@Suite struct SessionCodingTests {
  private typealias Samples = SessionSamples

  private let full = """
    {"application":"org.example.player",\
    "artwork":{"1x1":"night-drive/1","3x4":"night-drive/3"},\
    "content":{"collection":"Roads","kind":"music","subtitle":"Band","title":"Night Drive"},\
    "owner":{"process":4711},\
    "playback":{"adBreaks":[{"durationSeconds":15,"startSeconds":60}],"durationSeconds":215.5,\
    "elapsedSeconds":12.25,"rate":1.5,"state":"playing","timestamp":1700000000}}
    """

  @Test("A session with every field is read and written as the contract has it")
  func roundTrips() throws {
    let request = try Samples.decode(SessionRequest.self, full)
    #expect(request.ownerProcess == 4711)
    #expect(request.session.application == "org.example.player")
    #expect(
      request.session.content
        == .music(songTitle: "Night Drive", artistName: "Band", albumName: "Roads"))
    #expect(request.session.artwork[.tall] == (try Samples.artwork("night-drive/3")))
    #expect(
      request.session.playback
        == PlaybackSnapshot(
          state: .playing(rate: 1.5), elapsedSeconds: 12.25, timestamp: 1_700_000_000,
          duration: .finite(215.5), adBreaks: [.init(startSeconds: 60, durationSeconds: 15)]))
    #expect(try Samples.encode(request) == full)
  }

  @Test("A session needs nothing but its application")
  func leavesOut() throws {
    let session = try Samples.decode(MediaSession.self, #"{"application":"a"}"#)
    #expect(session == MediaSession(application: "a"))
    let nulls = #"{"application":"a","artwork":null,"content":null,"owner":null,"playback":null}"#
    #expect(try Samples.decode(SessionRequest.self, nulls).session == session)
    let live = try Samples.decode(
      PlaybackSnapshot.self, #"{"state":"playing","elapsedSeconds":3}"#)
    #expect(live == PlaybackSnapshot(state: .playing(rate: 1), elapsedSeconds: 3))
  }

  @Test(
    "Texts of a request have limits; those of a stored session have none",
    arguments: [
      ("application", 1025, #"{"application":"TEXT"}"#), ("application", 0, #"{"application":""}"#),
      ("content.title", 4097, #"{"application":"a","content":{"kind":"music","title":"TEXT"}}"#),
      ("content.title", 0, #"{"application":"a","content":{"kind":"music","title":""}}"#),
      (
        "content.subtitle", 4097,
        #"{"application":"a","content":{"kind":"music","title":"t","subtitle":"TEXT"}}"#
      ),
      (
        "content.collection", 4097,
        #"{"application":"a","content":{"kind":"music","title":"t","collection":"TEXT"}}"#
      ),
    ])
  func limitsTexts(field: String, count: Int, json: String) throws {
    func text(_ count: Int) -> String {
      json.replacing("TEXT", with: String(repeating: "é", count: count))
    }
    let refusal = try #require(Samples.refusal(of: SessionRequest.self, text(count)))
    #expect(refusal.field == field)
    #expect(refusal.message.contains("not \(count)"))
    #expect(try Samples.decode(MediaSession.self, text(count)).application.count < 2000)
    if count > 0 { _ = try Samples.decode(SessionRequest.self, text(count - 1)) }
  }

  @Test("An owner is a process, and a key is named once")
  func refusesHalfOwners() {
    #expect(
      Samples.refusal(of: SessionRequest.self, #"{"application":"a","owner":{"process":null}}"#)
        != nil)
    #expect(
      Samples.refusal(of: DeviceConditions.self, #"{"supportedKeys":["1x1","1x1"]}"#)?.field
        == "supportedKeys")
  }

  @Test("Every kind has the name of the contract")
  func namesKinds() {
    #expect(
      MediaContent.Kind.allCases.map(\.rawValue).sorted()
        == ["book", "generic", "home-media", "movie", "music", "podcast", "radio", "tv-show"])
  }

  @Test("A rate counts only while it plays, and may stand beside other states")
  func passesOverIdleRates() throws {
    let json = #"{"state":"paused","rate":2,"elapsedSeconds":3}"#
    #expect(try Samples.decode(PlaybackSnapshot.self, json).state == .paused)
  }

  @Test(
    "A field that is not known is refused with its name, wherever it is",
    arguments: [
      (#"{"application":"a","titel":"x"}"#, "titel"),
      (
        #"{"application":"a","content":{"kind":"music","title":"t","artist":"b"}}"#,
        "content.artist"
      ),
      (
        #"{"application":"a","playback":{"state":"paused","elapsedSeconds":1,"speed":1}}"#,
        "playback.speed"
      ),
      (
        #"{"application":"a","playback":{"state":"paused","elapsedSeconds":1,"adBreaks":[{"startSeconds":1,"durationSeconds":1,"x":1}]}}"#,
        "playback.adBreaks.Index 0.x"
      ),
      (#"{"application":"a","artwork":{"1x1":"i","16x9":"j"}}"#, "artwork.16x9"),
      (#"{"application":"a","owner":{"pid":1}}"#, "owner.pid"),
    ])
  func refusesUnknownFields(json: String, field: String) throws {
    let refusal = try #require(Samples.refusal(of: SessionRequest.self, json))
    #expect(refusal.field == field)
    #expect(refusal.message.hasPrefix("unknown "))
  }

  @Test("Who reads answers may pass over fields of a newer service")
  func ignoresUnknownFields() throws {
    let decoder = JSONDecoder()
    let option = try #require(CodingUserInfoKey.ignoresUnknownFields)
    decoder.userInfo[option] = true
    let json = #"{"application":"a","new":1,"content":{"kind":"radio","title":"t","new":[]}}"#
    let session = try decoder.decode(MediaSession.self, from: Data(json.utf8))
    #expect(session.content == .radio(stationName: "t"))
  }

  @Test(
    "Numbers that are no time are refused",
    arguments: [
      #"{"state":"paused","elapsedSeconds":-1}"#, #"{"state":"paused","elapsedSeconds":1e12}"#,
      #"{"state":"paused"}"#, #"{"state":"paused","elapsedSeconds":null}"#,
      #"{"state":"paused","elapsedSeconds":"1"}"#, #"{"state":"paused","elapsedSeconds":NaN}"#,
      #"{"state":"paused","elapsedSeconds":1e999}"#,
      #"{"state":"paused","elapsedSeconds":1,"timestamp":-5}"#,
      #"{"state":"paused","elapsedSeconds":1,"durationSeconds":-0.5}"#,
      #"{"state":"playing","elapsedSeconds":1,"rate":0}"#,
      #"{"state":"stopped","elapsedSeconds":1}"#,
      #"{"state":"paused","elapsedSeconds":1,"adBreaks":[{"startSeconds":-1,"durationSeconds":1}]}"#,
      #"{"state":"paused","elapsedSeconds":1,"adBreaks":[{"startSeconds":1}]}"#,
    ])
  func refusesNumbers(json: String) {
    #expect(throws: DecodingError.self) { try Samples.decode(PlaybackSnapshot.self, json) }
  }

  @Test("Numbers that JSON cannot hold are refused from elsewhere, too")
  func refusesInfinities() {
    let decoder = JSONDecoder()
    decoder.nonConformingFloatDecodingStrategy = .convertFromString(
      positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
    for name in ["inf", "-inf", "nan"] {
      for field in ["elapsedSeconds", "timestamp", "durationSeconds", "rate"] {
        let other = field == "elapsedSeconds" ? "" : #""elapsedSeconds":1,"#
        let json = #"{"state":"playing",\#(other)"\#(field)":"\#(name)"}"#
        #expect(throws: DecodingError.self, "\(field) \(name)") {
          try decoder.decode(PlaybackSnapshot.self, from: Data(json.utf8))
        }
      }
    }
  }

  @Test(
    "An owner's process has a number above 0",
    arguments: ["0", "-1", "2147483648", "1.5", "\"1\""])
  func refusesProcesses(number: String) {
    #expect(throws: DecodingError.self) {
      try Samples.decode(
        SessionRequest.self, #"{"application":"a","owner":{"process":\#(number)}}"#)
    }
  }

  @Test("Conditions that are left out have their defaults")
  func defaultsConditions() throws {
    #expect(try Samples.decode(DeviceConditions.self, "{}") == DeviceConditions())
    let conditions = try Samples.decode(
      DeviceConditions.self,
      #"{"lowData":true,"thermal":"serious","supportedKeys":["3x4"]}"#)
    #expect(
      conditions == DeviceConditions(lowData: true, thermal: .serious, supportedKeys: [.tall]))
    #expect(
      try Samples.encode(DeviceConditions(supportedKeys: []))
        == #"{"autoPlayOff":false,"lowData":false,"lowPower":false,"reduceMotion":false,"supportedKeys":[],"thermal":"nominal"}"#
    )
  }

  @Test(
    "Conditions that cannot be understood are refused",
    arguments: [
      (#"{"lowpower":true}"#, "lowpower"), (#"{"thermal":"hot"}"#, "thermal"),
      (#"{"supportedKeys":["2x2"]}"#, "supportedKeys"),
    ])
  func refusesConditions(json: String, field: String) {
    #expect(Samples.refusal(of: DeviceConditions.self, json)?.field == field)
  }
}
