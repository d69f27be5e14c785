import TestSupport

@Suite struct PresentationTests {
  private let session: MediaSession
  private let id: ArtworkID

  init() throws {
    id = try SessionSamples.artwork("night-drive")
    session = SessionSamples.session(artwork: [.square: id])
  }

  private func present(
    _ availability: ArtworkAvailability = .ready(broken: []), _ key: ArtworkKey = .square,
    under conditions: DeviceConditions = DeviceConditions()
  ) -> Presentation {
    Presentation(of: key, in: session, conditions: conditions) { _ in availability }
  }

  @Test("A video that was judged well plays")
  func plays() {
    let shown = present()
    #expect(shown.show == .video)
    #expect(shown.reason == .init(code: "plays", message: "The video plays and loops."))
    #expect(shown.artworkID == id)
  }

  @Test(
    "Each condition of the device keeps the preview, and is reported",
    arguments: [
      (DeviceConditions(lowPower: true), "low-power"),
      (DeviceConditions(lowData: true), "low-data"),
      (DeviceConditions(thermal: .serious), "thermal"),
      (DeviceConditions(thermal: .critical), "thermal"),
      (DeviceConditions(reduceMotion: true), "reduce-motion"),
      (DeviceConditions(autoPlayOff: true), "auto-play-off"),
    ])
  func keepsStill(conditions: DeviceConditions, code: String) {
    for availability in [ArtworkAvailability.ready(broken: []), .registered(hasPreview: true)] {
      let shown = present(availability, under: conditions)
      #expect(shown.show == .preview)
      #expect(shown.reason.code == code)
    }
  }

  @Test(
    "A device that is only warm plays",
    arguments: [.nominal, .fair] as [DeviceConditions.ThermalState])
  func playsWhenWarm(thermal: DeviceConditions.ThermalState) {
    #expect(present(under: DeviceConditions(thermal: thermal)).show == .video)
  }

  @Test(
    "Without a video that can be used, the cover is shown, whatever the device's conditions",
    arguments: [
      (ArtworkAvailability.unknown, "unknown-artwork"),
      (.refused(code: "conflict", message: "Other bytes."), "conflict"),
      (.ready(broken: ["aspect-ratio", "codec"]), "ignored"),
    ])
  func showsCover(availability: ArtworkAvailability, code: String) {
    for conditions in [DeviceConditions(), DeviceConditions(lowPower: true)] {
      let shown = present(availability, under: conditions)
      #expect(shown.show == .cover)
      #expect(shown.reason.code == code)
      #expect(shown.artworkID == id)
    }
  }

  @Test(
    "A key that is not published or not used by the system shows the cover, and asks for no artwork"
  )
  func needsKey() {
    let without = Presentation(of: .tall, in: session, conditions: DeviceConditions()) { _ in
      Issue.record("asked for an artwork that nobody publishes")
      return .unknown
    }
    #expect(without.reason.code == "not-published")
    #expect(without.artworkID == nil)
    let unsupported = Presentation(
      of: .square, in: session, conditions: DeviceConditions(supportedKeys: [.tall])
    ) { _ in
      Issue.record("asked for an artwork that the system does not use")
      return .unknown
    }
    #expect(unsupported.show == .cover)
    #expect(unsupported.reason.code == "unsupported-key")
    #expect(unsupported.artworkID == id)
  }

  @Test(
    "A video that does not play on Apple systems leaves the preview, and other faults are only reported"
  )
  func namesFaults() {
    let silent = present(.ready(broken: ["loop-seam", "frame-rate", "codec"]))
    #expect(silent.show == .preview)
    #expect(silent.reason.code == "does-not-play")
    #expect(silent.reason.message.contains("(frame-rate). A session whose videoCodecs name"))
    for (broken, warnings, codec, message) in [
      (["loop-seam"], [], "h264", "The video plays; it breaks loop-seam."),
      (
        [], ["duration", "decode-cost"], "h264",
        "The video plays; check warns of decode-cost, duration."
      ),
      (
        ["truncated"], ["fade"], "gif",
        "The service converts the gif to a video, which plays; it breaks truncated; check warns of fade."
      ),
      (["container", "codec"], [], "vp9", "The service converts the vp9 to a video, which plays."),
      (["codec-tag"], [], "hevc", "The service converts the hevc to a video, which plays."),
    ] {
      let shown = present(.ready(broken: broken, warnings: warnings, codec: codec))
      #expect(shown.show == .video && shown.reason.message == message)
    }
  }

