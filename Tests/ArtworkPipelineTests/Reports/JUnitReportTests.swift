import FoundationXML

@testable import ArtworkJudging
@testable import ArtworkPipeline

@Suite struct JUnitReportTests {
  static func document(_ report: CheckReport) throws -> XMLDocument {
    try XMLDocument(xmlString: JUnitReport.render(report, SampleReport.setting))
  }

  static func elements(_ document: XMLDocument, _ path: String) throws -> [XMLElement] {
    try document.nodes(forXPath: path).compactMap { $0 as? XMLElement }
  }

  @Test(.enabled(if: Validator.hasXML, Validator.noXML))
  func `names of any kind make XML that the schema takes`() throws {
    let text = JUnitReport.render(SampleReport.hostile, SampleReport.setting)
    #expect(try Validator.violations(ofJUnit: text) == "")
    #expect(!text.contains("]]>"))
    #expect(!text.unicodeScalars.contains { $0.value < 0x20 && $0 != "\n" || (0xfffe...0xffff).contains($0.value) })
    let document = try Self.document(SampleReport.hostile)
    // A parser returns the text that a person would read.
    let names = try Self.elements(document, "//testcase").compactMap { $0.attribute(forName: "name")?.stringValue }
    #expect(names.count == SampleReport.hostile.results.count)
    #expect(names.contains("]]>.mp4") && names.contains("esc\\u{1b}[2J\\u{7}.mp4"))
    #expect(names.contains("line\\u{a}break\\u{d}\\u{a}::error::forged.mp4"))
    #expect(names.contains("\\u{fffe}\\u{ffff}.mp4"))
  }

  @Test(
    .enabled(if: Validator.hasXML, Validator.noXML),
    arguments: [
      (" name=\"1x1.mp4\"", ""), ("tests=\"1\"", "tests=\"one\""), ("<failure", "<fail"), (" type=", " kind="),
      ("</testsuites>", ""), ("&lt;", "<"), (" failures=\"1\"", ""), (" classname=", " time=\"0\" classname="),
      ("too fast", "too \u{1b}fast"),
    ])
  func `the schema refuses what dashboards would`(wanted: String, edit: String) throws {
    let good = JUnitReport.render(
      SampleReport.report([SampleReport.result("a/1x1.mp4", [SampleReport.finding(help: "below <61>")])]), SampleReport.setting)
    #expect(try Validator.violations(ofJUnit: good) == "")
    let broken = good.replacing(wanted, with: edit)
    #expect(broken != good)
    #expect(try Validator.violations(ofJUnit: broken) != "")
  }
}
