import HostileMedia
import TestSupport

/// Damaged and hostile files, and all sound ones, in the commands that make new files of them.
@Suite struct MutatedRepairTests {
  /// Repairs a folder; the names of the new files in `fixed`.
  private static func repair(_ folder: TemporaryFolder, _ source: String) throws -> [String] {
    let run = try folder.artworkd("repair \(source) --unsafe --output-dir fixed --format json")
    #expect([0, 1, 2].contains(run.status), "\(run.error)")
    let json = try run.json
    for code in json.texts("results.*.error.code") {
      #expect(!MutationRun.forbidden.contains(code), "\(run.output)")
    }
    return json.texts("results.*.output")
  }

  @Test("mutants are repaired, or refused with a reason; what is written can be read")
  func mutants() throws {
    let folder = try TemporaryFolder()
    try folder.make("mutants")
    let count = Nightly.isOn ? 300 : 8
    try MutationRun(count: count, seed: 18, tool: BuiltTool.find())
      .write(to: folder.url("mutants"))
    let made = try Self.repair(folder, "mutants")
    for file in made { #expect(try folder.artworkd("check \(file)").status != 2, "\(file)") }
    for number in 0..<(Nightly.isOn ? count : 4) {
      let name = try #require(folder.names("mutants").first { $0.hasPrefix("\(number).") })
      let run = try folder.artworkd("derive mutants/\(name) --key 3x4 -o \(number).mp4")
      #expect([0, 1, 2].contains(run.status), "\(name): \(run.error)")
    }
  }

  @Test("every sample clip and every public file, in every repair", .nightly)
  func everything() throws {
    let folder = try TemporaryFolder()
    var sources = [Fixture.folder.path]
    if RealMedia.isPresent { sources.append(RealMedia.folder.path) }
    for source in sources {
      let made = try Self.repair(folder, source)
      #expect(made.count > 10)
      // Beside them are the files that nothing was made of.
      let run = try folder.artworkd("check --thorough --format json --quiet", made)
      #expect(run.status != 2, "a new file cannot be read")
    }
  }

  @Test("hostile files in every repair", .nightly)
  func hostile() throws {
    let folder = try TemporaryFolder()
    try folder.make("hostile")
    for file in HostileFile.all {
      try file.data(in: folder.url("hostile")).write(to: folder.url("hostile/\(file.name)"))
    }
    _ = try Self.repair(folder, "hostile")
    for file in HostileFile.all {
      for command in [
        ["derive", "hostile/\(file.name)", "--key", "3x4", "-o", "\(file.name).mp4"],
        ["seam", "hostile/\(file.name)", "-o", "\(file.name).png"],
        ["loop", "hostile/\(file.name)"],
      ] {
        let run = try folder.artworkd(command)
        #expect([0, 1, 2].contains(run.status), "\(command): \(run.error)")
        #expect(
          !MutationRun.forbidden.contains { run.error.contains($0) }, "\(command): \(run.error)")
      }
    }
  }

  @Test("nothing of the memory behind a picture is shown where pictures change their size")
  func changingPictures() throws {
    let folder = try TemporaryFolder()
    let names = Nightly.some(
      2,
      of: ["a5-shrinking.mov", "a5-growing.mov", "a5-one-bit-clap.mov", "a5-shrinking-clap.mov"])
    for name in names {
      try HostileFile.named(name).data(in: folder.root).write(to: folder.url(name))
      // The C library fills freed memory with this, so that reads beyond a picture are detected.
      let shown = try ["85", "170"].map { filling in
        let memory = BuiltTool.withoutIsolation.merging(["MALLOC_PERTURB_": filling]) { $1 }
        for command in [
          ["preview", name, "-o", "\(name).\(filling).png"],
          ["seam", name, "-o", "\(name).\(filling).seam.png"],
        ] {
          let run = try folder.artworkd(command, environment: memory)
          #expect([0, 1].contains(run.status), "\(name): \(run.error)")
        }
        return try ["png", "seam.png"].map { try folder.data("\(name).\(filling).\($0)") }
      }
      #expect(shown[0] == shown[1], "\(name)")
      let derived = try folder.artworkd("derive \(name) --key 1x1")
      #expect(derived.status == 2)
      #expect(
        derived.error.contains(name.contains("clap") ? "crops the picture" : "change their size"),
        "\(derived.error)")
      let repaired = try folder.artworkd("repair \(name) --unsafe --output-dir fixed")
      #expect([0, 1, 2].contains(repaired.status), "\(repaired.error)")
    }
  }
}
