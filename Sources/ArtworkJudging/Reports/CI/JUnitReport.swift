/// The XML for CI dashboards: the dialect of JUnit's Ant task that Jenkins, GitLab and others accept.
///
/// A suite for each folder, a test for each candidate and profile. Classes are folders with dots in place of slashes,
/// because dashboards build a tree from them. Omits `time`: durations are not measured.
enum JUnitReport {
  static func render(_ report: CheckReport, _ setting: ReportSetting) -> String {
    var suites: [(folder: String, tests: [Test])] = []
    var places: [String: Int] = [:]
    for result in report.results {
      let folder = result.folderName
      let place = places[folder] ?? suites.count
      if place == suites.count {
        places[folder] = place
        suites.append((folder, []))
      }
      suites[place].tests += tests(of: result, profiles: report.profiles, failOn: setting.failOn)
    }
    let all = suites.flatMap(\.tests)
    var lines = [
      #"<?xml version="1.0" encoding="UTF-8"?>"#,
      element("testsuites", [("name", "artworkd")] + counts(all).dropLast()) + ">",
    ]
    for (folder, tests) in suites {
      lines.append("  " + element("testsuite", [("name", folder)] + counts(tests)) + ">")
      for test in tests { lines += test.lines(className: className(folder)) }
      lines.append("  </testsuite>")
    }
    return (lines + ["</testsuites>"]).joined(separator: "\n") + "\n"
  }

  private static func tests(
    of result: CandidateReport, profiles: [Profile], failOn: Finding.Severity?
  ) -> [Test] {
    // One, if there is nothing to distinguish.
    guard profiles.count > 1, result.error == nil else {
      return [
        Test(
          name: result.fileName, result: result, findings: result.findings, known: result.known,
          failOn: failOn)
      ]
    }
    return profiles.filter { result.profiles.contains($0.name) }.map { profile in
      Test(
        name: "\(result.fileName) [\(profile.name)]", result: result,
        findings: result.findings.filter { $0.profile == profile.name },
        known: result.known.filter { $0.profile == profile.name }, failOn: failOn)
    }
  }

  private static func counts(_ tests: [Test]) -> [(String, String)] {
    [
      ("tests", "\(tests.count)"), ("failures", "\(tests.count { $0.outcome == .failure })"),
      ("errors", "\(tests.count { $0.outcome == .error })"),
      ("skipped", "\(tests.count { $0.outcome == .skipped })"),
    ]
  }

  private static func className(_ folder: String) -> String {
    let parts = folder.split(separator: "/").filter { $0 != "." && $0 != ".." }
    return parts.isEmpty ? "artwork" : parts.joined(separator: ".")
  }

  private static func element(_ name: String, _ attributes: [(String, String)]) -> String {
    "<\(name)" + attributes.map { " \($0)=\"\(XMLText.escaped($1))\"" }.joined()
  }

  private struct Test {
    enum Outcome { case pass, failure, error, skipped }

    var name: String
    var result: CandidateReport
    var findings: [Finding]
    var known: [Finding]

    let failOn: Finding.Severity?

    private var failures: [Finding] { findings.filter(isFailure) }

    private func isFailure(_ finding: Finding) -> Bool {
      failOn.map { finding.severity >= $0 } ?? false
    }

    var outcome: Outcome {
      if result.error != nil { return result.errorIsKnown ? .skipped : .error }
      return failures.isEmpty ? .pass : .failure
    }

    func lines(className: String) -> [String] {
      let start = "    " + element("testcase", [("classname", className), ("name", name)])
      let said = output
      if outcome == .pass, said.isEmpty { return [start + "/>"] }
      var lines = [start + ">"]
      if let error = result.error {
        let help = "\(error.description)\n-> \(error.help)"
        lines.append(
          outcome == .skipped
            ? element("skipped", [("message", "known: \(error.description)")]) + "/>"
            : body(
              "error", type: error.code.rawValue, message: error.description,
              [help] + failures.map(JUnitReport.words)))
      } else if let worst = failures.first {
        // One element: most readers use only the first.
        let more = failures.count == 1 ? "" : " (and \(failures.count - 1) more)"
        lines.append(
          body(
            "failure", type: worst.rule, message: worst.message + more,
            failures.map(JUnitReport.words)))
      }
      if !said.isEmpty {
        lines.append("      <system-out>\(JUnitReport.escapedLines(said))</system-out>")
      }
      return lines + ["    </testcase>"]
    }

    /// The findings that do not fail a test.
    private var output: [String] {
      let failures = outcome == .skipped ? failures : []
      return (failures + findings.filter { !isFailure($0) }).map(JUnitReport.words)
        + known.map { "known (baseline): " + JUnitReport.words($0) } + repair
    }

    /// The command that repairs the file, if it fixes a finding of this test.
    private var repair: [String] {
      guard let repair = result.repair, findings.contains(where: { $0.command == repair.command })
      else { return [] }
      return ["\(repair.command)\n\(repair.effect)"]
    }

    private func body(
      _ name: String, type: String, message: String, _ paragraphs: [String]
    ) -> String {
      let start = element(name, [("type", type), ("message", message)])
      let text = JUnitReport.escapedLines([result.path.string.printable] + paragraphs)
      return "      \(start)>\(text)</\(name)>"
    }
  }

  private static func words(_ finding: Finding) -> String {
    let lines = [
      "\(finding.severity.rawValue) \(finding.rule) (\(finding.profile)): \(finding.message)",
      finding.facts, finding.fix == .repair ? "" : "-> \(finding.help)",
      finding.fix == .repair ? "" : finding.command ?? "",
    ]
    return lines.filter { !$0.isEmpty }.map(\.printable).joined(separator: "\n")
  }

  /// Escapes lines, and keeps the line breaks.
  private static func escapedLines(_ paragraphs: [String]) -> String {
    paragraphs.joined(separator: "\n").split(separator: "\n", omittingEmptySubsequences: false)
      .map { XMLText.escaped(String($0)) }.joined(separator: "\n")
  }
}

/// Text inside an XML 1.0 document.
package enum XMLText {
  /// Escapes text for attributes in double quotes and for elements. Characters that XML 1.0 forbids (2.2, `Char`),
  /// and all other control characters, appear as `\u{1b}`, because neither readers nor terminals may receive them.
  package static func escaped(_ text: String) -> String {
    text.printable.escaping { scalar in
      switch scalar {
      case "&": "&amp;"
      case "<": "&lt;"
      // For `]]>`, too, which must not appear in text (2.4).
      case ">": "&gt;"
      case "\"": "&quot;"
      case "'": "&apos;"
      // Not characters of XML.
      case "\u{fffe}", "\u{ffff}": scalar.shown
      default: nil
      }
    }
  }
}
