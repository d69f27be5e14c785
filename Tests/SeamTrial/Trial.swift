import ArtworkModel
import ArtworkPipeline
import Foundation
import Synchronization
import SystemPackage

/// Which frames are looked at.
enum Mode: Sendable {
  case ends(Int)
  case everything

  var name: String {
    switch self {
    case .ends(let window): "\(window)"
    case .everything: "everything"
    }
  }
}

/// Inspects all clips in all modes. Each thread that works on it takes one clip after another.
final class Trial: Sendable {
  private let files: [URL]
  private let modes: [Mode]
  private let taken = Mutex(0)
  private let output = Mutex(FileHandle.standardOutput)

  init(files: [URL], modes: [Mode]) {
    self.files = files
    self.modes = modes
  }

  func work() {
    while let file = next() {
      // Loads libraries and the file, so that the first mode is not charged for them.
      _ = try? Inspector().inspect(FilePath(file.path))
      for mode in modes { print(result(of: file, mode)) }
    }
  }

  private func next() -> URL? {
    taken.withLock { taken in
      guard taken < files.count else { return nil }
      taken += 1
      return files[taken - 1]
    }
  }

  private func result(of file: URL, _ mode: Mode) -> TrialLine {
    var line = TrialLine(file: file.lastPathComponent, mode: mode.name)
    var inspector = Inspector()
    var everyFrame = false
    switch mode {
    case .ends(let window): inspector.window = window
    case .everything: everyFrame = true
    }
    let start = processorMilliseconds()
    do throws(InspectionError) {
      let (inspection, _) = try inspector.inspect(FilePath(file.path), everyFrame: everyFrame)
      line.milliseconds = ((processorMilliseconds() - start) * 1000).rounded() / 1000
      line.packetsDecoded = inspection.decoding.packetsDecoded
      line.add(judgementOf: inspection)
    } catch {
      line.error = "\(error)"
    }
    return line
  }

  private func print(_ line: TrialLine) {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    encoder.nonConformingFloatEncodingStrategy = .convertToString(
      positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
    guard var data = try? encoder.encode(line) else { return }
    data.append(UInt8(ascii: "\n"))
    output.withLock { $0.write(data) }
  }

  /// Of this thread, which does all the work of an inspection.
  private func processorMilliseconds() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) * 1000 + Double(time.tv_nsec) / 1_000_000
  }
}

/// What is printed. Absent: what the seam does not have, or everything if there is an error.
struct TrialLine: Encodable {
  var file: String
  var mode: String
  var verdict: String?
  /// The worst finding on the seam.
  var severity: String?
  var score: Double?
  var surprise: Double?
  var seamStep: Double?
  var missingFrames: Int?
  var milliseconds: Double?
  var packetsDecoded: Int?
  var error: String?

  init(file: String, mode: String) {
    self.file = file
    self.mode = mode
  }

  mutating func add(judgementOf inspection: Inspection) {
    let profile = Profile.nowPlaying
    let key = ArtworkKey(nearestTo: inspection.facts.displayAspectRatio)
    let (seam, findings) = Rules.judge(inspection, key: key, profile: profile)
    verdict = seam?.verdict.rawValue
    score = seam?.score
    surprise = seam?.surprise
    seamStep = seam?.seamStep
    missingFrames = seam?.missingFrames
    let ofSeam: Set = ["loop-seam", "fade", "static"]
    severity = findings.filter { ofSeam.contains($0.rule) }.map(\.severity).max()?.rawValue
  }
}
