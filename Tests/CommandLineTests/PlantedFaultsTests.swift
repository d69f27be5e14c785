import ArtworkService
import TestSupport

/// A catalogue of 60 releases with planted faults, through the command line.
@Suite struct PlantedFaultsTests {
  @Test(
    "every planted fault is found under its rule, and nothing else is",
    .nightly)
  func everything() throws {
    let folder = try TemporaryFolder()
    let made = try run("/usr/bin/python3", [PlantedFaults.script.path, folder.root.path])
    try #require(made.status == 0, "\(made.error)")
    let labels = try #require(
      try JSONSerialization.jsonObject(with: Data(contentsOf: folder.url("labels.json")))
        as? [String: [String]])
    #expect(labels.count == 60)

    // The catalogue brings a configuration, which makes its profile of the one for Now Playing.
    let result = try BuiltTool.run(["check", "--format", "ndjson"], in: folder.root)
    #expect(result.status == 1)
    var found: [String: Set<String>] = [:]
    var files = 0
    for object in try result.objects().dropLast() {
      let path = try #require(object["path"] as? String)
      let release = path.split(separator: "/").dropFirst(path.hasPrefix("./") ? 1 : 0).dropLast()
      let findings = try #require(object["findings"] as? [[String: Any]])
      #expect(object["error"] == nil, "\(path)")
      found[release.joined(separator: "/"), default: []].formUnion(
        findings.compactMap { $0["rule"] as? String })
      files += 1
    }
    #expect(files == 113)
    for (release, rules) in labels.sorted(by: { $0.key < $1.key }) {
      #expect(found[release] == Set(rules), "\(release)")
    }
    #expect(Set(found.keys) == Set(labels.keys))
  }
}
