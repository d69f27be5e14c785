import Synchronization

/// Checks, repairs and makes animated artwork. The entry point of the library.
///
/// Every function may be called from any thread and returns at once: the work runs on separate threads, each file in
/// a worker process that can open nothing else. Sources are never changed, and new files are returned as bytes.
///
/// ```swift
/// let pipeline = try Pipeline()
/// let report = try await pipeline.check("artwork/1x1.mp4").value
/// for finding in report.findings { print(finding.rule, finding.message) }
/// ```
public struct Pipeline: Sendable {
  /// The process in which files are decoded.
  public enum Isolation: Sendable {
    /// Each file in a separate process, in the sandbox described in docs/sandbox.md.
    case workers
    /// Runs in this process: for trusted files, and if no process can be started.
    case none
  }

  package let runner: any JobRunner

  /// Prepares for work. With workers, call this first thing in `main`: the process must not have a second thread yet.
  ///
  /// FFmpeg has one log callback per process, and the library sets it.
  ///
  /// - Parameter limits: the limits on a file and its processing.
  /// - Throws: `worker-failed` if the process has threads, or the system cannot start another one.
  public init(
    isolation: Isolation = .workers, limits: Limits = Limits()
  ) throws(InspectionError) {
    switch isolation {
    case .workers: runner = try IsolatedInspector(limits: limits)
    case .none: runner = Inspector(limits: limits)
    }
  }

  /// A pipeline with an existing runner.
  package init(_ runner: any JobRunner) { self.runner = runner }

  /// Starts work on a new thread.
  func work<Value: Sendable>(
    _ body: @escaping @Sendable (any JobRunner, @escaping JobProgress) throws -> Value
  ) -> Work<Value> {
    let runner = runner
    return Work { progress, isCancelled in
      let runner = CancellableRunner(runner: runner, isCancelled: isCancelled)
      return try await onThread { try body(runner, progress) }
    }
  }

  // MARK: Checking

  /// Measures a file: facts, the loop, the first frame. Decodes the frames that these need: those at the ends of a
  /// clip, and every frame if these leave a rule undecided.
  ///
  /// An `Inspection` is `Codable`: store it, and judge it later with ``judge(_:as:profiles:)``.
  public func inspect(_ file: FilePath) -> Work<Inspection> {
    work { runner, _ in
      try runner.inspect(Candidate(path: file), InspectionRequest(settlesDoubts: true)).inspection
    }
  }

  /// Judges an inspection. Reads no file.
  ///
  /// - Parameters: as for ``check(_:as:profiles:)``.
  public static func judge(
    _ inspection: Inspection, as key: ArtworkKey? = nil, profiles: [Profile] = [.nowPlaying]
  ) -> CandidateReport {
    CandidateReport(judging: inspection, of: nil, as: key, for: profiles)
  }

  /// Measures a file and judges it. A file that cannot be read is a report with its `error`.
  ///
  /// - Parameters:
  ///   - key: the variant that it is meant to be; `nil` to go by its name, else by its shape.
  ///   - profiles: its destinations, at least one.
  public func check(
    _ file: FilePath, as key: ArtworkKey? = nil, profiles: [Profile] = [.nowPlaying]
  ) -> Work<CandidateReport> {
    precondition(!profiles.isEmpty, "a file is judged for at least one profile")
    return work { runner, _ in
      var options = Batch.Options(jobs: 1)
      options.profiles = profiles
      return Batch(options: options, inspector: runner).check(Candidate(path: file), key: key)
    }
  }

