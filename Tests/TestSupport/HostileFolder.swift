package import ArtworkModel
import ArtworkPipeline
import ArtworkService
import Fixtures
import Foundation
package import HostileMedia
import Synchronization
import Testing

/// All hostile files in one folder with good ones in between, checked twice by the tool as people use
/// it: with workers, a sandbox and the default limits.
package enum HostileFolder {
  /// Good clips and the names that put them between the hostile ones.
  package static let good = [
    ("a1-m-good.mp4", "good-1x1.mp4"), ("a10-m-good.mp4", "good-3x4.mp4"),
    ("a4-i-good.mov", "prores-422.mov"), ("a6-t-good.mp4", "codec-hev1.mp4"),
    ("a9-z-good.mp4", "loop-jump.mp4"),
  ]

  package struct Run {
    package var process: MeasuredProcess
    package var previews: TemporaryFolder
    /// By file name.
    package var results: [String: Outcome]
  }

  /// The contents of a result.
  package struct Outcome: Equatable, CustomStringConvertible {
    package var verdict: String
    package var code: String?
    package var message: String?
    package var findings: [String]
    package var facts: [String: Double]

    package init(_ result: JSONNode) {
      verdict = result["verdict"]?.text ?? "none"
      code = result.at("error.code")?.text
      message = result.at("error.message")?.text
      findings = result.texts("findings.*.rule")
      let names = result["facts"]?.fieldNames ?? []
      facts = Dictionary(uniqueKeysWithValues: names.map { ($0, result.at("facts.\($0)")?.number) })
        .compactMapValues(\.self)
    }

    package var description: String {
      "\(verdict) \(code ?? "") \(message ?? "") \(findings) frames: \(facts["frameCount"] ?? -1)"
    }
  }

  /// The value of a static property is never released.
  private static func removeAtExit(_ folder: TemporaryFolder) {
    let isFirst = roots.withLock { roots in
      roots.append(folder.root)
      return roots.count == 1
    }
    guard isFirst else { return }
    atexit {
      HostileFolder.roots.withLock {
        for root in $0 { try? FileManager.default.removeItem(at: root) }
      }
    }
  }

  private static let roots = Mutex<[URL]>([])

  package static let folder = Result {
    let folder = try TemporaryFolder()
    removeAtExit(folder)
    try HostileFile.write(to: folder.root)
    for (name, fixture) in good {
      try FileManager.default.copyItem(at: Fixture.named(fixture).url, to: folder.url(name))
    }
    return folder
  }

  /// Two runs with different numbers of jobs.
  package static let first = Result { try check(jobs: 2) }
  package static let second = Result { try check(jobs: 3) }

  private static func check(jobs: Int) throws -> Run {
    let previews = try TemporaryFolder()
    removeAtExit(previews)
    let process = try MeasuredProcess.run(
      BuiltTool.find().path,
      [
        "check", "--format", "ndjson", "--jobs", "\(jobs)", "--preview-dir", previews.root.path,
        ".",
      ], in: folder.get().root, limit: 300)
    return Run(process: process, previews: previews, results: try outcomes(process.output))
  }

  /// The results in NDJSON output, by file name.
  package static func outcomes(_ output: Data) throws -> [String: Outcome] {
    var found: [String: Outcome] = [:]
    for line in output.split(separator: UInt8(ascii: "\n")) {
      let result = try JSONReader.read(Array(line))
      guard let path = result["path"]?.text else { continue }
      found[URL(fileURLWithPath: path).lastPathComponent] = Outcome(result)
    }
    return found
  }
}
