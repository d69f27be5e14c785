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
    let live = try Samples.decode(PlaybackSnapshot.self, #"{"state":"playing","elapsedSeconds":3}"#)
    #expect(live == PlaybackSnapshot(state: .playing(rate: 1), elapsedSeconds: 3))
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

  @Test("Who reads answers may pass over fields of a newer service")
  func ignoresUnknownFields() throws {
    let json =
      #"{"application":"a","new":1,"commands":{"play":{},"fly":{}},"content":{"kind":"radio","title":"t","new":[]}}"#
    let session = try Samples.decode(MediaSession.self, json)
    #expect(session.content == .radio(stationName: "t"))
    #expect(session.commands == [.play: OfferedCommand()])
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
}
