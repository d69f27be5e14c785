import TestSupport

@testable import ArtworkCore
@testable import ArtworkModel

@Suite struct ConformCommandTests {
  private static let kit = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()
    .appendingPathComponent("Integrations/sidecar/kit")

  private struct Answers: Decodable {
    var breaks: [String: [String]]
  }

  private struct Result: Decodable {
    struct File: Decodable {
      var path: String
      var violations: [Violation]
    }
    struct Violation: Decodable {
      var requirement: String
      var message: String
    }
    var files: [File]
  }

  @Test("every file of the kit gets the answer that follows from how it was made")
  func kit() throws {
    let answers = try JSONDecoder().decode(
      Answers.self, from: Data(contentsOf: Self.kit.appendingPathComponent("answers.json"))
    ).breaks
    let made = try BuiltTool.run(["conform", Self.kit.path, "--format", "json"])
    #expect(made.status == 1, "\(made.error)")
    let result = try JSONDecoder().decode(Result.self, from: Data(made.output.utf8))
    let found = Dictionary(
      uniqueKeysWithValues: result.files.map {
        ($0.path, $0.violations.map(\.requirement).sorted())
      })
    #expect(Set(found.keys) == Set(answers.keys))
    for (path, breaks) in answers {
      #expect(found[path] == breaks, "\(path)")
    }
    #expect(result.files.flatMap(\.violations).allSatisfy { !$0.message.isEmpty })
  }

  @Test("a folder that conforms, one without covers, and one that is not there")
  func exits() throws {
    let good = try BuiltTool.run(["conform", Self.kit.appendingPathComponent("both").path])
    #expect(good.status == 0 && good.output.hasSuffix("2 animated covers: 2 conform, 0 do not\n"))
    let none = try BuiltTool.run(["conform", Self.kit.appendingPathComponent("other-names").path])
    #expect(none.status == 2 && none.error.contains("no animated covers"))
    #expect(try BuiltTool.run(["conform", "/nowhere"]).status == 2)
  }
}
