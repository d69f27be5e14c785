import ArgumentParser
import ArtworkPipeline
import ArtworkPipeline
import FoundationEssentials
import SystemPackage

/// The judge of Scripts/accuracy/seams and of the stored measurements. Clips are labelled ones of our own, so they are read
/// without a worker.
@main
struct SeamTrial: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "seam-trial", subcommands: [Ends.self, LeftOut.self, Store.self])

  /// Judges the clips whose paths come on standard input by a number of frames at each end, one line of JSON for each.
  /// `Scripts/accuracy/seams/vary-frame-count` runs it.
  struct Ends: ParsableCommand {
    @Argument var count: Int
    /// What `evaluate` gives to `artworkd check`; ignored.
    @Argument(parsing: .captureForPassthrough) var rest: [String] = []

    func run() throws {
      var inspector = Inspector()
      inspector.window = count
      while let path = readLine() {
        let inspection = try inspector.inspect(FilePath(path)).inspection
        let (seam, findings) = Rules.judge(inspection, key: .square, profile: .nowPlaying)
        try Line(path, seam, findings).print()
      }
    }
  }

  /// Measures the labelled clips on standard input, and prints a line of JSON for each: its label, and what decides on its
  /// seam. `Scripts/accuracy/seams/store-measurements.py` runs it.
  struct Store: ParsableCommand {
    private struct Stored: Encodable {
      var tier: Int
      var accepted: [String]
      var inspection: Inspection
    }

    func run() throws {
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
      while let line = readLine() {
        let clip = try LabelledClip(line)
        guard clip.tier == 0 || clip.tier == 2 else { continue }
        var inspection = clip.inspection
        (inspection.firstFrame, inspection.looks) = (nil, nil)
        let stored = Stored(
          tier: clip.tier, accepted: clip.accepted.sorted(), inspection: inspection)
        print(String(decoding: try encoder.encode(stored), as: UTF8.self))
      }
    }
  }
}
