import TestSupport

@Suite struct PlaybackPositionTests {
  @Test(
    "A position goes on while it plays, and only then",
    arguments: [
      (PlaybackSnapshot.State.playing(), 40.0), (.playing(rate: 2), 50), (.playing(rate: 0.5), 35),
      (.playing(rate: -1), 20), (.paused, 30), (.buffering, 30), (.interrupted, 30),
    ])
  func extrapolates(state: PlaybackSnapshot.State, expected: Double) {
    let snapshot = PlaybackSnapshot(state: state, elapsedSeconds: 30, timestamp: 1000)
    #expect(snapshot.position(at: 1010) == expected)
  }

  @Test("A position stays between the beginning and the end")
  func clamps() {
    var snapshot = PlaybackSnapshot(
      state: .playing(), elapsedSeconds: 170, timestamp: 1000, duration: .finite(180))
    #expect(snapshot.position(at: 1005) == 175)
    #expect(snapshot.position(at: 1_000_000) == 180)
    snapshot.state = .playing(rate: -30)
    #expect(snapshot.position(at: 1010) == 0)
    snapshot.state = .playing()
    snapshot.duration = .live
    #expect(snapshot.position(at: 1_000_000) == 170 + 999_000)
  }

  @Test(
    "A clock that was set back by a year moves nothing, one that was set forward ends at the end")
  func survivesClockJumps() {
    let year = 365.0 * 86_400
    let snapshot = PlaybackSnapshot(
      state: .playing(), elapsedSeconds: 30, timestamp: year, duration: .finite(180))
    #expect(snapshot.position(at: year + 12) == 42)
    #expect(snapshot.position(at: 0) == 30)
    #expect(snapshot.position(at: 2 * year) == 180)
  }

  @Test("Without a time nothing is extrapolated, until who receives it gives one")
  func needsTimestamp() {
    let snapshot = PlaybackSnapshot(state: .playing(), elapsedSeconds: 30)
    #expect(snapshot.position(at: 5000) == 30)
    #expect(snapshot.received(at: 4990).position(at: 5000) == 40)
    #expect(snapshot.received(at: 4990).received(at: 1).timestamp == 4990)
  }

  @Test("Numbers that no decoder would let in end nothing")
  func survivesNonsense() {
    for nonsense in [Double.nan, .infinity, -.infinity, -1e300, 1e308] {
      let snapshot = PlaybackSnapshot(
        state: .playing(rate: nonsense), elapsedSeconds: nonsense, timestamp: nonsense,
        duration: .finite(nonsense),
        adBreaks: [.init(startSeconds: nonsense, durationSeconds: nonsense)])
      for now in [nonsense, 0, -nonsense] {
        #expect(snapshot.position(at: now) >= 0)
        #expect(snapshot.netPosition(at: now) >= 0)
      }
      #expect((snapshot.netDuration ?? 0) >= 0)
    }
  }

  @Test("Ads are left out of net position and net duration, which stand still during one")
  func leavesOutAds() {
    var snapshot = PlaybackSnapshot(
      elapsedSeconds: 0, duration: .finite(600),
      adBreaks: [
        .init(startSeconds: 300, durationSeconds: 30), .init(startSeconds: 0, durationSeconds: 15),
      ])
    let expected: [(Double, Double)] = [
      (0, 0), (10, 0), (15, 0), (20, 5), (300, 285), (310, 285), (330, 285), (331, 286),
      (600, 555),
    ]
    for (elapsed, net) in expected {
      snapshot.elapsedSeconds = elapsed
      #expect(snapshot.netPosition(at: 0) == net, "at \(elapsed)")
    }
    #expect(snapshot.netDuration == 555)
    snapshot.duration = .live
    #expect(snapshot.netDuration == nil)
  }

  @Test("What two ads share counts once, and an ad beyond the end not at all")
  func mergesAds() {
    let snapshot = PlaybackSnapshot(
      elapsedSeconds: 100, duration: .finite(100),
      adBreaks: [
        .init(startSeconds: 10, durationSeconds: 20), .init(startSeconds: 15, durationSeconds: 5),
        .init(startSeconds: 20, durationSeconds: 20), .init(startSeconds: 90, durationSeconds: 50),
        .init(startSeconds: 200, durationSeconds: 10),
      ])
    #expect(snapshot.netDuration == 60)
    #expect(snapshot.netPosition(at: 0) == 60)
  }

  @Test("An ad plays from its first moment to just before its end")
  func knowsAds() {
    var snapshot = PlaybackSnapshot(adBreaks: [.init(startSeconds: 10, durationSeconds: 5)])
    for (elapsed, isAd) in [(9.9, false), (10, true), (14.9, true), (15, false)] {
      snapshot.elapsedSeconds = elapsed
      #expect(snapshot.isInAdBreak(at: 0) == isAd, "at \(elapsed)")
    }
  }
}