  @Test(
    "A video that the player does not decode is shown only if the service can make another of it",
    arguments: [
      ("h264", ["hevc"], "codec-not-supported"), ("h264", ["divx", "av1"], "codec-not-supported"),
      ("hevc", ["av1"], "codec-not-supported"), ("hevc", ["h264"], "plays"),
      ("hevc", ["hevc", "av1"], "plays"), ("h264", nil, "plays"), (nil, ["hevc"], "plays"),
    ] as [(String?, [String]?, String)])
  func knowsCodecs(codec: String?, declared: [String]?, code: String) {
    var session = session
    session.videoCodecs = declared.map(Set.init)
    func present(_ conditions: DeviceConditions, _ broken: [String] = []) -> Presentation {
      Presentation(of: .square, in: session, conditions: conditions) { _ in
        .ready(broken: broken, codec: codec)
      }
    }
    let shown = present(DeviceConditions())
    #expect(shown.reason.code == code)
    #expect(shown.show == (code == "plays" ? .video : .preview))
    #expect(shown.artworkID == id)
    if let codec, let declared, code != "plays" {
      #expect(
        shown.reason.message == "The video is \(codec); the player declares only "
          + "\(declared.sorted().joined(separator: ", ")), and the service can make only h264.")
    }
    // Reasons that stop every player come first.
    #expect(present(DeviceConditions(lowPower: true)).reason.code == "low-power")
    // The player's declaration replaces the codecs of Apple's systems, but not the shape.
    let vp9 = present(DeviceConditions(), ["codec", "container"]).reason.code
    #expect(vp9 == code)
    #expect(present(DeviceConditions(), ["aspect-ratio"]).reason.code == "ignored")
  }

  @Test("A preview without a stored video is shown, with why there is no video")
  func fetchesLazily() {
    let registered = present(.registered(hasPreview: true))
    #expect(registered.show == .preview && registered.reason.code == "not-fetched")
    let full = present(.withoutRoom(message: "Full.", hasPreview: true))
    #expect(full.show == .preview && full.reason.code == "no-space")
  }

  @Test("Until there is a preview, the cover is shown, with why there is no video")
  func waitsForPreview() {
    for (availability, code) in [
      (ArtworkAvailability.registered(hasPreview: false), "preparing"),
      (.withoutRoom(message: "Full.", hasPreview: false), "no-space"),
    ] {
      let shown = present(availability)
      #expect(shown.show == .cover && shown.reason.code == code && shown.artworkID == id)
      let stopped = present(availability, under: DeviceConditions(lowPower: true))
      #expect(stopped.show == .cover && stopped.reason.code == "low-power")
    }
  }

  @Test(
    "The document has a variant for each key that is published or supported, and is read back as written"
  )
  func documents() throws {
    var board = SessionRegistry()
    board.conditions = DeviceConditions(supportedKeys: [.tall])
    var session = session
    session.playback = PlaybackSnapshot(
      state: .playing(), elapsedSeconds: 70, timestamp: 1000, duration: .finite(100),
      adBreaks: [.init(startSeconds: 0, durationSeconds: 20)])
    board.publish(session, as: try SessionSamples.id("main"))
    let document = board.nowPlaying(at: 1010) { _ in .ready(broken: []) }
    let expected = """
      {"conditions":{"autoPlayOff":false,"lowData":false,"lowPower":false,"reduceMotion":false,\
      "supportedKeys":["3x4"],"thermal":"nominal"},"sessions":[{"application":"player",\
      "artwork":{"1x1":"night-drive"},"content":{"kind":"music","title":"Song"},"id":"main",\
      "isApplicationPrimary":true,"isSystemPrimary":true,"playback":{"adBreaks":\
      [{"durationSeconds":20,"startSeconds":0}],"durationSeconds":100,"elapsedSeconds":70,\
      "rate":1,"state":"playing","timestamp":1000}}],"shown":{"application":"player",\
      "content":{"kind":"music","title":"Song"},"cover":"night-drive","playback":{"adBreaks":\
      [{"durationSeconds":20,"startSeconds":0}],"durationSeconds":100,"elapsedSeconds":70,\
      "netDurationSeconds":80,"netPositionSeconds":60,"positionSeconds":80,"rate":1,\
      "state":"playing","timestamp":1000},"reason":"It is the only session.",\
      "sessionID":"main","variants":{"1x1":{"artworkID":"night-drive","reason":\
      {"code":"unsupported-key","message":"This system shows no 1x1 artwork."},"show":"cover"},\
      "3x4":{"reason":{"code":"not-published","message":"The session publishes no 3x4 artwork."},\
      "show":"cover"}}}}
      """
    #expect(try SessionSamples.encode(document) == expected)
    #expect(try SessionSamples.decode(NowPlaying.self, expected) == document)
    let empty = NowPlaying(conditions: DeviceConditions())
    #expect(try SessionSamples.encode(empty).contains(#""shown":null"#))
  }
}
