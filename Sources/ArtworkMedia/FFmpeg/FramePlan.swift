/// Which packets to decode to get some displayed frames, and nothing more.
struct FramePlan {
  /// Packets `start...end` in decoding order; those in `wanted` (by index) are returned as frames.
  struct Run: Equatable {
    var start: Int
    var end: Int
    var wanted: Set<Int>
  }

  var runs: [Run]

  /// - Parameters:
  ///   - order: displayed packets in presentation order.
  ///   - numbers: the wanted frames, by their index in `order`.
  ///   - skippedKeys: how many of the last suitable keyframes to skip, because they turned out not to be keyframes.
  init(table: PacketTable, order: [Int], numbers: Set<Int>, skippedKeys: Int) {
    runs = []
    var start: Int?
    for number in numbers.sorted() {
      let first = start ?? number
      start = first
      guard !numbers.contains(number + 1) else { continue }
      start = nil
      let run = Run(table: table, packets: order[first...number], skippedKeys: skippedKeys)
      // Runs that touch are one, so that nothing is decoded twice.
      if let last = runs.last, run.start <= last.end {
        runs[runs.count - 1].end = max(last.end, run.end)
        runs[runs.count - 1].wanted.formUnion(run.wanted)
      } else {
        runs.append(run)
      }
    }
  }
}

extension FramePlan {
  /// Returns these packets as well, if a run passes them and decodes everything that they need.
  package mutating func add(_ packets: [Int], table: PacketTable) {
    for index in runs.indices {
      let run = runs[index]
      let firstDisplayed = run.start > 0 ? table.packets[run.start].pts ?? .max : .min
      runs[index].wanted.formUnion(
        packets.filter {
          (run.start...run.end).contains($0) && table.packets[$0].pts ?? .min >= firstDisplayed
        })
    }
  }
}

extension FramePlan.Run {
  /// - Parameter packets: of neighbouring frames in presentation order, at least one.
  fileprivate init(table: PacketTable, packets: ArraySlice<Int>, skippedKeys: Int) {
    let firstDecoded = packets.min() ?? 0
    // Frames displayed before a keyframe but decoded after it may need frames before it: the keyframe has to precede
    // the wanted frames in both orders.
    let firstDisplayed = packets.compactMap { table.packets[$0].pts }.min() ?? .min
    let keys = (0...firstDecoded).reversed().lazy.filter { index in
      let packet = table.packets[index]
      return packet.isKey && (packet.pts ?? .max) <= firstDisplayed
    }
    self.init(
      start: keys.dropFirst(skippedKeys).first ?? 0, end: packets.max() ?? 0, wanted: Set(packets))
  }
}
