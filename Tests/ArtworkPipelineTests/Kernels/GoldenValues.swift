/// A line of Tests/Fixtures/kernels.csv, which was computed in the plainest form.
struct GoldenValue {
  var scene: String
  /// The number of a block, or another word.
  var place: String
  var x: Double
  var y: Double

  var block: Int { Int(place) ?? 0 }

  /// The lines of one kind.
  static func all(_ kind: String) throws -> [GoldenValue] {
    let file = Checkout.root.appendingPathComponent("Tests/Fixtures/kernels.csv")
    let found = try String(contentsOf: file, encoding: .utf8).split(separator: "\n").compactMap { line -> GoldenValue? in
      let fields = line.split(separator: ",").map(String.init)
      guard fields[0] == kind, let x = Double(fields[3]), let y = Double(fields[4]) else { return nil }
      return GoldenValue(scene: fields[1], place: fields[2], x: x, y: y)
    }
    try #require(!found.isEmpty)
    return found
  }
}
