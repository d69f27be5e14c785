import Foundation
import TestSupport
import Testing

@testable import ArtworkPipeline
@testable import ArtworkReports
@testable import ArtworkRules

/// The documents in docs/ compared with the sources.
@Suite struct DocumentTests {
  static func document(_ name: String) throws -> String {
    try String(contentsOf: Checkout.root.appendingPathComponent("docs/\(name)"), encoding: .utf8)
  }

  @Test("docs/profiles.md is what Scripts/docs/make-docs makes")
  func generated() throws {
    #expect(try Self.document("profiles.md").contains(ProfileText.document))
  }

  @Test(
    "the page of every rule says what it means, why, how it is measured, how to satisfy it, and who says so"
  )
  func pages() throws {
    #expect(RulePage.all.keys.sorted() == Rules.catalogue.map { $0.id }.sorted())
    for rule in Rules.catalogue {
      let page = rule.page
      for text in [page.meaning, page.why, page.measured, page.fix, page.source] {
        #expect(
          text.count > 3 && text.last(where: { $0 != "*" }) == "." || text.contains("|\n"),
          "\(rule.id): \(text)")
        // Lines are joined, and items of lists are told apart.
        #expect(!text.contains("  ") && !text.contains("- **"), "\(rule.id): \(text)")
      }
      #expect(
        ["Error", "Warning", "Info", "error", "warning", "info"].contains {
          page.meaning.contains("**\($0)")
        }, "\(rule.id) names no severity")
      #expect(page.settings.keys.sorted() == rule.settings.map(\.name).sorted(), "\(rule.id)")
      #expect(page.settings.values.allSatisfy { !$0.isEmpty && !$0.contains("\n") })
      // The program has what the checkout has.
      #expect(RulePage.document.contains(try Self.document("rules/\(rule.id).md")), "\(rule.id)")
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
