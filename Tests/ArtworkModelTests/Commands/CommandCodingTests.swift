import TestSupport

/// Commands in the JSON of the public contract.
@Suite struct CommandCodingTests {
  private typealias Samples = SessionSamples

  @Test func `a session states what it carries out, and reads back as it was written`() throws {
    let json = """
      {"application":"a","artwork":{},"commands":{\
      "bookmark":{"enabled":true},\
      "changePlaybackRate":{"enabled":true,"rate":1,"supportedRates":[0.5,1,2]},\
      "changeRepeatMode":{"enabled":true,"mode":"all"},\
      "changeShuffleMode":{"enabled":true,"mode":"collections"},\
      "enableLanguageOption":{"enabled":true,"options":[{"active":true,"id":"1","kind":"legible",\
      "languageTag":"de","name":"Deutsch"}]},\
      "like":{"active":true,"enabled":true},\
      "next":{"enabled":false},\
      "rating":{"enabled":true,"maximum":10,"rating":7.5},\
      "skipForward":{"enabled":true,"enabledInAds":false,"preferredIntervals":[15,30]}},\
      "eligibility":"with-commands","mixesWithOthers":true}
      """
    let session = try Samples.decode(MediaSession.self, json)
    #expect(session.commands.count == 9)
    #expect(session.commands[.next]?.isEnabled == false)
    #expect(session.commands[.skipForward]?.preferredIntervals == [15, 30])
    #expect(session.commands[.skipForward]?.isEnabledInAds == false)
    #expect(session.commands[.changeShuffleMode]?.shuffleMode == .collections)
    #expect(session.commands[.rating]?.rating == 7.5)
    #expect(session.commands[.enableLanguageOption]?.options.first?.languageTag == "de")
    #expect(session.eligibility == .withCommands && session.mixesWithOthers)
    #expect(try Samples.encode(session) == json)
  }

  @Test func `what a session need not state is left out`() throws {
    let empty = #"{"application":"a","commands":null,"eligibility":null,"mixesWithOthers":null}"#
    #expect(try Samples.decode(MediaSession.self, empty) == MediaSession(application: "a"))
    #expect(
      try Samples.encode(MediaSession(application: "a")) == #"{"application":"a","artwork":{}}"#)
    let short = #"{"application":"a","commands":{"play":{},"rating":{"rating":null}}}"#
    #expect(
      try Samples.decode(MediaSession.self, short).commands
        == [.play: OfferedCommand(), .rating: OfferedCommand()])
  }

  private static let requests: [(RequestedCommand, String)] = [
    (.play, #"{"command":"play"}"#), (.pause, #"{"command":"pause"}"#),
    (.togglePlayPause, #"{"command":"togglePlayPause"}"#), (.stop, #"{"command":"stop"}"#),
    (.next, #"{"command":"next"}"#), (.previous, #"{"command":"previous"}"#),
    (.seekToPosition(90), #"{"command":"seekToPosition","position":90}"#),
    (.seekForward(.begin), #"{"command":"seekForward","phase":"begin"}"#),
    (.seekBackward(.end), #"{"command":"seekBackward","phase":"end"}"#),
    (.skipForward(), #"{"command":"skipForward"}"#),
    (.skipBackward(interval: 15), #"{"command":"skipBackward","interval":15}"#),
    (.changePlaybackRate(-2), #"{"command":"changePlaybackRate","rate":-2}"#),
    (.changeRepeatMode(.one), #"{"command":"changeRepeatMode","mode":"one"}"#),
    (.changeShuffleMode(.items), #"{"command":"changeShuffleMode","mode":"items"}"#),
    (.like(), #"{"active":true,"command":"like"}"#),
    (.dislike(false), #"{"active":false,"command":"dislike"}"#),
    (.bookmark(), #"{"active":true,"command":"bookmark"}"#),
    (.rating(4.5), #"{"command":"rating","rating":4.5}"#),
    (.enableLanguageOption(id: "de"), #"{"command":"enableLanguageOption","option":"de"}"#),
    (.disableLanguageOption(id: "de"), #"{"command":"disableLanguageOption","option":"de"}"#),
  ]

  @Test func `every command is asked for with its name and its argument`() throws {
    #expect(Set(Self.requests.map(\.0.name)) == Set(CommandName.allCases))
    for (command, json) in Self.requests {
      #expect(try Samples.encode(command) == json)
      #expect(try Samples.decode(RequestedCommand.self, json) == command)
    }
  }

  @Test func `a command on its way and its end state whose it is`() throws {
    let command = DeliveredCommand(
      number: 7, session: SessionReference("app", try Samples.id("s")),
      command: .seekToPosition(90), sent: 1000.5)
    let json =
      #"{"application":"app","command":"seekToPosition","number":7,"position":90,"sent":1000.5,"sessionID":"s"}"#
    #expect(try Samples.encode(command) == json)
    #expect(try Samples.decode(DeliveredCommand.self, json) == command)
    #expect(
      try Samples.encode(CommandOutcome(command, .timedOut, "late"))
        == #"{"application":"app","message":"late","number":7,"sessionID":"s","status":"timed-out"}"#
    )
  }
}
