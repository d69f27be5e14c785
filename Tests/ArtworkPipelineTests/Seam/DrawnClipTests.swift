/// Clips that were drawn because a verdict on them was wrong once.
@Suite struct DrawnClipTests {
  /// A clip of grey pictures by an expression of X, Y and N.
  static func drawn(_ light: String, size: String = "160x160", frames: Int, _ filters: String = "null", _ more: [String] = [])
    throws -> MadeClip
  {
    try MadeClip(
      [
        "-f", "lavfi", "-i",
        "color=black:s=\(size):r=24:d=20,format=gray,geq=lum='\(light)',format=yuv420p,trim=end_frame=\(frames),\(filters)",
        "-c:v", "libx264", "-preset", "veryfast", "-crf", "12",
      ] + more)
  }

  /// Such a clip, judged by its ends and by every frame.
  static func judged(_ light: String, size: String = "160x160", frames: Int, _ filters: String = "null") throws -> [(
    seam: SeamJudgement, findings: [Finding]
  )] {
    let clip = try drawn(light, size: size, frames: frames, filters)
    return try [InspectionRequest(), InspectionRequest(everyFrame: true)].map { request in
      let inspection = try Inspector().inspect(Candidate(path: clip.path), request).inspection
      let (seam, findings) = Rules.judge(inspection, key: .square, profile: .nowPlaying)
      return (try #require(seam), findings)
    }
  }

  private static let texture = #"30+90*(0.5+0.5*sin(X/9))*(0.5+0.5*sin(Y/13))"#
  private static func light(_ x: String, _ y: String) -> String { #"120*exp(-(pow(X-(\#(x))\,2)+pow(Y-(\#(y))\,2))/300)"# }
  private static let round = light("80-30*sin(2*PI*N/48)", "80-30*cos(2*PI*N/48)")

  @Test func `a boomerang is one by its ends and by every frame, and its doubled turn is reported`() throws {
    let forth = Self.texture + "+" + Self.light("40+3*M", "80-10*sin(M/5)")
    // The second half is the first one backwards, so both turning frames are doubled.
    let boomerang = forth.replacingOccurrences(of: "M", with: #"(if(lt(N\,30)\,N\,59-N))"#)
    for (seam, _) in try Self.judged(boomerang, frames: 60) {
      #expect(seam.verdict == .reverse)
      #expect(seam.sentence.contains("shows the frame at its turning point twice"))
    }
  }

  @Test func `an exposure that drifts by 22 % shifts`() throws {
    for (seam, _) in try Self.judged("(\(Self.texture)+\(Self.round))*(1-0.22*N/48)", frames: 48) {
      #expect(seam.verdict == .shift)
    }
  }

  @Test(arguments: ["loop-jump", "loop-held", "loop-fade-both", "loop-seamless-fast", "good-1x1-2s"])
  func `a clip twice around is judged as once`(name: String) throws {
    let once = Fixture.named("\(name).mp4").path
    let twice = try MadeClip(["-stream_loop", "1", "-i", once.string, "-map", "0:v:0", "-c", "copy"])
    let verdicts = try [once, twice.path].map { path in
      let inspection = try Inspector().inspect(Candidate(path: path), InspectionRequest()).inspection
      return Rules.judge(inspection, key: .square, profile: .nowPlaying).seam?.verdict
    }
    #expect(verdicts[0] != nil && verdicts[0] == verdicts[1])
  }

  @Test func `a jump before a last frame that is the first one again is found there`() throws {
    let away = Self.texture + "+" + Self.light(#"30+1.5*mod(N\,59)"#, "80")
    for (seam, _) in try Self.judged(away, frames: 60) {
      #expect([.jump, .cut].contains(seam.verdict), "\(seam.sentence)")
      #expect(seam.sentence.hasSuffix("one frame before the end"), "\(seam.sentence)")
    }
    // A loop whose first frame comes again is held there, and nothing jumps before.
    let round = Self.texture + "+" + Self.light(#"80-30*sin(2*PI*N/59)"#, #"80-30*cos(2*PI*N/59)"#)
    for (seam, _) in try Self.judged(round, frames: 60) { #expect(seam.verdict == .held) }
  }

  @Test func `a strobe in the middle is seen on the way to the end`() throws {
    // Six flashes a second in the third second of five, in one group of pictures.
    let flash = #"90*between(N\,48\,71)*lt(mod(N\,4)\,2)"#
    let clip = try Self.drawn("\(Self.texture)+\(Self.round)+\(flash)", frames: 120, "null", ["-sc_threshold", "0"])
    let request = InspectionRequest(settlesDoubts: true, countsFlashes: true)
    let inspection = try Inspector().inspect(Candidate(path: clip.path), request).inspection
    let findings = Rules.judge(inspection, key: .square, profile: .nowPlaying).findings
    #expect(findings.contains { $0.rule == "flash" && $0.message.hasPrefix("6") })
  }

  @Test func `stars that drift one way do not swing to and fro`() throws {
    // Dots on a skewed grid that moves one cell to the right in 48 frames.
    let dots = #"16+200*lt(hypot(mod(X+7*floor(Y/20)+40*N/48\,40)-20\,mod(Y\,20)-10)\,1.6)"#
    for (seam, _) in try Self.judged(dots, frames: 48) { #expect(seam.verdict == .seamless) }
    let away = dots.replacingOccurrences(of: "40*N/48", with: "0.7*N")
    for (seam, _) in try Self.judged(away, frames: 48) { #expect(seam.verdict != .reverse, "\(seam.sentence)") }
  }

  @Test func `one black frame is no fade, and nothing is said to repeat`() throws {
    let clip = try Self.judged("\(Self.texture)+\(Self.round)", frames: 48, "drawbox=t=fill:c=black:enable='lt(n,1)'")
    for (seam, findings) in clip {
      #expect(findings.contains { $0.rule == "blank-first-frame" })
      #expect(!findings.contains { $0.rule == "fade" })
      #expect(!seam.sentence.contains("repeats"), "\(seam.sentence)")
    }
  }

  /// Known weaknesses, see docs/measurements.md: update the tests when they are fixed.
  @Test func `the bars of an equaliser are mistaken for the edge of a picture, in any case alike`() throws {
    let bars =
      #"16+if(lt(mod(X\,20)\,18)*lt(abs(Y-159.5)\,141*(0.25+0.75*(0.5-0.5*cos(2*PI*N/48+floor(X/20)*0.05))))\,120+4*floor(X/20)\,8)"#
    for (_, findings) in try Self.judged(bars, size: "320x320", frames: 48) {
      let found = findings.first { $0.rule == "letterbox" }
      #expect(found?.severity == .warning)
      #expect(found?.help.contains("ignore this if the bars are part of the design") == true)
    }
  }

  @Test func `faint thin rings count as blank, and the finding does not claim that there is nothing`() throws {
    let wide = #"if(lt(N\,1)\,0.5\,0.5+9*sin(PI*N/48))"#
    let rings = #"60+30*lt(abs(mod(hypot(X-160\,Y-160)+40*N/48\,40)-20)\,\#(wide))"#
    for (_, findings) in try Self.judged(rings, size: "320x320", frames: 48) {
      let found = findings.first { $0.rule == "blank-first-frame" }
      #expect(found?.message == "the first frame is the preview, and it is nearly all one colour")
    }
  }

  @Test func `parts that hardly move rank behind those that move`() throws {
    // A second of rest, out and back with eased ends, a second of rest.
    let x = #"30+100*(0.5-0.5*cos(2*PI*min(1\,max(0\,(N-30)/60))))"#
    let clip = try Self.drawn("40+" + Self.light(x, "80"), frames: 150)
    let found = try Inspector().run(LoopJob(request: TrimRequest()), on: Candidate(path: clip.path))
    let parts = found.report.candidates
    #expect(!parts.isEmpty)
    let moves = parts.map { $0.seam.verdict != .static && !$0.hardlyMoves }
    #expect(moves.first == true)
    #expect(moves == moves.sorted { $0 && !$1 })
  }
}
