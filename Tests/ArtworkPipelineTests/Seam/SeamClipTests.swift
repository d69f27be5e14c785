@testable import ArtworkMeasuring

@Suite struct SeamClipTests {
  static func thumbnail(_ number: Int) -> Thumbnail { FrameStepTests.flat(luma: Float(number % 200)) }

  static func clock(_ count: Int, keyFrames: [Int] = [0], sizes: [Int] = []) -> ClipClock {
    ClipClock(
      timestamps: (0..<count).map(Int64.init), lastDuration: 1, timeBase: .one, medianStep: 1, keyFrames: keyFrames,
      sizes: sizes)
  }

  static func clip(_ numbers: some Sequence<Int>, of clock: ClipClock) -> SeamClip {
    let clip = SeamClip()
    for number in numbers { clip.add(thumbnail(number), number: number) }
    clip.finish(clock)
    return clip
  }

  @Test func `pictures of both ends stay, numbers of every frame do`() throws {
    let clip = Self.clip(0..<200, of: Self.clock(200))
    #expect(clip.isWhole && clip.count == 200)
    for number in [0, 47, 152, 199] { #expect(try clip.frame(number).luma == Double(number)) }
    for number in [48, 100, 151] { #expect(throws: MissingFrames(numbers: [number])) { try clip.frame(number) } }
    for number in 0..<200 { #expect(try clip.trace(number).luma == Double(number)) }
    // A step between neighbours is known without their pictures: each frame is brighter by one.
    for number in 1..<200 { #expect(try clip.step(number - 1, number) == 1) }
    #expect(throws: MissingFrames(numbers: [100, 110])) { try clip.step(100, 110) }
    #expect(throws: Never.self) { try clip.requireSteps(Array(1..<200)) }
  }

  @Test func `what was asked for stays when it comes`() throws {
    let clip = Self.clip(Array(0..<8) + Array(192..<200), of: Self.clock(200, keyFrames: [0, 100]))
    #expect(!clip.isWhole)
    #expect(throws: MissingFrames(numbers: [60, 100])) { try clip.require([3, 60, 100, 195]) }
    clip.keep([60, 100])
    for number in 59..<160 { clip.add(Self.thumbnail(number), number: number) }
    #expect(throws: Never.self) { try clip.require([0, 60, 100, 199]) }
    #expect(throws: MissingFrames(numbers: [70])) { try clip.require([60, 70]) }
    // Their steps are kept without their pictures, but for frames that come apart.
    let steps: Set = [29, 30]
    #expect(throws: MissingFrames(numbers: steps, needsPictures: false)) { try clip.requireSteps([30, 70]) }
    #expect(throws: MissingFrames(numbers: steps)) { try clip.requireSteps([30]) }
  }

  @Test func `a frame that comes once more loses nothing that was known of it`() throws {
    let clip = Self.clip(0..<200, of: Self.clock(200))
    clip.add(Self.thumbnail(100), number: 100)
    #expect(throws: Never.self) { try clip.step(99, 100) }
    #expect(clip.blockSteps.count == 199)
  }

  @Test func `repeats are searched where frames take the least data, at two places apart`() throws {
    var sizes = [Int](repeating: 100, count: 200)
    for (number, size) in [(60, 7), (61, 6), (62, 5), (120, 8), (9, 1), (150, 2), (170, 12)] { sizes[number] = size }
    let packets = try #require(PacketSizes(Self.clock(200, keyFrames: [0, 150], sizes: sizes)))
    #expect(
      packets.quietWindows(in: 8..<192) == [60..<64, 118..<122],
      "not beside the ends, nor at key frames, nor where a frame takes a little less than others")
    #expect(packets.quietWindows(in: 8..<10).isEmpty)
  }

  @Test("ends are as long as it takes to see frames that change, by the data that they take")
  func ends() throws {
    func ends(_ small: (Int) -> Bool) throws -> Set<Int> {
      let clock = Self.clock(100, sizes: (0..<100).map { small($0) ? 2 : 90 })
      return try #require(PacketSizes(clock)).ends(changing: 12)
    }
    #expect(try ends { _ in false } == Set(0..<12).union(88..<100))
    let twos = try ends { $0 % 2 == 1 }
    #expect(twos.isSuperset(of: 0..<23) && twos.isSuperset(of: 77..<100))
    let rest = try ends { $0 >= 80 }
    #expect(rest == Set(0..<12).union(66..<100), "up to where the motion stops, and beyond")
    #expect(try ends { $0 >= 98 } == Set(0..<12).union(86..<100), "two frames are no rest")
    #expect(try ends { $0 >= 30 } == Set(0..<12).union(50..<100), "not more than half of the clip")
    let small = (0..<100).map { $0 % 5 == 0 ? 900 : $0 < 80 ? 80 : 30 }
    let between = try #require(PacketSizes(Self.clock(100, sizes: small))).ends(changing: 12)
    #expect(between.isSuperset(of: 70..<100), "small frames between large ones, in a rest")
  }

  @Test("a sample lies after keyframes, and wherever a packet is large, unless many are")
  func sample() throws {
    func sample(_ large: [Int], keyFrames: [Int]) throws -> [Int]? {
      let sizes = (0..<200).map { large.contains($0) ? 260 : 100 }
      let clock = Self.clock(200, keyFrames: keyFrames, sizes: sizes)
      return try #require(PacketSizes(clock)).sample(of: 8..<192)?.map {
        #expect($0.count == 4)
        return $0.lowerBound
      }
    }
    let seconds = Array(stride(from: 0, to: 200, by: 30))
    #expect(try sample([], keyFrames: seconds) == [30, 90, 120, 180])
    #expect(try sample([75, 4], keyFrames: seconds) == [30, 73, 90, 120, 180])
    #expect(try sample([], keyFrames: [0]) == [29, 75, 121, 167], "one group is decoded anyway")
    #expect(try sample([20, 50, 75, 140, 160], keyFrames: seconds) == nil, "a beat")
    let short = Self.clock(40, sizes: [Int](repeating: 100, count: 40))
    #expect(try #require(PacketSizes(short)).sample(of: 8..<32) == nil)
    let still = Self.clock(200, keyFrames: Array(0..<200), sizes: [Int](repeating: 100, count: 200))
    #expect(try #require(PacketSizes(still)).sample(of: 8..<192) == nil, "keyframes say nothing")
    // Every eighth frame comes before the seven that are shown before it, as large as all of them are small.
    var between = Self.clock(200, sizes: (0..<200).map { $0.isMultiple(of: 8) ? 900 : 100 })
    #expect(try #require(PacketSizes(between)).sample(of: 8..<192) == nil)
    between.places = (0..<200).map { $0.isMultiple(of: 8) ? max(0, $0 - 7) : $0 + 1 }
    #expect(try #require(PacketSizes(between)).sample(of: 8..<192)?.count == 4)
  }

  @Test func `a round is the shortest share of a clip after which all of its frames come again`() {
    func round(_ lumas: [Int]) -> Int {
      let clip = SeamClip()
      for (number, luma) in lumas.enumerated() { clip.add(FrameStepTests.flat(luma: Float(luma)), number: number) }
      clip.finish(Self.clock(lumas.count))
      return clip.round
    }
    let ramp = Array(stride(from: 20, to: 200, by: 10))
    #expect(round(ramp) == 18)
    #expect(round(ramp + ramp + ramp) == 18)
    #expect(round(ramp + ramp.map { $0 + 2 }) == 18, "coding noise")
    #expect(round(ramp + ramp.dropLast() + [20]) == 36, "one frame is another")
    #expect(round(ramp + ramp.reversed()) == 36, "to and fro")
    #expect(round(ramp + ramp + [20]) == 37)
    #expect(round(Array(ramp.prefix(6)) + ramp.prefix(6)) == 12, "too short to tell")
  }

  @Test func `a clip is one group if nothing is decoded without its first frame`() {
    for (keys, isOne) in [([], true), ([0], true), ([0, 30], false), ([30], false)] as [([Int], Bool)] {
      #expect(Self.clock(60, keyFrames: keys).isOneGroup == isOne, "\(keys)")
    }
  }

  @Test func `frames that come late prove nothing about others, unless many do`() throws {
    func follows(_ late: Set<Int>) throws -> [Bool] {
      var (time, times) = (Int64(0), [Int64]())
      for number in 0..<40 {
        time += late.contains(number) ? 2 : 1
        times.append(time)
      }
      var clock = Self.clock(40)
      clock.timestamps = times
      let frames = DistinctFrames(try SeamWindow(Self.clip(0..<40, of: clock), window: 8))
      #expect(frames.loop == Array(34..<40) + Array(0..<6))
      return frames.followsInTime
    }
    #expect(try follows([]) == Array(repeating: true, count: 12))
    #expect(try follows([37, 38]).enumerated().filter { !$1 }.map(\.offset) == [3, 4])
    #expect(try follows([2, 36, 38]) == Array(repeating: true, count: 12), "times that vary")
  }

  @Test func `the nearest frame that was seen stands for a place`() {
    let clip = Self.clip([10, 11, 40], of: Self.clock(100))
    #expect(clip.nearestTrace(to: 12, within: 1)?.luma == 11)
    #expect(clip.nearestTrace(to: 25, within: 14)?.luma == 11)
    #expect(clip.nearestTrace(to: 25, within: 13) == nil)
  }

  @Test("a part of a clip measures as the same frames by themselves", arguments: [0..<96, 10..<70, 3..<5, 40..<41])
  func part(range: Range<Int>) throws {
    let frames = TestScene.pan(count: 96).enumerated().map { index, frame in
      // As bytes have it.
      frame.changed(sharpness: Float(index % 7)) { $0 = $0.map { $0.rounded() } }
    }
    let whole = SeamClip()
    for (number, frame) in frames.enumerated() { whole.add(frame, number: number) }
    whole.finish(Self.clock(96))
    let part = whole.part(range, of: ReducedClip(frames))
    let alone = try TestScene.measure(Array(frames[range]), .everyFrame, seconds: .one)?.seam
    #expect((alone == nil) == (range.count < 2))
    #expect(try SeamMeasurement(part) == alone)
  }
}
