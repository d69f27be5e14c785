import Foundation
import SystemPackage
import TestSupport
import Testing

@testable import ArtworkClients
@testable import ArtworkCore
@testable import ArtworkModel
@testable import ArtworkPipeline
@testable import ArtworkService

@Suite struct InitCommandTests {
  @Test("it writes a file that loads and changes nothing, and never another")
  func written() throws {
    let folder = try TemporaryFolder()
    let first = try BuiltTool.run(["init", folder.root.path])
    #expect(first.status == 0 && first.output.isEmpty)
    let file = folder.path("artwork.yml")
    #expect(first.error == "artworkd: wrote \(file)\n")
    let configuration = try Configuration.load(file)
    #expect(configuration.profiles(for: file) == [.nowPlaying])
    let text = Data("profiles: [web]\n".utf8)
    try text.write(to: folder.url("artwork.yml"))
    let second = try BuiltTool.run(["init"], in: folder.root)
    #expect(second.status == 64)
    #expect(second.error.contains("already has a configuration: edit it, or remove it first."))
    #expect(try Data(contentsOf: folder.url("artwork.yml")) == text)
    // Under the other name, and where it is a link that leads nowhere.
    try FileManager.default.moveItem(
      at: folder.url("artwork.yml"), to: folder.url("artwork.yaml"))
    #expect(try BuiltTool.run(["init"], in: folder.root).status == 64)
    try FileManager.default.removeItem(at: folder.url("artwork.yaml"))
    try FileManager.default.createSymbolicLink(
      at: folder.url("artwork.yml"), withDestinationURL: folder.url("nowhere"))
    #expect(try BuiltTool.run(["init"], in: folder.root).status == 64)
    #expect(!FileManager.default.fileExists(atPath: folder.url("nowhere").path))
    #expect(try BuiltTool.run(["init", folder.url("nowhere").path]).status == 70)
    try text.write(to: folder.url("file"))
    let third = try BuiltTool.run(["init", folder.url("file").path])
    #expect(third.status == 64 && third.error.contains("file is not a folder."))
  }

  @Test(
    "the file holds with the comments removed from its examples, with all and with each section")
  func examples() throws {
    let folder = try TemporaryFolder()
    try Data("artworkID,1x1\nid-1,a.mp4\n".utf8).write(to: folder.url("releases.csv"))
    let file = folder.path("artwork.yml")
    try Data(TemplateLines.uncommented.utf8).write(to: folder.url("artwork.yml"))
    let configuration = try Configuration.load(file)
    // Every key is present, and some value of each is applied.
    for key in ConfigurationKeys.all {
      #expect(TemplateLines.all.contains { $0.hasPrefix("#\(key.name):") }, "\(key.name)")
    }
    #expect(configuration.manifest.entries.map(\.artworkID) == ["id-1", "night-drive"])
    #expect(configuration.profile(named: "our-store")?.durationAtMost == 15)
    #expect(configuration.profiles == ["now-playing", "web"])
    // The rules are those that are built in, for every profile.
    for profile in Profile.all {
      #expect(configuration.profiles(for: file, named: [profile.name]) == [profile])
    }
    let sections = ConfigurationTemplate.document.components(separatedBy: "\n\n")
    for section in sections {
      let text = section.split(separator: "\n")
        .map { String(TemplateLines.isExample($0) ? $0.dropFirst() : $0) }.joined(separator: "\n")
      try Data(text.utf8).write(to: folder.url("artwork.yml"))
      _ = try Configuration.load(file)
    }
    #expect(sections.count == ConfigurationKeys.all.count + 1)
  }

  @Test("every rule is there with its limits")
  func rules() {
    for rule in Rules.catalogue {
      let line = TemplateLines.all.first { $0.hasPrefix("#  \(rule.id): ") }
      #expect(line?.contains(rule.page.title) == true, "\(rule.id)")
      for setting in rule.settings { #expect(line?.contains("\(setting.name): ") == true) }
    }
  }
}
