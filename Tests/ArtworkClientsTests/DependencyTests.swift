import TestSupport

/// A player that links the client must not link FFmpeg or SQLite with it.
@Suite struct DependencyTests {
  private struct Manifest: Decodable {
    struct Target: Decodable {
      var name: String
      /// One kind of dependency each, such as `byName`, with an array that begins with the name.
      var dependencies: [[String: [Name?]]]
    }

    /// The first of these values is a name; the others are conditions and aliases of any type.
    enum Name: Decodable {
      case text(String)
      case other

      init(from decoder: any Decoder) throws {
        self = (try? String(from: decoder)).map { .text($0) } ?? .other
      }
    }

    var targets: [Target]

    /// A target, and everything that it depends on, products of other packages included.
    func closure(of name: String) -> Set<String> {
      let direct = targets.first { $0.name == name }?.dependencies ?? []
      let names = direct.flatMap(\.values).compactMap { values -> String? in
        if case .text(let name)?? = values.first { name } else { nil }
      }
      return names.reduce([name]) { $0.union(closure(of: $1)) }
    }
  }

  @Test("The client depends on libcurl and on no other library")
  func clients() throws {
    let scratch = try TemporaryFolder()
    let dump = try execute(
      "swift package --package-path \(Checkout.root.path) --scratch-path \(scratch.root.path)",
      ["dump-package"])
    try #require(dump.status == 0, "\(dump.error)")
    let manifest = try JSONDecoder().decode(Manifest.self, from: dump.data)
    #expect(manifest.closure(of: "ArtworkModel") == ["ArtworkModel"])
    #expect(
      manifest.closure(of: "ArtworkClients")
        == ["ArtworkClients", "ArtworkModel", "CCurl", "CSystemCalls"])
    // The closure of a target that does link them.
    #expect(
      manifest.closure(of: "ArtworkService").isSuperset(of: ["CFFmpeg", "CSQLite", "Logging"]))
  }
}
