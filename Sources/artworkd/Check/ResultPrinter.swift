import ArtworkPipeline
import Dispatch
import Synchronization
import SystemPackage

/// Prints the results of a run: text and NDJSON while the check runs. Also records what was checked so far, for the
/// summary of an interrupted run.
final class ResultPrinter: Sendable {
  private struct Results {
    var queue: ReleaseQueue
    var done: [CandidateReport] = []
    /// Complete, and about to be printed.
    var ready: [CandidateReport] = []
    var isStopped = false
  }

  private struct Output {
    var text: TextReport
    var isClosed = false
  }

  /// How long an interrupted run waits for a reader that does not read.
  private static let timeout = DispatchTimeInterval.seconds(1)

  private let reports: ReportOptions
  private let isQuiet: Bool
  private let total: Int
  private let baseline: BaselineFindings?
  private let progress: ProgressLine?
  private let start = ContinuousClock.now
  private let results: Mutex<Results>
  private let output: Mutex<Output>

  /// - Parameter profiles: those that results are judged for.
  init(_ run: CheckRun, _ catalogue: Catalogue, profiles: [Profile], progress: ProgressLine?) {
    let options = run.options
    reports = options.reports
    isQuiet = options.quiet
    total = catalogue.candidates.count
    baseline = run.baseline
    self.progress = progress
    results = Mutex(Results(queue: ReleaseQueue(catalogue, jobs: options.parallelJobs)))
    var setting = ReportSetting(toolVersion: Artworkd.version)
    (setting.style, setting.width) = (Terminal.outputStyle, Terminal.outputWidth)
    setting.onlyProblems = isQuiet
    (setting.places, setting.search) = (options.namedPlaces, options.search.words)
    output = Mutex(
      Output(
        text: TextReport(
          reports.format, setting, paths: catalogue.candidates.map(\.path),
          profiles: profiles)))
  }

  /// Adds the results of a release, and prints what can be printed now. One call at a time.
  func add(_ reports: [CandidateReport]) {
    var shown = reports
    _ = baseline?.hide(in: &shown)
    let ready = results.withLock { results -> [CandidateReport]? in
      // After an interrupt, unfinished work fails.
      if results.isStopped { return nil }
      results.done += shown
      let ready = self.reports.isText ? results.queue.add(shown) : shown
      results.ready += ready
      return ready
    }
    guard let ready else { return }
    if self.reports.streams { print(ready) }
    // Excludes what the baseline hides, as in the summary.
    for report in shown { progress?.advance(report) }
  }

  /// Prints the end: after the last result.
  func end(_ report: CheckReport) {
    guard reports.streams else { return }
    print(results.withLock { $0.queue.drain() })
    output.withLock { output in
      Terminal.emit {
        reports.isText
          ? output.text.end(report.results, summary: report.summary)
          : try JSONReport.line(report.summary)
      }
    }
  }

  private func print(_ ready: [CandidateReport]) {
    if ready.isEmpty { return }
    output.withLock { output in
      if output.isClosed { return }
      guard reports.isText else {
        for report in ready { Terminal.emit { try JSONReport.line(report) } }
        return
      }
      let text = output.text.lines(ready)
      if !text.isEmpty {
        progress?.clear()
        Terminal.emit { text }
        progress?.draw()
      }
      results.withLock { $0.ready = [] }
    }
  }

  // MARK: Interruption

  /// Accepts no further results.
  func stop() { results.withLock { $0.isStopped = true } }

  /// Prints complete releases, and how far the run got.
  func interrupt() {
    let (done, rest) = results.withLock { ($0.done, $0.queue.drain()) }
    progress?.clear()
    Interrupt.notify()
    let seconds = (ContinuousClock.now - start) / .seconds(1)
    guard reports.streams, reports.isText else {
      if isQuiet { return }
      return Terminal.printError(
        TextReport.interruption(
          Summary(done, seconds: seconds), of: total, style: Terminal.errorStyle))
    }
    // Standard output may be a pipe without a reader.
    let isPrinted = DispatchSemaphore(value: 0)
    DispatchQueue(label: "artworkd.interrupt.print").async { [self] in
      output.withLock { output in
        output.isClosed = true
        let text = output.text.lines(results.withLock { $0.ready } + rest)
        let end = output.text.interruption(done, of: total, seconds: seconds)
        try? Terminal.write(Array((text + end).utf8))
      }
      isPrinted.signal()
    }
    _ = isPrinted.wait(timeout: .now() + Self.timeout)
  }
}
