@testable import ArtworkMedia

@Suite struct FramePlanTests {
  typealias Run = FramePlan.Run

  static func plan(_ notation: String, skippedKeys: Int = 0) throws -> [Run] {
    let table = try PacketTableTests.made(notation)
    let order = try #require(table.presentationOrder)
    return ends(table, order, skippedKeys: skippedKeys)
  }

  /// A plan for three frames at each end.
  private static func ends(_ table: PacketTable, _ order: [Int], skippedKeys: Int) -> [Run] {
    let numbers = Set(order.indices.prefix(3)).union(order.indices.suffix(3))
    return FramePlan(table: table, order: order, numbers: numbers, skippedKeys: skippedKeys).runs
  }

  @Test("closed groups: the first frames, then the last group")
  func closedGroups() throws {
    #expect(
      try Self.plan("0! 1 2 3 4! 5 6 7 8! 9 10 11") == [
        Run(start: 0, end: 2, wanted: [0, 1, 2]), Run(start: 8, end: 11, wanted: [9, 10, 11]),
      ])
  }

  @Test("frames that are decoded later but shown earlier are reached too")
  func reordered() throws {
    // I0 P3 B1 B2 | I6 P9 B7 B8 and I4, P5 between.
    #expect(
      try Self.plan("0! 3 1 2 4! 5 6! 9 7 8") == [
        Run(start: 0, end: 3, wanted: [0, 2, 3]), Run(start: 6, end: 9, wanted: [7, 8, 9]),
      ])
  }

  @Test("frames shown before a key frame but decoded after it need the key frame before")
  func openGroups() throws {
    // The last three are displayed at 10, 11 and 12; the keyframe of 12 comes after them in time.
    let runs = try Self.plan("0! 3 1 2 6! 4 5 9 7 8 12! 10 11")
    #expect(
      runs == [
        Run(start: 0, end: 3, wanted: [0, 2, 3]), Run(start: 4, end: 12, wanted: [10, 11, 12]),
      ])
    // One more frame after it, and it still does not precede the wanted ones.
    #expect(try Self.plan("0! 3 1 2 6! 4 5 9 7 8 12! 10 11 13").last?.start == 4)
    #expect(try Self.plan("0! 3 1 2 6! 4 5 9 7 8 12! 10 11 13 14").last?.start == 10)
  }

  @Test(
    "groups that touch are one run",
    arguments: [
      // One keyframe; a clip shorter than both ends; a single frame; the last group in the first frames.
      ("0! 1 2 3 4 5 6 7", 0, 7, [0, 1, 2, 5, 6, 7]), ("0! 1 2 3", 0, 3, [0, 1, 2, 3]),
      ("7!", 0, 0, [0]),
      ("0! 1! 2! 3 4", 0, 4, [0, 1, 2, 3, 4]),
    ] as [(String, Int, Int, Set<Int>)])
  func oneRun(notation: String, start: Int, end: Int, wanted: Set<Int>) throws {
    #expect(try Self.plan(notation) == [Run(start: start, end: end, wanted: wanted)])
  }

  @Test("key frames that turned out not to be ones are passed over, to the beginning at last")
  func skippedKeys() throws {
    let notation = "0! 1 2 3! 4 5 6! 7 8 9! 10 11"
    #expect(
      try [0, 1, 2].map { try Self.plan(notation, skippedKeys: $0).last?.start } == [9, 6, 3])
    for skipped in [3, 4, 100] {
      #expect(
        try Self.plan(notation, skippedKeys: skipped) == [
          Run(start: 0, end: 11, wanted: [0, 1, 2, 9, 10, 11])
        ])
    }
  }

  @Test("what an edit list cuts is decoded where it must be, but not wanted")
  func discarded() throws {
    #expect(
      try Self.plan("0!~ 1~ 2 3 4! 5 6 7~")
        == [Run(start: 0, end: 6, wanted: [2, 3, 4, 5, 6])])
  }

  @Test("no frames need no run")
  func empty() throws {
    #expect(try Self.plan("").isEmpty)
    #expect(try Self.plan("0!~ 1~").isEmpty)
  }

  @Test(
    "a plan for any clip starts at keys, reaches both ends and wants no more",
    arguments: Fixture.decodable)
  func property(fixture: Fixture) throws {
    let table = try PacketTableTests.scanned(fixture.path, withoutData: false)
    // ffprobe lists a time, and each only once, for every displayed packet.
    let order = try #require(table.presentationOrder)
    for skipped in 0..<4 {
      let runs = Self.ends(table, order, skippedKeys: skipped)
      let wanted = runs.reduce(into: Set<Int>()) { $0.formUnion($1.wanted) }
      #expect(wanted == Set(order.prefix(3)).union(order.suffix(3)))
      for run in runs {
        #expect(run.start == 0 || table.packets[run.start].isKey)
        #expect(run.wanted.allSatisfy { (run.start...run.end).contains($0) })
        #expect(run.wanted.contains(run.end), "a packet too many")
      }
      #expect(zip(runs, runs.dropFirst()).allSatisfy { $0.end < $1.start })
    }
  }
}
