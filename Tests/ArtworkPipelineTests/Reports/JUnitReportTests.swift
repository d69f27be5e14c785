import FoundationXML
import TestSupport

@testable import ArtworkCore
@testable import ArtworkModel
@testable import ArtworkPipeline

@Suite struct JUnitReportTests {
  static func document(_ report: CheckReport) throws -> XMLDocument {
    try XMLDocument(xmlString: JUnitReport.render(report, SampleReport.setting))
  }

  static func elements(_ document: XMLDocument, _ path: String) throws -> [XMLElement] {
    try document.nodes(forXPath: path).compactMap { $0 as? XMLElement }
  }

  @Test(
    "names of any kind make XML that the schema takes",
    .enabled(if: Validator.hasXML, Validator.noXML))
  func hostile() throws {
    let text = JUnitReport.render(SampleReport.hostile, SampleReport.setting)
    #expect(try Validator.violations(ofJUnit: text) == "")
    #expect(!text.contains("]]>"))
    #expect(
      !text.unicodeScalars.contains {
        $0.value < 0x20 && $0 != "\n" || (0xfffe...0xffff).contains($0.value)
      })
    let document = try Self.document(SampleReport.hostile)
    // A parser returns the text that a person would read.
    let names = try Self.elements(document, "//testcase").compactMap {
      $0.attribute(forName: "name")?.stringValue
    }
    #expect(names.count == SampleReport.hostile.results.count)
    #expect(names.contains("]]>.mp4") && names.contains("esc\\u{1b}[2J\\u{7}.mp4"))
    #expect(names.contains("line\\u{a}break\\u{d}\\u{a}::error::forged.mp4"))
    #expect(names.contains("\\u{fffe}\\u{ffff}.mp4"))
  }

  @Test(
    "the schema refuses what dashboards would", .enabled(if: Validator.hasXML, Validator.noXML),
    arguments: [
      (" name=\"1x1.mp4\"", ""), ("tests=\"1\"", "tests=\"one\""), ("<failure", "<fail"),
      (" type=", " kind="), ("</testsuites>", ""), ("&lt;", "<"), (" failures=\"1\"", ""),
      (" classname=", " time=\"0\" classname="), ("too fast", "too \u{1b}fast"),
    ])
  func negativeControl(wanted: String, edit: String) throws {
    let good = JUnitReport.render(
      SampleReport.report([
        SampleReport.result("a/1x1.mp4", [SampleReport.finding(help: "below <61>")])
      ]), SampleReport.setting)
    #expect(try Validator.violations(ofJUnit: good) == "")
    let broken = good.replacing(wanted, with: edit)
    #expect(broken != good)
    #expect(try Validator.violations(ofJUnit: broken) != "")
  }

  @Test("counts are those of the elements, and each profile is a test of its own")
  func counts() throws {
    let profiles = [Profile.nowPlaying, .web]
    let results = [
      SampleReport.result(
        "a/1.mp4", [SampleReport.finding(profile: "web")], profiles: profiles),
      SampleReport.result("a/2.mp4", profiles: profiles),
      SampleReport.result("b/3.mp4", profiles: profiles),
      SampleReport.error("b/4.mp4", profiles: profiles),
    ]
    let document = try Self.document(SampleReport.report(results, profiles: profiles))
    let suites = try Self.elements(document, "//testsuite")
    for suite in suites {
      for (attribute, child) in [
        ("tests", "testcase"), ("failures", "testcase/failure"), ("errors", "testcase/error"),
        ("skipped", "testcase/skipped"),
      ] {
        let count = try suite.nodes(forXPath: child).count
        #expect(suite.attribute(forName: attribute)?.stringValue == "\(count)")
      }
    }
    let failed = try Self.elements(document, "//testcase[failure]")
    #expect(failed.map { $0.attribute(forName: "name")?.stringValue } == ["1.mp4 [web]"])
    // An error is the same for all.
    #expect(try Self.elements(document, "//testcase").count == 7)
    let total = try #require(document.rootElement())
    #expect(total.attribute(forName: "tests")?.stringValue == "7")
    #expect(total.attribute(forName: "failures")?.stringValue == "1")
    #expect(total.attribute(forName: "errors")?.stringValue == "1")
  }

  @Test("what a baseline knows fails nothing, and is reported")
  func known() throws {
    var quiet = SampleReport.result("a/1.mp4")
    quiet.known = [SampleReport.finding()]
    var broken = SampleReport.error("a/2.mp4")
    broken.errorIsKnown = true
    let document = try Self.document(SampleReport.report([quiet, broken]))
    #expect(try Self.elements(document, "//failure | //error").isEmpty)
    #expect(try Self.elements(document, "//skipped").count == 1)
    let said = try Self.elements(document, "//system-out").first?.stringValue
    #expect(said?.hasPrefix("known (baseline): error frame-rate") == true)
  }

  @Test("a preview that was not written hides no finding")
  func previewError() throws {
    var result = SampleReport.result("a/1.mp4", [SampleReport.finding()])
    result.error = InspectionError(.previewNotWritten, "no space")
    let document = try Self.document(SampleReport.report([result]))
    let error = try #require(try Self.elements(document, "//error").first?.stringValue)
    #expect(error.contains("no space") && error.contains("frame-rate"))
  }
}
