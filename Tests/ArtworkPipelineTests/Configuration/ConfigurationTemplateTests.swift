@testable import ArtworkJudging

@Suite struct ConfigurationTemplateTests {
  @Test func `the file holds with the comments removed from its examples, with all and with each section`() throws {
    let folder = try TemporaryFolder()
    try Data("artworkID,1x1\nid-1,a.mp4\n".utf8).write(to: folder.url("releases.csv"))
    let file = folder.path("artwork.yml")
    try Data(TemplateLines.uncommented.utf8).write(to: folder.url("artwork.yml"))
    let configuration = try Configuration.load(file)
    // Every key is present, and some value of each is applied.
    for key in ConfigurationKeys.all { #expect(TemplateLines.all.contains { $0.hasPrefix("#\(key.name):") }, "\(key.name)") }
    #expect(configuration.manifest.entries.map(\.artworkID) == ["id-1", "night-drive"])
    #expect(configuration.profile(named: "our-store")?.durationAtMost == 15)
    #expect(configuration.profiles == ["now-playing", "web"])
    // The rules are those that are built in, for every profile.
    for profile in Profile.all { #expect(configuration.profiles(for: file, named: [profile.name]) == [profile]) }
    let sections = ConfigurationTemplate.document.components(separatedBy: "\n\n")
    for section in sections {
      let text = section.split(separator: "\n").map { String(TemplateLines.isExample($0) ? $0.dropFirst() : $0) }.joined(
        separator: "\n")
      try Data(text.utf8).write(to: folder.url("artwork.yml"))
      _ = try Configuration.load(file)
    }
    #expect(sections.count == ConfigurationKeys.all.count + 1)
  }

  @Test func `every rule is there with its limits`() {
    for rule in Rules.catalogue {
      let line = TemplateLines.all.first { $0.hasPrefix("#  \(rule.id): ") }
      #expect(line?.contains(rule.page.title) == true, "\(rule.id)")
      for setting in rule.settings { #expect(line?.contains("\(setting.name): ") == true) }
    }
  }
}