  /// Checks files and all videos and animations in folders, with the rules across the files of a release. A part of the
  /// work is a file.
  ///
  /// - Parameters:
  ///   - configuration: profiles, severities, limits, and the source of artwork IDs; `Configuration.load` reads one.
  ///   - jobs: the number of files decoded in parallel, at least 1. Each needs the memory of one decoder.
  /// - Returns: reports in the order of paths. Files that cannot be read are reports with an error.
  public func check(
    folders: [FilePath], configuration: Configuration = Configuration(), jobs: Int = 1
  ) -> Work<CheckReport> {
    let runner = runner
    return Work { progress, isCancelled in
      let start = ContinuousClock.now
      var options = Batch.Options(jobs: jobs)
      options.profilesFor = { configuration.profiles(for: $0) }
      let catalogue = try await onThread {
        Catalogue(
          CandidateFinder.find(folders).filter { configuration.isIncluded($0.path) }, configuration)
      }
      let count = catalogue.candidates.count
      let done = Atomic(0)
      let results = await Batch(
        options: options, inspector: CancellableRunner(runner: runner, isCancelled: isCancelled)
      ).run(catalogue) { reports in
        for _ in reports {
          progress(done.wrappingAdd(1, ordering: .relaxed).newValue, count)
        }
      }
      return CheckReport(
        results: results,
        summary: Summary(results, seconds: (ContinuousClock.now - start) / .seconds(1)),
        profiles: configuration.allProfiles())
    }
  }

  /// The facts of a file: its container, codec, size and times. Decodes no frames but the first, if these are sure without
  /// more.
  public func facts(of file: FilePath) -> Work<MediaFacts> {
    work { runner, _ in try runner.facts(of: Candidate(path: file)) }
  }

  /// The first frame of a video, an animation or a picture, upright, in sRGB.
  ///
  /// - Parameters:
  ///   - box: the picture is fitted inside, keeping its shape, and never enlarged; `nil` for its own size.
  ///   - edits: how a Lottie animation is changed first, which is then drawn at the size of the picture; `nil` for every
  ///     other file.
  /// - Returns: the bytes of a file.
  public func preview(
    of file: FilePath, fitting box: PixelSize? = nil, format: FileFormat = .png,
    changing edits: AnimationEdits? = nil
  ) -> Work<[UInt8]> {
    work { runner, _ in
      let request = InspectionRequest(
        preview: box.map { .fitted($0) } ?? .original, previewFormat: format, onlyPreview: true,
        animation: edits)
      guard let picture = try runner.inspect(Candidate(path: file), request).preview else {
        throw InspectionError(.previewNotWritten, "it has no preview")
      }
      return picture
    }
  }

  /// Judges the seam of a video or an animation of any shape. Decodes the frames at the ends, and others where the verdict
  /// needs them.
  ///
  /// - Throws: when the work is awaited: an `InspectionError`, `no-frames` for a single frame.
  public func seam(of file: FilePath) -> Work<SeamReport> {
    work { runner, _ in try Self.seam(of: Candidate(path: file), draws: false, by: runner).report }
  }

  /// Judges a seam as ``seam(of:)`` does.
  ///
  /// - Parameters:
  ///   - draws: also returns the frames around it, the bytes of a PNG file.
  ///   - cache: earlier measurements.
  package func seam(
    of candidate: Candidate, draws: Bool, cache: InspectionCache?
  ) -> Work<(report: SeamReport, picture: [UInt8]?)> {
    work { runner, _ in
      try Self.seam(
        of: candidate, draws: draws,
        by: cache.map { CachingInspector(runner, limits: runner.limits, cache: $0) } ?? runner)
    }
  }

  private static func seam(
    of candidate: Candidate, draws: Bool, by inspector: any CandidateInspector
  ) throws(InspectionError) -> (report: SeamReport, picture: [UInt8]?) {
    let profiles = [SeamReport.profile]
    var request = Batch(options: Batch.Options(jobs: 1), inspector: inspector).request(
      for: profiles)
    if draws { request.preview = .seam }
    let found = try inspector.inspect(candidate, request)
    let key = ArtworkKey(fileName: candidate.path.lastComponent?.string ?? "")
    let report = CandidateReport(
      judging: found.inspection, of: candidate.path, as: key, for: profiles)
    return (try SeamReport(report), found.preview)
  }

  /// Searches a clip for the parts that loop. Decodes every frame.
  public func loops(
    in file: FilePath, _ request: TrimRequest = TrimRequest()
  ) -> Work<LoopReport> {
    work { runner, progress in
      try runner.loops(in: Candidate(path: file), request, progress: progress).report
    }
  }
}
