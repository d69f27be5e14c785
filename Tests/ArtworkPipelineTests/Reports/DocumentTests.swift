@Suite struct DocumentTests {
  static func document(_ name: String) throws -> String {
    try String(contentsOf: Checkout.root.appendingPathComponent("docs/\(name)"), encoding: .utf8)
  }

  @Test func `docs/profiles.md is what Scripts/docs/make-docs makes`() throws {
    #expect(try Self.document("profiles.md").contains(ProfileText.document))
  }

  @Test("the page of every rule states what it means, why, how it is measured, how to satisfy it, and its source")
  func pages() throws {
    #expect(ReferencePage.rules.keys.sorted() == Rules.catalogue.map { $0.id }.sorted())
    for rule in Rules.catalogue {
      let page = rule.page
      let names = ["Why", "Measured", "Fix", "Source"]
      #expect(page.parts.map(\.name) == names + (rule.settings.isEmpty ? [] : ["Settings"]))
      for text in [page.meaning] + names.map({ page[$0] }) {
        #expect(text.count > 3 && text.last(where: { $0 != "*" }) == "." || text.contains("|\n"), "\(rule.id): \(text)")
        // Lines are joined, and items of lists are distinguished.
        #expect(!text.contains("  ") && !text.contains("- **"), "\(rule.id): \(text)")
      }
      #expect(
        ["Error", "Warning", "Info", "error", "warning", "info"].contains { page.meaning.contains("**\($0)") },
        "\(rule.id) names no severity")
      #expect(page.settings.keys.sorted() == rule.settings.map(\.name).sorted(), "\(rule.id)")
      #expect(page.settings.values.allSatisfy { !$0.isEmpty && !$0.contains("\n") })
      // The program has what the checkout has.
      #expect(try ReferencePage.rulesDocument.contains(Self.document("rules/\(rule.id).md")), "\(rule.id)")
    }
  }

  @Test func `every seam verdict and error code is explained`() {
    let verdicts = SeamJudgement.Verdict.allCases.map(\.rawValue)
    #expect(ReferencePage.verdicts.keys.sorted() == verdicts.sorted())
    for page in ReferencePage.verdicts.values {
      #expect(!page.title.isEmpty && !page.meaning.isEmpty, "\(page.word)")
      #expect(page.parts.map(\.name) == ["Severity", "Fix"], "\(page.word)")
    }
    for code in InspectionError.Code.allCases {
      let meaning = ReferencePage.meaning(of: code)
      #expect(!meaning.isEmpty && !meaning.contains("|"), "\(code): \(meaning)")
    }
  }

  @Test func `in a terminal nothing is wider than it, except commands and addresses`() {
    for rule in Rules.catalogue {
      for line in Glossary.text(of: rule.id, style: .plain, width: 80)?.split(separator: "\n") ?? [] where line.count > 80 {
        #expect(line.contains("`") || line.contains("https://"), "\(line)")
      }
    }
  }
}
