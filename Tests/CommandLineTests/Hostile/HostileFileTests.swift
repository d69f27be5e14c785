import HostileMedia
import TestSupport

/// Every hostile file gets the verdict on its label, and affects nothing else.
@Suite struct HostileFileTests {
  @Test("labels are codes and rules that exist, and every row has files")
  func labels() {
    let codes = Set(InspectionError.Code.allCases.map(\.rawValue))
    let rules = Set(Rules.all.map { $0.id })
    for file in HostileFile.all {
      #expect(file.label.codes.isSubset(of: codes), "\(file)")
      #expect(file.label.findings.isSubset(of: rules), "\(file)")
      #expect(file.label.mayBeInspected || !file.label.codes.isEmpty, "\(file)")
    }
    #expect(Set(HostileFile.all.map(\.name)).count == HostileFile.all.count)
    // A2 is about names and A12 about time: they have separate tests.
    let rows = (1...15).map { "A\($0)" }.filter { $0 != "A2" && $0 != "A12" }
    #expect(Set(HostileFile.all.map(\.row)) == Set(rows))
  }

  @Test("they are small, and the same each time")
  func generation() {
    let folder = URL(fileURLWithPath: "/folder")
    for file in HostileFile.all {
      let data = file.data(in: folder)
      #expect(data.count < 1_200_000, "\(file)")
      #expect(data == file.data(in: folder), "\(file)")
    }
  }

  @Test("each gets its verdict", arguments: HostileFile.all)
  func verdict(file: HostileFile) throws {
    let outcome = try #require(try HostileFolder.first.get().results[file.name], "no result")
    if let code = outcome.code {
      #expect(file.label.codes.contains(code), "\(outcome), but \(file.reason)")
    } else {
      #expect(file.label.mayBeInspected, "\(outcome), but \(file.reason)")
      #expect(file.label.findings.isSubset(of: outcome.findings), "\(outcome)")
      for (name, value) in file.label.facts {
        #expect(outcome.facts[name] == value, "\(name) of \(outcome)")
      }
    }
  }

  @Test("a good file among them gets the verdict that it gets alone", arguments: HostileFolder.good)
  func good(name: String, fixture: String) throws {
    let alone = try BuiltTool.run("check --format ndjson \(Fixture.named(fixture).url.path)")
    let expected = HostileFolder.Outcome(try #require(try alone.rows.first))
    #expect(expected.code == nil)
    #expect(try HostileFolder.first.get().results[name] == expected)
  }

  @Test("the run ends with a verdict on everything, and prints it")
  func run() throws {
    let runs = [HostileFolder.first] + (Nightly.isOn ? [HostileFolder.second] : [])
    for run in try runs.map({ try $0.get() }) {
      #expect(!run.process.timedOut && run.process.status == 2)
      #expect(run.results.count == HostileFile.all.count + HostileFolder.good.count + 1)
      // One line for people, and no word of a trap.
      #expect(run.process.error.count { $0 == "\n" } == 1, "\(run.process.error)")
    }
  }

  @Test("a second run with other jobs reports the same", .nightly)
  func repetition() throws {
    let (first, second) = (try HostileFolder.first.get(), try HostileFolder.second.get())
    for (name, outcome) in first.results {
      #expect(second.results[name]?.verdict == outcome.verdict, "\(name)")
      #expect(second.results[name]?.code == outcome.code, "\(name)")
      #expect(second.results[name]?.findings == outcome.findings, "\(name)")
    }
  }

  /// The good files alone take 50 to 100 MB.
  @Test("neither the tool nor a worker takes 300 MB, and all of them together not a minute")
  func cost() throws {
    let process = try HostileFolder.first.get().process
    #expect(process.peakBytes < 300 << 20)
    #expect(process.processorSeconds < 60)
  }

  @Test("the canary's colour is in its own preview and in no other")
  func previews() throws {
    let run = try HostileFolder.first.get()
    let paths = try FileManager.default.subpathsOfDirectory(atPath: run.previews.root.path)
      .filter { $0 != "canary" }
    let inspected = run.results.values.count { $0.code == nil }
    #expect(paths.count == inspected, "temporary files are left, or previews are missing")
    let canary = "canary/canary.1x1.png"
    #expect(paths.contains(canary))
    for path in Nightly.some(16, of: paths.sorted().filter { $0 != canary }) + [canary] {
      #expect(try hasCanaryColor(run.previews.url(path)) == (path == canary), "\(path)")
    }
  }

  @Test("A15: a report holds no control character but line breaks, and no line of a file's")
  func escapes() throws {
    let folder = try HostileFolder.folder.get()
    let names = HostileFile.all.filter { $0.row == "A15" }.map(\.name)
    let formats = ["github", "text", "json", "ndjson", "junit", "sarif", "markdown"]
    for format in Nightly.some(3, of: formats) {
      let result = try folder.artworkd("check --format \(format)", names)
      for text in [result.output, result.error] {
        let controls = text.unicodeScalars.filter {
          $0.properties.generalCategory == .control && $0 != "\n"
        }
        #expect(controls.isEmpty, "\(format)")
        #expect(!text.split(separator: "\n").contains { $0.hasPrefix("::error::") }, "\(format)")
        #expect(text.utf8.count < 200_000, "\(format)")
      }
    }
  }

  @Test("A12: minutes of decoding end at the budget, with a code")
  func decodeTime() throws {
    let folder = try TemporaryFolder()
    let file = SlowFile.file
    try file.data(in: folder.root).write(to: folder.url(file.name))
    let process = try MeasuredProcess.run(
      BuiltTool.find().path, ["check", "--format", "ndjson", "--limit", "cpu=2s", file.name],
      in: folder.root, limit: 120)
    #expect(process.status == 2 && !process.timedOut)
    #expect(process.processorSeconds < 10)
    #expect(try HostileFolder.outcomes(process.output)[file.name]?.code == "timed-out")
  }
}

/// Whether any pixel of a picture is the canary's; ffmpeg decodes it.
func hasCanaryColor(_ image: URL) throws -> Bool {
  let folder = try TemporaryFolder()
  // Its name holds spaces and line breaks.
  try FileManager.default.copyItem(at: image, to: folder.url("image"))
  let pixels = try folder.ffmpeg(
    "-i image -vf scale=64:64:flags=neighbor -frames:v 1 -f rawvideo -pix_fmt rgb24 -")
  try #require(!pixels.isEmpty, "\(image.path) is no picture")
  let bytes = [UInt8](pixels)
  return stride(from: 0, to: bytes.count - 2, by: 3).contains {
    bytes[$0..<$0 + 3].elementsEqual(Canary.color)
  }
}
