import Foundation
package import Testing

/// `docs/report.schema.json`, and the reference validator for Python that applies it.
package enum ReportSchema {
  package static let python = "/usr/bin/python3"
  package static let hasValidator =
    (try? run(python, ["-c", "from jsonschema import Draft202012Validator"]).status) == 0
  package static let absence: Comment = "install python3-jsonschema: nothing validates the JSON"

  package static let url = Checkout.root.appendingPathComponent("docs/report.schema.json")

  /// Prints the number of violations of each line of input, and the first of them to standard error.
  private static let script = """
    import json, sys
    from jsonschema import Draft202012Validator
    schema = json.load(open(sys.argv[1]))
    Draft202012Validator.check_schema(schema)
    if len(sys.argv) > 2: schema = {"$ref": "#/$defs/" + sys.argv[2], "$defs": schema["$defs"]}
    validator = Draft202012Validator(schema)
    for line in sys.stdin:
        errors = list(validator.iter_errors(json.loads(line)))
        print(len(errors))
        if errors: print(errors[0].json_path, errors[0].message[:200], file=sys.stderr)
    """

  /// How many violations each document has, of one definition or of the schema as a whole, and the
  /// first violations in words.
  package static func violations(
    _ documents: [String], of definition: String? = nil, schema: URL = url
  ) throws -> (counts: [Int], words: String) {
    let result = try run(
      python, ["-c", script, schema.path] + (definition.map { [$0] } ?? []),
      input: documents.map { $0.replacingOccurrences(of: "\n", with: " ") + "\n" }.joined())
    try #require(result.status == 0, "\(result.error)")
    let counts = String(decoding: result.output, as: UTF8.self).split(separator: "\n")
    return (counts.compactMap { Int($0) }, result.error)
  }

  /// Where there is a validator, for tests that ask for other things besides.
  package static func expectValidIfPossible(
    _ documents: [String], sourceLocation: SourceLocation = #_sourceLocation
  ) throws { if hasValidator { try expectValid(documents, sourceLocation: sourceLocation) } }

  package static func expectValid(
    _ documents: [String], as definition: String? = nil,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let (counts, words) = try violations(documents, of: definition)
    #expect(counts.count == documents.count, sourceLocation: sourceLocation)
    #expect(counts.allSatisfy { $0 == 0 }, "\(words)", sourceLocation: sourceLocation)
  }
}
