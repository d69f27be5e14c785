@Suite struct TrimSearchTests {
  @Test(arguments: [0, 7])
  func `a known period is found exactly, and the longest multiple of it first`(noise: Int) throws {
    let frames = (0..<175).map { SyntheticClip.circle($0, period: 50, noise: noise == 0 ? 0 : $0 + noise) }
    let outcome = SyntheticClip.search(frames)
    #expect(outcome.answer == .trim)
    let best = try #require(outcome.candidates.first)
    #expect(best.frameCount == 150)
    #expect(best.seam.verdict == .seamless)
    #expect(outcome.candidates.map(\.frameCount) == [150, 100, 50])
    if noise == 0 { #expect(best.startFrame == 0) }
  }

  @Test func `what precedes the loop is left out`() throws {
    // Comes in from the corner for 40 frames, then goes round once and a bit.
    let leadIn = (0..<40).map { SyntheticClip.frame(x: 0.1 + 0.01 * Double($0), y: 0.05 + 0.005 * Double($0)) }
    let frames = leadIn + (0..<66).map { SyntheticClip.circle($0, period: 60) }
    let outcome = SyntheticClip.search(frames)
    let best = try #require(outcome.candidates.first)
    #expect(outcome.answer == .trim)
    #expect(best.frameCount == 60)
    #expect((40...46).contains(best.startFrame))
    #expect(outcome.whole?.seam.verdict.loops == false)
  }

  @Test func `a pendulum repeats when it swings the same way, not where it passes again`() throws {
    let frames = (0..<130).map { index -> Thumbnail in
      let place = index % 80
      return SyntheticClip.frame(x: 0.2 + 0.015 * Double(place < 40 ? place : 80 - place))
    }
    let best = try #require(SyntheticClip.search(frames).candidates.first)
    #expect(best.frameCount == 80)
    #expect(best.seam.verdict == .seamless)
  }

  @Test func `a clip that loops as it is needs no trim; one with a repeated last frame does`() {
    let loop = (0..<60).map { SyntheticClip.circle($0, period: 60) }
    #expect(SyntheticClip.search(loop).answer == .loops)
    let held = SyntheticClip.search(loop + [SyntheticClip.circle(0, period: 60)])
    #expect(held.answer == .trim)
    #expect(held.candidates.first?.frameCount == 60)
    #expect(held.whole?.seam.verdict == .held)
  }

  @Test func `loops are shorter than the limit and no shorter than asked`() {
    let frames = (0..<175).map { SyntheticClip.circle($0, period: 50) }
    // 100 frames at 30 fps last 3.33 s.
    let below = SyntheticClip.search(frames, request: TrimRequest(below: 5))
    #expect(below.candidates.first?.frameCount == 100)
    #expect(SyntheticClip.search(frames, request: TrimRequest(below: 5.001)).candidates.first?.frameCount == 150)
    let long = SyntheticClip.search(frames, request: TrimRequest(shortest: 2))
    #expect(long.candidates.allSatisfy { $0.frameCount >= 60 })
    // A loop that is too long has to lose whole periods.
    let tooLong = (0..<100).map { SyntheticClip.circle($0, period: 50) }
    let outcome = SyntheticClip.search(tooLong, request: TrimRequest(below: 3))
    #expect(outcome.answer == .trim)
    #expect(outcome.candidates.first?.frameCount == 50)
  }

  @Test func `on near-ties the one that can be cut without loss wins`() throws {
    let frames = (0..<175).map { SyntheticClip.circle($0, period: 50, noise: $0 + 1) }
    var starts = [Bool](repeating: false, count: 176)
    starts[12] = true
    let ends = [Bool](repeating: true, count: 176)
    let best = try #require(SyntheticClip.search(frames, starts: starts, ends: ends).candidates.first)
    #expect(best.startFrame == 12 && best.endFrame == 162)
    #expect(best.isLossless)
  }

  @Test func `where nothing repeats, it reports that and offers a dissolve`() throws {
    let frames = (0..<120).map { SyntheticClip.frame(x: 0.1 + 0.0066 * Double($0), size: 0.1 + 0.001 * Double($0)) }
    let outcome = SyntheticClip.search(frames)
    #expect(outcome.answer == .none)
    #expect(outcome.candidates.allSatisfy { !$0.seam.verdict.loops })
    let fade = try #require(outcome.crossFade)
    #expect(fade.startFrame >= fade.fadeFrames && fade.endFrame <= 120)
    #expect(fade.endFrame - fade.startFrame >= 2 * fade.fadeFrames)
  }

  @Test func `a clip that does not move is static, and a slow drift is not`() {
    let still = SyntheticClip.search((0..<40).map { _ in SyntheticClip.frame(x: 0.5) })
    #expect(still.answer == .static)
    #expect(still.candidates.isEmpty)
    let drift = SyntheticClip.search((0..<90).map { SyntheticClip.frame(x: 0.3 + 0.004 * Double($0)) })
    #expect(drift.answer != .static)
  }

  @Test(arguments: 1...5)
  func `one to five frames are too few`(count: Int) {
    let outcome = SyntheticClip.search((0..<count).map { SyntheticClip.circle($0, period: 5) })
    #expect(outcome.answer == .tooShort)
    #expect(outcome.candidates.isEmpty)
    #expect((outcome.whole == nil) == (count == 1))
  }

  @Test(arguments: 6...12)
  func `6 to 12 frames give candidates within the clip`(count: Int) {
    let outcome = SyntheticClip.search((0..<count).map { SyntheticClip.circle($0, period: 6) })
    for candidate in outcome.candidates {
      #expect(candidate.startFrame >= 0 && candidate.endFrame <= count)
      #expect(candidate.frameCount >= 3)
    }
  }

  @Test func `uneven times count, not frames`() throws {
    let frames = (0..<120).map { SyntheticClip.circle($0, period: 50) }
    // The second half plays at half the speed.
    let times = (0...120).map { (frame: Int) -> Double in frame < 60 ? Double(frame) / 30 : 2 + Double(frame - 60) / 15 }
    let outcome = SyntheticClip.search(frames, times: times, request: TrimRequest(below: 3))
    let best = try #require(outcome.candidates.first)
    #expect(best.frameCount == 50)
    #expect(best.durationSeconds < 3)
    #expect(best.startSeconds == times[best.startFrame] && best.endSeconds == times[best.endFrame])
  }

  @Test func `a passage in which nothing happens loops, but comes after one that moves`() throws {
    let resting = (0..<80).map { _ in SyntheticClip.frame(x: 0.5, y: 0.05) }
    let frames = resting + (0..<55).map { SyntheticClip.circle($0, period: 40) }
    let outcome = SyntheticClip.search(frames)
    let best = try #require(outcome.candidates.first)
    #expect(best.frameCount == 40 && best.startFrame >= 80)
    #expect(best.motion > 1)
    let rest = try #require(outcome.candidates.first { $0.hardlyMoves })
    #expect(rest.seam.verdict.loops)
  }
}
