import Dispatch
public import Logging
import Synchronization
public import SystemPackage

/// Checks many candidates in parallel, each on one thread of its own. One bad file costs one result; with
/// an ``IsolatedInspector`` that holds for any file.
public struct Batch: Sendable {
  public struct Options: Sendable {
    public var profiles: [Profile] = [.nowPlaying]
    /// Judge every candidate as this key; `nil` takes it from the file's name, else its shape.
    public var key: ArtworkKey?
    /// Where previews go; `nil` makes none.
    public var previewFolder: FilePath?
    /// When every frame of a candidate is looked at.
    public var everyFrame = EveryFrame.whereInDoubt
    /// Candidates looked at at once, at least 1. Each needs the memory of one decoder.
    public var jobs: Int

    public init(jobs: Int) { self.jobs = jobs }
  }

  public enum EveryFrame: Sendable {
    case always
    /// Where the ends of a clip leave a profile's verdict on its seam `uncertain`.
    case whereInDoubt
    case never
  }

  public var options: Options
  private let inspector: any CandidateInspector
  private let logger: Logger

  public init(
    options: Options, inspector: any CandidateInspector = Inspector(),
    logger: Logger = Logger(label: "artworkd.batch")
  ) {
    precondition(options.jobs > 0, "a batch needs at least one job")
    self.options = options
    self.inspector = inspector
    self.logger = logger
  }

  /// Checks all candidates and returns their reports in the same order.
  ///
  /// - Parameter onReport: called once for each as it finishes, from any thread, one call at a time.
  public func run(
    _ candidates: [Candidate], onReport: @escaping @Sendable (CandidateReport) -> Void = { _ in }
  ) async -> [CandidateReport] {
    if candidates.isEmpty { return [] }
    let progress = Progress(reports: Array(repeating: nil, count: candidates.count))
    // Blocking work stays off Swift's cooperative pool: each job is a dispatch thread that takes the
    // next candidate until none is left. A serial queue always gets a thread; concurrent ones share as many
    // as there are processors, and more only after a while.
    await withCheckedContinuation { continuation in
      let group = DispatchGroup()
      for job in 0..<min(options.jobs, candidates.count) {
        DispatchQueue(label: "artworkd.batch.\(job)").async(group: group) {
          while let index = progress.next() {
            progress.finish(index, check(candidates[index]), onReport)
          }
        }
      }
      group.notify(queue: DispatchQueue(label: "artworkd.batch.end")) { continuation.resume() }
    }
    return progress.all
  }

  /// Checks one candidate on the calling thread, which it blocks.
  public func check(_ candidate: Candidate) -> CandidateReport {
    let name = candidate.path.lastComponent?.string ?? ""
    var report = CandidateReport(
      path: candidate.path, key: options.key ?? ArtworkKey(fileName: name))
    do throws(InspectionError) {
      var inspected = try inspector.inspect(
        candidate, preview: options.previewFolder == nil ? .none : .original,
        everyFrame: options.everyFrame == .always)
      if options.everyFrame == .whereInDoubt, isInDoubt(inspected.inspection) {
        do throws(InspectionError) {
          let again = try inspector.inspect(candidate, preview: .none, everyFrame: true)
          inspected.inspection = again.inspection
          inspected.cost = inspected.cost.map { $0.adding(again.cost) }
        } catch {
          // What the ends told is not lost.
          report.error = error
        }
      }
      let inspection = inspected.inspection
      var details: Logger.Metadata = [
        "path": "\(candidate.path.string.printable)",
        "packets": "\(inspection.decoding.packetsDecoded)",
        "full-decode": "\(inspection.decoding.fallback?.rawValue ?? "no")",
      ]
      if let cost = inspected.cost {
        details["cpu-ms"] = "\(cost.cpuMicroseconds / 1000)"
        details["peak-mib"] = "\(cost.peakBytes >> 20)"
      }
      logger.debug("inspected", metadata: details)
      let key = report.key ?? ArtworkKey(nearestTo: inspection.facts.displayAspectRatio)
      report.key = key
      report.inspection = inspection
      for profile in options.profiles {
        let (seam, findings) = Rules.judge(inspection, key: key, profile: profile)
        report.seam = report.seam ?? seam
        report.findings += findings
      }
      if let preview = inspected.preview, let folder = options.previewFolder {
        report.preview = try write(preview, for: candidate, key: key, below: folder)
      }
    } catch {
      report.error = error
    }
    return report
  }

  private func isInDoubt(_ inspection: Inspection) -> Bool {
    options.profiles.contains {
      Rules.seam(of: inspection, profile: $0)?.verdict == .uncertain
    }
  }

  private func write(
    _ preview: [UInt8], for candidate: Candidate, key: ArtworkKey, below folder: FilePath
  ) throws(InspectionError) -> FilePath {
    let path = folder.appending(candidate.previewStem.components)
      .suffixed(".\(key.rawValue).png")
    do throws(Errno) {
      try AtomicFile.makeFolder(path.removingLastComponent())
      try AtomicFile.write(preview, to: path)
    } catch {
      throw InspectionError(
        .previewNotWritten, "cannot write \(path): \(error.description.lowercased())")
    }
    return path
  }

  /// What the jobs share.
  private final class Progress: Sendable {
    private struct State {
      var next = 0
      var reports: [CandidateReport?]
    }

    private let state: Mutex<State>

    init(reports: [CandidateReport?]) { state = Mutex(State(reports: reports)) }

    func next() -> Int? {
      state.withLock { state in
        guard state.next < state.reports.count else { return nil }
        defer { state.next += 1 }
        return state.next
      }
    }

    func finish(
      _ index: Int, _ report: CandidateReport, _ onReport: @Sendable (CandidateReport) -> Void
    ) {
      state.withLock { state in
        state.reports[index] = report
        onReport(report)
      }
    }

    var all: [CandidateReport] { state.withLock { $0.reports.compactMap(\.self) } }
  }
}
