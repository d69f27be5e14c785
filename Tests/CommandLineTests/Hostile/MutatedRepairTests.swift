import HostileMedia
import TestSupport

/// Damaged and hostile files, and all sound ones, in the commands that make new files of them.
@Suite struct MutatedRepairTests {
  /// Repairs a folder; the names of the new files in `fixed`.
  private static func repair(_ folder: TemporaryFolder, _ source: String) throws -> [String] {
    let run = try BuiltTool.run(
      ["repair", source, "--unsafe", "--output-dir", "fixed", "--format", "json"],
      in: folder.root)
    #expect([0, 1, 2].contains(run.status), "\(run.error)")
    let results = try #require(
      try LoopCommandTests.json(run.output)["results"] as? [[String: Any]])
    for result in results {
      let code = (result["error"] as? [String: Any])?["code"] as? String ?? ""
      #expect(!MutationRun.forbidden.contains(code), "\(result)")
    }
    return results.compactMap { $0["output"] as? String }
  }

  @Test("mutants are repaired, or refused with a reason; what is written can be read")
  func mutants() throws {
    let folder = try TemporaryFolder()
    try FileManager.default.createDirectory(
      at: folder.url("mutants"), withIntermediateDirectories: false)
    let count = Nightly.isOn ? 300 : 12
    try MutationRun(count: count, seed: 18, tool: BuiltTool.find())
      .write(to: folder.url("mutants"))
    let made = try Self.repair(folder, "mutants")
    for file in made {
      #expect(try BuiltTool.run(["check", file], in: folder.root).status != 2, "\(file)")
    }
    for number in 0..<(Nightly.isOn ? count : 4) {
      let names = try FileManager.default.contentsOfDirectory(
        atPath: folder.url("mutants").path)
      let name = try #require(names.first { $0.hasPrefix("\(number).") })
      let run = try BuiltTool.run(
        ["derive", "mutants/\(name)", "--key", "3x4", "-o", "\(number).mp4"], in: folder.root)
      #expect([0, 1, 2].contains(run.status), "\(name): \(run.error)")
    }
  }

  @Test(
    "every sample clip and every public file, in every repair",
    .nightly)
  func everything() throws {
    let folder = try TemporaryFolder()
    var sources = [Fixture.folder.path]
    if RealMedia.isPresent { sources.append(RealMedia.folder.path) }
    for source in sources {
      let made = try Self.repair(folder, source)
      #expect(made.count > 10)
      let run = try BuiltTool.run(
        ["check", "fixed", "--thorough", "--format", "json", "--quiet"], in: folder.root)
      #expect(run.status != 2, "a new file cannot be read")
    }
  }

  @Test(
    "hostile files in every repair", .nightly)
  func hostile() throws {
    let folder = try TemporaryFolder()
    try FileManager.default.createDirectory(
      at: folder.url("hostile"), withIntermediateDirectories: false)
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
        let run = try BuiltTool.run(command, in: folder.root)
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
          let run = try BuiltTool.run(
            command, in: folder.root, environment: memory)
          #expect([0, 1].contains(run.status), "\(name): \(run.error)")
        }
        return try ["png", "seam.png"].map {
          try Data(contentsOf: folder.url("\(name).\(filling).\($0)"))
        }
      }
      #expect(shown[0] == shown[1], "\(name)")
      let derived = try BuiltTool.run(["derive", name, "--key", "1x1"], in: folder.root)
      #expect(derived.status == 2)
      #expect(
        derived.error.contains(name.contains("clap") ? "crops the picture" : "change their size"),
        "\(derived.error)")
      let repaired = try BuiltTool.run(
        ["repair", name, "--unsafe", "--output-dir", "fixed"], in: folder.root)
      #expect([0, 1, 2].contains(repaired.status), "\(repaired.error)")
    }
  }
}
