import TestSupport

@testable import ArtworkClients

@Suite struct EventStreamParserTests {
  private typealias Message = EventStreamParser.Message

  private func read(_ pieces: [String]) throws -> [Message] {
    var parser = EventStreamParser()
    return try pieces.flatMap { try parser.read(Array($0.utf8)) }
  }

  @Test("Lines may end with LF, CR or CRLF", arguments: ["\n", "\r", "\r\n"])
  func endsLines(end: String) throws {
    let stream = ["event: lease", "data: 1", "", "data: 2", "", ""].joined(separator: end)
    let expected = [Message(name: "lease", data: "1"), Message(name: "message", data: "2")]
    #expect(try read([stream]) == expected)
    // However the bytes come: also between CR and LF.
    #expect(try read(stream.unicodeScalars.map { String($0) }) == expected)
  }

  @Test("Data of several lines is joined, an empty line among it kept")
  func joinsData() throws {
    #expect(
      try read(["data: {\ndata:\ndata:  }\n\n"]) == [Message(name: "message", data: "{\n\n }")])
  }

  @Test("Comments, fields without use and a message without data are passed over")
  func passesOver() throws {
    let stream =
      ": hello\n\nid: 7\nretry: 10\nevent: primary\n\ndata\n\nevent:x\ndata:y\n\ndata: unfinished\n"
    #expect(
      try read(["\u{FEFF}" + stream])
        == [Message(name: "message", data: ""), Message(name: "x", data: "y")])
  }

  @Test("A letter that comes in two pieces is one letter")
  func joinsLetters() throws {
    var parser = EventStreamParser()
    let bytes = Array("data: é\n\n".utf8)
    #expect(try parser.read(bytes[..<7]).isEmpty)
    #expect(try parser.read(bytes[7...]) == [Message(name: "message", data: "é")])
  }

  @Test("A line or a message without end is refused before it fills the memory")
  func limits() throws {
    var parser = EventStreamParser()
    parser.byteLimit = 10
    #expect(try parser.read(Array("data: 1234\n\n".utf8)).count == 1)
    #expect(throws: EventStreamParser.TooLong.self) { try parser.read(Array("data: 12345".utf8)) }
    parser = EventStreamParser()
    parser.byteLimit = 10
    #expect(throws: EventStreamParser.TooLong.self) {
      for _ in 0..<4 { _ = try parser.read(Array("data: 123\n".utf8)) }
    }
  }
}
