import Foundation
import TestSupport
import Testing

@testable import ArtworkCore
@testable import ArtworkPipeline

/// The documents in docs/ compared with the sources.
@Suite struct DocumentTests {
  static func document(_ name: String) throws -> String {
    try String(contentsOf: Checkout.root.appendingPathComponent("docs/\(name)"), encoding: .utf8)
  }

  @Test("docs/rules.md and docs/profiles.md are what Scripts/docs/make-docs makes")
  func generated() throws {
    #expect(try Self.document("rules.md").contains(RuleText.document))
    #expect(try Self.document("profiles.md").contains(ProfileText.document))
  }

  @Test(
    "every rule says what it means, why, how it is measured, how to satisfy it, and who says so")
  func explanations() {
    for rule in Rules.catalogue {
      let explanation = rule.explanation
      for text in [
        explanation.meaning, explanation.why, explanation.measured, explanation.fix,
        explanation.source,
      ] {
        #expect(
          text.count > 3 && text.last(where: { $0 != "*" }) == "." || text.contains("|\n"),
          "\(rule.id): \(text)")
      }
      // Continued lines of the source must not have lost their spaces.
      #expect(!RuleText(rule).markdown.contains("  "), "\(rule.id)")
      #expect(
        ["Error", "Warning", "Info", "error", "warning", "info"].contains {
          explanation.meaning.contains("**\($0)")
        }, "\(rule.id) names no severity")
    }
  }

  @Test("documents that explanations link to exist")
  func links() throws {
    for rule in Rules.catalogue {
      let text = RuleText(rule).markdown
      for match in text.matches(of: /\]\(([a-z-]+\.md)/) {
        #expect(throws: Never.self, "\(rule.id): \(match.1)") {
          try Self.document(String(match.1))
        }
      }
    }
  }

  @Test("in a terminal nothing is wider than it, except commands and addresses")
  func widths() {
    for rule in Rules.catalogue {
      for line in RuleText(rule).text(style: .plain, width: 80).split(separator: "\n")
      where line.count > 80 {
        #expect(
          line.contains("`") || line.contains("https://"), "\(line)")
      }
    }
  }
}
