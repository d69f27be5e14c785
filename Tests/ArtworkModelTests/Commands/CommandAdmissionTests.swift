import TestSupport

/// Which commands a session takes, and as what.
@Suite struct CommandAdmissionTests {
  private let id: SessionID
  private var session = MediaSession(application: "app")

  init() throws { id = try SessionSamples.id("main") }

  private func admitted(_ command: RequestedCommand, at seconds: Double = 0) -> RequestedCommand? {
    try? session.admitted(command, to: id, at: seconds)
  }

  private func refusal(_ command: RequestedCommand, at seconds: Double = 0) -> StoreError? {
    do throws(StoreError) {
      _ = try session.admitted(command, to: id, at: seconds)
      return nil
    } catch {
      return error
    }
  }

  @Test mutating func `what is not offered or disabled is refused by name`() {
    #expect(refusal(.next)?.code == .commandNotOffered)
    #expect(refusal(.next)?.message == "main of app does not offer next; it offers no commands")
    session.commands = [.next: OfferedCommand(isEnabled: false), .play: OfferedCommand()]
    #expect(refusal(.next)?.code == .commandDisabled)
    #expect(refusal(.stop)?.message.hasSuffix("it offers next, play") == true)
    #expect(admitted(.play) == .play)
  }

  @Test mutating func `a toggle becomes what the session offers`() {
    session.commands = [.play: OfferedCommand(), .pause: OfferedCommand()]
    #expect(admitted(.togglePlayPause) == .play)
    session.playback = PlaybackSnapshot(state: .playing())
    #expect(admitted(.togglePlayPause) == .pause)
    session.commands[.togglePlayPause] = OfferedCommand()
    #expect(admitted(.togglePlayPause) == .togglePlayPause)
    session.commands = [.play: OfferedCommand()]
    #expect(refusal(.togglePlayPause)?.code == .commandNotOffered)
  }

  @Test mutating func `a skip gets the preferred interval, and live content has none`() {
    session.commands = [
      .skipForward: OfferedCommand(preferredIntervals: [15, 30]), .skipBackward: OfferedCommand(),
    ]
    #expect(admitted(.skipForward()) == .skipForward(interval: 15))
    #expect(admitted(.skipForward(interval: 7)) == .skipForward(interval: 7))
    #expect(refusal(.skipBackward())?.code == .badRequest)
    session.playback = PlaybackSnapshot(duration: .live)
    #expect(refusal(.skipForward(interval: 7))?.code == .liveContent)
    session.playback?.duration = .finite(100)
    #expect(admitted(.skipBackward(interval: 7)) == .skipBackward(interval: 7))
  }

  @Test mutating func `an ad disables what the session states, for as long as it plays`() {
    session.commands = [
      .skipForward: OfferedCommand(isEnabledInAds: false, preferredIntervals: [15]),
      .pause: OfferedCommand(),
    ]
    session.playback = PlaybackSnapshot(
      state: .playing(), elapsedSeconds: 0, timestamp: 1000, duration: .finite(100),
      adBreaks: [.init(startSeconds: 10, durationSeconds: 5)])
    #expect(admitted(.skipForward(), at: 1009) != nil)
    #expect(refusal(.skipForward(), at: 1010)?.code == .commandDisabled)
    #expect(refusal(.skipForward(), at: 1010)?.message.contains("while an ad plays") == true)
    #expect(admitted(.pause, at: 1010) == .pause)
    #expect(admitted(.skipForward(), at: 1015) != nil)
  }

  @Test mutating func `an argument must be one that the session takes`() {
    session.commands = [
      .seekToPosition: OfferedCommand(),
      .changePlaybackRate: OfferedCommand(supportedRates: [1, 1.5]),
      .rating: OfferedCommand(maximumRating: 3),
      .enableLanguageOption: OfferedCommand(options: [
        LanguageOption(id: "de", name: "Deutsch", kind: .legible)
      ]),
    ]
    session.playback = PlaybackSnapshot(duration: .finite(100))
    #expect(admitted(.seekToPosition(100)) != nil)
    #expect(refusal(.seekToPosition(101))?.code == .badRequest)
    #expect(admitted(.changePlaybackRate(1.5)) != nil)
    #expect(refusal(.changePlaybackRate(2))?.message == "rate must be one of 1, 1.5")
    session.commands[.changePlaybackRate]?.supportedRates = []
    #expect(admitted(.changePlaybackRate(2)) != nil)
    #expect(admitted(.rating(3)) != nil)
    #expect(refusal(.rating(4))?.code == .badRequest)
    session.commands[.rating]?.maximumRating = nil
    #expect(admitted(.rating(5)) != nil)
    #expect(admitted(.enableLanguageOption(id: "de")) != nil)
    #expect(refusal(.enableLanguageOption(id: "fr"))?.code == .badRequest)
  }

  @Test func `a handler is called with its argument, and what it throws is reported`() async {
    struct NoDisc: Error, CustomStringConvertible { var description: String { "no disc" } }
    let seek = MediaCommand.seekToPosition { position in position > 9 ? .noSuchContent : .success }
    #expect(await seek.perform(.seekToPosition(10)).status == .noSuchContent)
    #expect(await seek.perform(.seekToPosition(9)).status == .success)
    #expect(await seek.perform(.next).status == .notSupported)
    #expect(await seek.enabled(false).perform(.seekToPosition(9)).status == .notSupported)
    #expect(
      await MediaCommand.play { throw NoDisc() }.perform(.play) == CommandAnswer(.failed, "no disc")
    )
    #expect(await MediaCommand.like { _ in }.perform(.like()).status == .success)
    // The service accepts no longer message.
    struct Talk: Error, CustomStringConvertible {
      let description = String(repeating: "é", count: 5000)
    }
    #expect(await MediaCommand.play { throw Talk() }.perform(.play).message?.count == 4096)
  }

  @Test func `a handler without return succeeds, unless one of its expressions is another status`()
    async
  {
    let rate = MediaCommand.rating(of: 3) { stars in
      if stars > 3 { .noSuchContent }
      await Task.yield()
    }
    #expect(await rate.perform(.rating(4)).status == .noSuchContent)
    #expect(await rate.perform(.rating(3)).status == .success)
    #expect(await rate.perform(.like()).status == .notSupported)
  }

  @Test func `a handler runs on the main actor, and one for requests does not`() async {
    let main = MediaCommand.next { #isolation === MainActor.shared ? .success : .failed }
    #expect(await main.perform(.next).status == .success)
    let skip = MediaCommand(.skipForward, offering: OfferedCommand(preferredIntervals: [10])) {
      request in
      #isolation == nil && request == .skipForward(interval: 7) ? .success : .failed
    }
    #expect(skip.offer.preferredIntervals == [10])
    #expect(await skip.perform(.skipForward(interval: 7)).status == .success)
    #expect(await skip.perform(.next).status == .notSupported)
  }
}
