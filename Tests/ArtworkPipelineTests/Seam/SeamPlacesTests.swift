@testable import ArtworkJudging
@testable import ArtworkMeasuring

/// Places that stand still but at the seam, and single frames that differ from both beside them.
@Suite struct SeamPlacesTests {
  /// The lower half dances: another part of a picture in each frame. The upper half stands there, moved to the right by this
  /// much in each frame.
  private static func dance(_ moved: (Int) -> Double) -> [Thumbnail] {
    (0..<48).map { number in
      let figure = TestScene.texture(x: Double(number) * 37).detail
      return TestScene.texture(x: (2 * moved(number)).rounded() / 2).changed { detail in
        for place in 64 * 128..<128 * 128 { detail[place] = figure[place] }
      }
    }
  }

  @Test func `what stands still and jumps at the seam is found beside a dance, with its size`() throws {
    #expect(try TestScene.verdict(Self.dance { _ in 0 }).loops)
    let drift = try TestScene.judge(Self.dance { Double($0) / 16 })
    #expect(drift.verdict == .jump)
    // Half of the picture, but for places without detail.
    let share = try #require(drift.sentence.prefix { $0 != "%" }.split(separator: " ").first.flatMap { Int($0) })
    #expect((20...50).contains(share), "\(drift.sentence)")
  }

  @Test func `a picture that shakes in its last frames jumps there`() throws {
    let shaken = Self.dance { $0 == 46 ? 3 : 0 }
    let judged = try TestScene.judge(shaken)
    #expect(judged.verdict == .jump)
    #expect(judged.sentence.hasSuffix("before the end"), "\(judged.sentence)")
  }

  @Test func `a first frame that is coded worse than both beside it pops`() throws {
    let frames = TestScene.orbit(count: 48)
    let smeared = frames[0].changed { detail in
      for place in detail.indices { detail[place] += (place + place / 128) % 2 == 0 ? 2 : -2 }
    }
    let judged = try TestScene.judge([smeared] + frames.dropFirst())
    #expect(judged.verdict == .pop && judged.certainty == .likely, "\(judged.sentence)")
  }

  @Test func `a last frame in another light is odd in a clip that cuts in equal parts`() throws {
    var frames = (0..<96).map { TestScene.texture(x: $0 / 32 == 1 ? 400 : 0, brighter: $0 / 32 == 1 ? 30 : 0) }
    for (number, frame) in zip(frames.indices, TestScene.orbit(count: 96)) where number / 32 != 1 { frames[number] = frame }
    frames[95] = frames[95].changed { $0 = $0.map { $0 + 20 } }
    #expect(try TestScene.judge(frames).sentence == "the last frame differs in light or colour from those around it")
  }

  @Test func `light that goes and comes inside as well does not fade`() throws {
    func lit(_ dark: Set<Int>) -> [Thumbnail] {
      TestScene.orbit(count: 96).enumerated().map { number, frame in
        let away = dark.map { min(abs(number - $0), 96 - abs(number - $0)) }.min() ?? 96
        let light = min(1, Float(away) / 5)
        return frame.changed { $0 = $0.map { 16 + light * ($0 - 16) } }
      }
    }
    #expect(try TestScene.verdict(lit([0])) == .fade)
    #expect(try TestScene.verdict(lit([0, 41])) != .fade)
  }

  /// A mark that turns on a ground that nobody sees.
  @Test func `colours under transparent parts do not count`() throws {
    let mark = #"lt(hypot(X-48-20*cos(2*PI*N/24)\,Y-48-20*sin(2*PI*N/24))\,16)"#
    let clip = try MadeClip(
      named: "clip.webm",
      [
        "-f", "lavfi", "-i",
        "color=black:s=96x96:r=24:d=1,format=yuva420p,"
          + "geq=lum='if(\(mark)\\,180\\,16+9*N)':cb=128:cr=128:a='255*\(mark)'",
        "-c:v", "libvpx-vp9", "-deadline", "realtime", "-cpu-used", "8", "-crf", "20", "-b:v", "0", "-auto-alt-ref", "0",
      ])
    let inspection = try Inspector().inspect(Candidate(path: clip.path), InspectionRequest()).inspection
    let seam = Rules.judge(inspection, key: .square, profile: .nowPlaying).seam
    #expect(seam?.verdict == .seamless, "\(seam?.sentence ?? "")")
  }
}
