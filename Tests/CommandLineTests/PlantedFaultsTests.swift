import TestSupport

/// A catalogue of 60 releases with planted faults, through the command line.
@Suite struct PlantedFaultsTests {
  @Test("every planted fault is found under its rule, and nothing else is", .nightly)
  func everything() throws {
    let folder = try TemporaryFolder()
    let made = try execute("/usr/bin/python3 \(PlantedFaults.script.path) \(folder.root.path)")
    try #require(made.status == 0, "\(made.error)")
    let labels = try JSONDecoder().decode(
      [String: Set<String>].self, from: folder.data("labels.json"))
    #expect(labels.count == 60)

    // The catalogue brings a configuration, which makes its profile of the one for Now Playing.
    let result = try folder.artworkd("check --format ndjson")
    #expect(result.status == 1)
    var found: [String: Set<String>] = [:]
    let rows = try result.rows.dropLast()
    for row in rows {
      let path = try #require(row["path"]?.text)
      let release = path.split(separator: "/").dropFirst(path.hasPrefix("./") ? 1 : 0).dropLast()
      #expect(row["error"] == nil, "\(path)")
      found[release.joined(separator: "/"), default: []].formUnion(row.texts("findings.*.rule"))
    }
    #expect(rows.count == 113)
    for (release, rules) in labels.sorted(by: { $0.key < $1.key }) {
      #expect(found[release] == rules, "\(release)")
    }
    #expect(Set(found.keys) == Set(labels.keys))
  }
}
