import Foundation
package import Testing

/// Checks of documents by other people's programs.
package enum Validator {
  package static func resource(_ name: String) -> URL {
    URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent(name)
  }

  package static let hasXML = (try? run(ReportSchema.python, ["-c", "import lxml"]).status) == 0
  package static let noXML: Comment = "install python3-lxml: nothing validates the XML"

  /// The errors in an XML document by `junit.xsd`; empty for a valid one.
  package static func violations(ofJUnit document: String) throws -> String {
    let script = """
      import sys
      from lxml import etree
      schema = etree.XMLSchema(etree.parse(sys.argv[1]))
      try:
          schema.assertValid(etree.fromstring(sys.stdin.buffer.read()))
      except (etree.DocumentInvalid, etree.XMLSyntaxError) as error:
          print(error)
      """
    let result = try run(
      ReportSchema.python, ["-c", script, resource("junit.xsd").path], input: document)
    #expect(result.status == 0, "\(result.error)")
    return String(decoding: result.output, as: UTF8.self)
  }

  /// The errors in a SARIF log by `sarif.schema.json`.
  package static func violations(ofSARIF document: String) throws -> String {
    try ReportSchema.violations([document], schema: sarif).words
  }

  package static let sarif = resource("sarif.schema.json")
}
