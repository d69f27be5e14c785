@testable import ArtworkJudging
@testable import ArtworkModel

@Suite struct ConfigurationErrorTests {
  @Test(arguments: BadConfiguration.all)
  func `mistakes are reported with their place and a suggestion`(_ bad: BadConfiguration) throws {
    let problems = try MadeConfiguration.problems(bad.text)
    #expect(problems.count == bad.problems.count, "\(problems)")
    for (problem, expected) in zip(problems, bad.problems) { #expect(problem.hasPrefix("artwork.yml:" + expected)) }
  }

  @Test func `a page of nested aliases is refused, as values and as keys`() throws {
    for key in ["", "? "] {
      var text = "a0: &a0 [x, x, x, x, x, x, x, x, x]\n"
      for level in 1...40 {
        let items = Array(repeating: "*a\(level - 1)", count: 9).joined(separator: ", ")
        text += "\(key)a\(level): &a\(level) [\(items)]\n"
      }
      if !key.isEmpty { text += "? *a40\n: x\n" }
      let problems = try MadeConfiguration.problems(text)
      let expected = key.isEmpty ? "too large with its aliases resolved" : "a key is a word"
      #expect(problems.contains { $0.contains(expected) })
    }
  }

  @Test func `a chain of aliases is refused before it is deeper than the stack`() throws {
    var text = "a0: &a0 [x]\n"
    for level in 1...20_000 { text += "a\(level): &a\(level) [*a\(level - 1)]\n" }
    let problems = try MadeConfiguration.problems(text)
    #expect(problems.contains { $0.contains("50 levels deep") })
    #expect(
      try MadeConfiguration.problems(String(repeating: "[", count: 900) + String(repeating: "]", count: 900)).contains {
        $0.contains("50 levels deep")
      })
  }

  @Test func `a damaged file is reported or accepted, and ends nothing`() throws {
    let good = Array((ConfigurationSchemaTests.good.last ?? "").utf8)
    let special = Array("*&!|>'\"%@`{}[],:#?-\n\t \0\r".utf8)
    var noise = Noise(seed: 4)
    var reported = 0
    for _ in 0..<1000 {
      var text = good
      for _ in 0...Int(noise.next() >> 33) % 4 {
        let place = Int(noise.next() >> 33) % text.count
        switch noise.next() >> 62 {
        case 0: text[place] = special[Int(noise.next() >> 33) % special.count]
        case 1: text.insert(special[Int(noise.next() >> 33) % special.count], at: place)
        case 2: text.removeLast(Int(noise.next() >> 33) % text.count)
        default:
          let end = min(text.count, place + Int(noise.next() >> 33) % 40)
          text.insert(contentsOf: text[place..<end], at: Int(noise.next() >> 33) % text.count)
        }
      }
      let problems = try MadeConfiguration.problems(String(decoding: text, as: UTF8.self))
      if !problems.isEmpty { reported += 1 }
      #expect(problems.allSatisfy { $0.hasPrefix("artwork.yml:") })
    }
    #expect(reported > 300)
  }

  @Test func `a file that is too large, no UTF-8 or not there is reported as a whole`() throws {
    let folder = try TemporaryFolder()
    let file = folder.path("artwork.yml")
    func problem() throws -> String {
      let error = try #require(throws: ConfigurationError.self) { _ = try Configuration.load(file) }
      return error.description
    }
    #expect(try problem() == "\(file): cannot read the configuration: no such file or directory")
    try Data(repeating: UInt8(ascii: "#"), count: 1 << 20).write(to: folder.url("artwork.yml"))
    _ = try Configuration.load(file)
    try Data(repeating: UInt8(ascii: "#"), count: 1 << 20 + 1).write(to: folder.url("artwork.yml"))
    #expect(try problem().hasPrefix("\(file): the configuration exceeds 1 MiB"))
    try Data([0x61, 0x3a, 0x20, 0xff]).write(to: folder.url("artwork.yml"))
    #expect(try problem() == "\(file): the file is not UTF-8")
  }

  @Test func `words are suggested that are near, and only those`() {
    let known = ["audio-track", "fade", "codec", "codec-tag"]
    #expect(NearestWord.find("audiotrack", among: known) == "audio-track")
    #expect(NearestWord.find("Audio_Track", among: known) == "audio-track")
    #expect(NearestWord.find("fdae", among: known) == "fade")
    #expect(NearestWord.find("codectag", among: known) == "codec-tag")
    #expect(NearestWord.find("audio", among: known) == "audio-track")
    #expect(NearestWord.find("code", among: known) == "codec")
    #expect(NearestWord.find("a", among: known) == nil)
    #expect(NearestWord.find("cover", among: known) == nil)
    #expect(NearestWord.distance(Array("kitten"), Array("sitting")) == 3)
    #expect(NearestWord.distance(Array("ab"), Array("ba")) == 1)
    #expect(NearestWord.distance([], Array("abc")) == 3)
  }
}
