import ArgumentParser
import Foundation
import SystemPackage

/// What each window makes of a folder of labelled clips. Scripts/seams/evaluate counts the mistakes.
@main
struct SeamTrial: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "seam-trial",
    abstract: "Judge the seams of labelled clips with several windows, and with every frame.",
    discussion: "Prints a line of JSON for each clip and mode, in no order with several jobs.")

  @Argument(help: "A folder with labels.json, and the clips beside it or in its folder clips.")
  var folder: String
  @Option(help: "Frames at each end, separated by commas.") var windows = "2,3,5,8,16"
  @Option(help: "Clips at a time.") var jobs = 2

  func validate() throws {
    guard modes.count == windows.split(separator: ",").count + 1, jobs > 0 else {
      throw ValidationError("--windows and --jobs are positive numbers")
    }
  }

  func run() throws {
    let files = try LabelledClip.files(in: URL(fileURLWithPath: folder))
    let trial = Trial(files: files, modes: modes)
    DispatchQueue.concurrentPerform(iterations: jobs) { _ in trial.work() }
  }

  private var modes: [Mode] {
    windows.split(separator: ",").compactMap { Int($0) }.filter { $0 > 0 }.map(Mode.ends)
      + [.everything]
  }
}

/// An entry of labels.json; what it says of the clip is not for whoever judges it.
private struct LabelledClip: Decodable {
  var file: String

  static func files(in folder: URL) throws -> [URL] {
    let labels = try Data(contentsOf: folder.appendingPathComponent("labels.json"))
    return try JSONDecoder().decode([LabelledClip].self, from: labels).map { clip in
      let beside = folder.appendingPathComponent(clip.file)
      let isBeside = FileManager.default.fileExists(atPath: beside.path)
      return isBeside ? beside : folder.appendingPathComponent("clips/\(clip.file)")
    }
  }
}
