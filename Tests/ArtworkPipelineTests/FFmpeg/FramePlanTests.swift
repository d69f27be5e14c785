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

  @Test(arguments: [
    // Closed groups: the first frames, then the last group.
    ("0! 1 2 3 4! 5 6 7 8! 9 10 11", [Run(0, 2, [0, 1, 2]), Run(8, 11, [9, 10, 11])]),
    // Frames that are decoded later but shown earlier: I0 P3 B1 B2 | I6 P9 B7 B8 and I4, P5 between.
    ("0! 3 1 2 4! 5 6! 9 7 8", [Run(0, 3, [0, 2, 3]), Run(6, 9, [7, 8, 9])]),
    // Open groups. The last three are displayed at 10, 11 and 12; the keyframe of 12 comes after them in time.
    ("0! 3 1 2 6! 4 5 9 7 8 12! 10 11", [Run(0, 3, [0, 2, 3]), Run(4, 12, [10, 11, 12])]),
    // One more frame after it, and it still does not precede the wanted ones; then it does.
    ("0! 3 1 2 6! 4 5 9 7 8 12! 10 11 13", [Run(0, 3, [0, 2, 3]), Run(4, 13, [12, 10, 13])]),
    ("0! 3 1 2 6! 4 5 9 7 8 12! 10 11 13 14", [Run(0, 3, [0, 2, 3]), Run(10, 14, [10, 13, 14])]),
    // One keyframe; a clip shorter than both ends; a single frame; the last group in the first frames.
    ("0! 1 2 3 4 5 6 7", [Run(0, 7, [0, 1, 2, 5, 6, 7])]), ("0! 1 2 3", [Run(0, 3, [0, 1, 2, 3])]), ("7!", [Run(0, 0, [0])]),
    ("0! 1! 2! 3 4", [Run(0, 4, [0, 1, 2, 3, 4])]),
    // What an edit list cuts is decoded where it must be, but not wanted.
    ("0!~ 1~ 2 3 4! 5 6 7~", [Run(0, 6, [2, 3, 4, 5, 6])]), ("", []), ("0!~ 1~", []),
  ])
  func `for three frames at each end, groups of pictures are decoded from their keys on`(notation: String, runs: [Run]) throws {
    #expect(try Self.plan(notation) == runs)
  }

  @Test func `key frames that turned out not to be ones are passed over, to the beginning at last`() throws {
    let notation = "0! 1 2 3! 4 5 6! 7 8 9! 10 11"
    #expect(try [0, 1, 2].map { try Self.plan(notation, skippedKeys: $0).last?.start } == [9, 6, 3])
    for skipped in [3, 4, 100] { #expect(try Self.plan(notation, skippedKeys: skipped) == [Run(0, 11, [0, 1, 2, 9, 10, 11])]) }
  }

  @Test(arguments: Fixture.decodable)
  func `a plan for any clip starts at keys, reaches both ends and wants no more`(fixture: Fixture) throws {
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

extension FramePlan.Run {
  fileprivate init(_ start: Int, _ end: Int, _ wanted: Set<Int>) { self.init(start: start, end: end, wanted: wanted) }
}
