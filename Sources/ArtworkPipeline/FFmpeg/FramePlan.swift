/// Which packets to decode to get the first and the last displayed frames and nothing more.
struct FramePlan {
  /// Packets `start...end` in decoding order, of which those in `wanted` (by index) come out as frames.
  struct Run: Equatable {
    var start: Int
    var end: Int
    var wanted: Set<Int>
  }

  var runs: [Run]

  /// - Parameters:
  ///   - endCount: how many frames at each end are wanted.
  ///   - order: displayed packets in presentation order.
  ///   - skippedKeys: how many of the last suitable key packets to pass over, because they turned out
  ///     not to be ones.
  init(table: PacketTable, order: [Int], endCount: Int, skippedKeys: Int) {
    let head = order.prefix(endCount)
    let tail = order.suffix(endCount)
    guard let headEnd = head.max(), let tailEnd = tail.max(), let tailFirst = tail.min() else {
      runs = []
      return
    }
    let headRun = Run(start: 0, end: headEnd, wanted: Set(head))
    // Frames shown before a key frame but decoded after it may need what came before it: the key frame
    // has to precede the wanted frames in both orders.
    let firstShown = tail.compactMap { table.packets[$0].pts }.min() ?? .min
    let keys = (0...tailFirst).reversed().lazy.filter { index in
      let packet = table.packets[index]
      return packet.isKey && (packet.pts ?? .max) <= firstShown
    }
    let start = keys.dropFirst(skippedKeys).first ?? 0
    if start <= headEnd {
      runs = [
        Run(start: 0, end: max(headEnd, tailEnd), wanted: headRun.wanted.union(tail))
      ]
    } else {
      runs = [headRun, Run(start: start, end: tailEnd, wanted: Set(tail))]
    }
  }
}
