@testable import ArtworkMedia

@Suite struct PacketTableTests {
  static func scanned(_ path: FilePath, withoutData: Bool) throws -> PacketTable {
    try LogCapture.scope {
      let input = try InputFile.open(path)
      let demuxer = try Demuxer.open(input)
      return try unsafe PacketTable(scanning: demuxer, stream: demuxer.selectVideo(), withData: !withoutData)
    }
  }

  /// A table of packets in decoding order, each with its time; `!` marks key packets, `~` discarded
  /// ones, `-` hidden ones, `=` those without data and `?` those without a time.
  static func made(_ notation: String) throws -> PacketTable {
    var table = try scanned(Fixture.named("frames-1.mp4").path, withoutData: true)
    table.missingCount = 0
    table.packets = notation.split(separator: " ").enumerated().map { number, word in
      PacketRecord(
        pts: word.contains("?") ? nil : Int64(word.filter(\.isNumber)), dts: Int64(number), duration: 1,
        position: Int64(number * 100), isKey: word.contains("!"), isDiscarded: word.contains("~"), isHidden: word.contains("-"),
        size: word.contains("=") ? 0 : 1, isDamaged: false)
    }
    return table
  }

  @Test(arguments: Fixture.decodable)
  func `every packet is found, with its flags, as ffprobe finds them`(fixture: Fixture) throws {
    let table = try Self.scanned(fixture.path, withoutData: false)
    #expect(table.packets.count == fixture.facts.packets)
    #expect(table.packets.count { $0.isKey } == fixture.facts.keyPackets)
    #expect(table.packets.count { $0.isDiscarded } == fixture.facts.discardPackets)
    // 48 declared, of which 22 are present and the last of those only in part.
    #expect((table.missingCount > 0) == (fixture.file == "broken-truncated.mp4"))
    if let order = table.presentationOrder, fixture.label.expect.contains("truncated") == false {
      #expect(order.count == fixture.facts.decodedFrames)
      // The stream states the most there may be.
      #expect(table.reorderDepth(of: order) <= fixture.facts.reorderDepth ?? 0)
    }
  }

  @Test(
    arguments: Fixture.decodable.filter {
      $0.facts.format?.hasPrefix("mov") == true && !$0.file.hasPrefix("frag") && $0.file != "broken-truncated.mp4"
    })
  func `leaving the data out changes nothing where the sample table is complete`(fixture: Fixture) throws {
    let whole = try Self.scanned(fixture.path, withoutData: false)
    let quick = try Self.scanned(fixture.path, withoutData: true)
    #expect(quick.packets.count == whole.packets.count)
    #expect(quick.missingCount == whole.missingCount)
    for (a, b) in zip(quick.packets, whole.packets) {
      // Not the durations: libavformat guesses those the table leaves out from parsed data.
      #expect(a.pts == b.pts && a.dts == b.dts)
      #expect(a.position == b.position && a.isKey == b.isKey && a.isDiscarded == b.isDiscarded)
    }
  }

  @Test(
    arguments: [
      ("0! 1 2 3", [0, 1, 2, 3]), ("0! 3 1 2 6 4 5", [0, 2, 3, 1, 5, 6, 4]), ("0!~ 1~ 2 3", [2, 3]), ("0! 9- 1", [0, 2]),
      ("5!", [0]), ("", []),
      // A missing or repeated time leaves the order to the decoder; those of hidden packets do not count.
      ("0! ? 2", nil), ("0! 1 1", nil), ("0! 1 1-", [0, 1]), ("0! ?- 2", [0, 2]), ("0!~ ?~ 2", [2]), ("0! 1= 2", [0, 2]),
    ] as [(String, [Int]?)])
  func `the order of presentation follows from times, or is unknown`(notation: String, order: [Int]?) throws {
    #expect(try Self.made(notation).presentationOrder == order)
  }

  @Test(
    "the reorder depth is how many frames overtake one",
    arguments: [
      ("0! 1 2 3", 0), ("0! 3 1 2 6 4 5", 1), ("0! 4 2 1 3", 2), ("0! 8 4 2 1 3 6 5 7", 3), ("2! 1 0", 2), ("0! 9- 3 1 2", 1),
      ("0!", 0),
    ])
  func reorderDepth(notation: String, depth: Int) throws {
    let table = try Self.made(notation)
    #expect(table.reorderDepth(of: try #require(table.presentationOrder)) == depth)
  }
}
