import Glibc
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

/// A new video. It is inspected and judged before it is returned.
public struct MadeVideo: Sendable {
  /// The bytes of the file.
  public var bytes: [UInt8]
  public var inspection: Inspection
  /// The judgement of its loop; `nil` for a single frame.
  public var seam: SeamJudgement?
  /// The findings of the new file, worst first.
  public var findings: [Finding]
  /// The changes to the picture of a loop that was cut out, in sentences; none for a copy.
  public var changes: [String] = []
  /// How the frames of the source were used; `nil` for a copy of its packets.
  package var encoding: EncodingReport?
  /// The frames of the source of which a loop was cut out.
  package var frames: Range<Int>?

  init(
    _ bytes: [UInt8], _ inspection: Inspection, key: ArtworkKey? = nil,
    profiles: [Profile] = [.nowPlaying]
  ) {
    let judged = CandidateReport(judging: inspection, of: nil, as: key, for: profiles)
    (self.bytes, self.inspection) = (bytes, inspection)
    (seam, findings) = (judged.seam, judged.findings)
  }

  init(_ clip: EncodedClip, key: ArtworkKey? = nil, profiles: [Profile] = [.nowPlaying]) {
    self.init(clip.movie, clip.inspection, key: key, profiles: profiles)
    encoding = clip.report
  }
}

/// The outcome of a repair.
public struct RepairResult: Sendable {
  public enum Outcome: Sendable {
    /// It has no finding that can be repaired.
    case nothingToDo
    /// The bytes of a new file with fewer findings. Its frames are verified to be those of the clip, or were encoded
    /// again if that was allowed.
    case repaired([UInt8])
    /// Why there is no new file, in a sentence.
    case refused(String)
  }

  public var outcome: Outcome
  /// Findings that the new file no longer has.
  public var repaired: [Finding]
  /// Findings that encoding could repair, if that was not allowed.
  public var needsEncoding: [Finding]
  /// Findings of the new file.
  public var left: [Finding]
}

/// A new animated picture, which repeats as its source does.
public struct MadePicture: Sendable {
  /// The bytes of the file.
  public var bytes: [UInt8]
  public var size: PixelSize
  /// Pictures a second; `nil` for the times of the source.
  public var rate: Rational?
  /// The quality on the scale of the format, see ``AnimatedPicture/quality``.
  public var quality: Int
  public var inspection: Inspection
  /// The judgement of its loop; `nil` for a single frame.
  public var seam: SeamJudgement?
  /// What was lowered so that it fits, in words; nothing without a limit.
  public var changes: [String]
  /// The rate that replaces one that the format cannot carry; `nil` if it carries all frames.
  public var loweredRate: Double?
  /// What is left of a source that is cut short, in words; `nil` for a whole one.
  public var rest: String?
}

extension Pipeline {
  /// Repairs a clip for its destinations.
  ///
  /// - Parameters:
  ///   - encodes: whether to repair findings that require encoding, which loses a little quality. Without it packets
  ///     are copied.
  ///   - shortest: how short a loop may become, in seconds; `nil` keeps nine tenths of the clip.
  public func repair(
    _ file: FilePath, as key: ArtworkKey? = nil, profiles: [Profile] = [.nowPlaying],
    encodes: Bool = false, shortest: Double? = nil
  ) -> Work<RepairResult> {
    work { runner, progress in
      var (batch, options) = (Batch.Options(jobs: 1), Repairer.Options())
      batch.profiles = profiles
      (options.encodes, options.shortest) = (encodes, shortest)
      var repairer = Repairer(Batch(options: batch, inspector: runner), runner, options)
      repairer.progress = progress
      let (outcome, movie) = repairer.repair(Candidate(path: file), key: key)
      let result: RepairResult.Outcome
      switch outcome.status {
      case .unchanged, .planned, .fromEarlierRun, .repaired:
        result = movie.map { .repaired($0) } ?? .nothingToDo
      case .refused(let reason): result = .refused(reason)
      case .failed(let error): throw error
      }
      return RepairResult(
        outcome: result, repaired: outcome.repaired, needsEncoding: outcome.plan.needsEncoding,
        left: outcome.remaining)
    }
  }

  /// Makes the other variant of a video, by a static crop. HDR stays HDR.
  ///
  /// - Parameters:
  ///   - focus: the point to keep in view.
  ///   - width: of the new video, in the exact shape with even sides; `nil` for the largest without upscaling.
  ///   - facts: of the file, if they are known.
  public func derive(
    _ file: FilePath, as key: ArtworkKey, focus: Encoding.Focus = .auto, width: Int? = nil,
    facts: MediaFacts? = nil, profiles: [Profile] = [.nowPlaying]
  ) -> Work<MadeVideo> {
    work { runner, progress in
      let source = Candidate(path: file)
      let recipe = Recipe(
        deriving: key, of: try facts ?? runner.facts(of: source), focus,
        size: width.map(key.size(width:)))
      return MadeVideo(
        try runner.encode(source, recipe, progress: progress), key: key, profiles: profiles)
    }
  }

  /// Chooses and draws the crop of ``derive(_:as:focus:width:facts:profiles:)``, and makes nothing else.
  package func planDerivation(
    of file: FilePath, as key: ArtworkKey, focus: Encoding.Focus, width: Int?, facts: MediaFacts
  ) -> Work<MadeFile> {
    work { runner, _ in
      let recipe = Recipe(deriving: key, of: facts, focus, size: width.map(key.size(width:)))
      return try runner.run(MakeJob(recipe: recipe, onlyPlans: true), on: Candidate(path: file))
    }
  }

  /// Makes a video of a GIF, an animated PNG or WebP, a Lottie animation, or another video.
  ///
  /// - Parameters:
  ///   - folder: a folder that the file must be in after links are resolved; `nil` for a file that the user named.
  ///   - size: of the video, with even sides; `nil` for the size of the animation.
  ///   - frames: the part to show, its order and speed. A rate above 60 is lowered.
  ///   - drawing: the background, and how a picture of another shape is placed.
  ///   - codec: H.264 or HEVC.
  ///   - container: MP4 or QuickTime.
  ///   - facts: of the file, if they are known.
  public func importAnimation(
    _ file: FilePath, beneath folder: FilePath? = nil, size: PixelSize? = nil,
    frames: FrameSelection = FrameSelection(), drawing: Drawing = Drawing(),
    codec: MovieCodec = .h264, container: MovieContainer = .mp4, facts: MediaFacts? = nil,
    profiles: [Profile] = [.nowPlaying]
  ) -> Work<MadeVideo> {
    work { runner, progress in
      var source = Candidate(path: file)
      source.folder = folder
      source.isPlaylist = file.extension?.lowercased() == "m3u8"
      var own = size
      if own == nil {
        let facts = try facts ?? runner.facts(of: source)
        own = Recipe(encoding: facts, for: profiles)?.encoding?.size
      }
      guard let own else {
        throw InspectionError(.notCopied, "its size is not known", advice: "name a size")
      }
      var recipe = Recipe(drawing: drawing, size: own, codec: codec, container: container)
      recipe.frames = frames
      recipe.frames.adapts = true
      return MadeVideo(
        try runner.encode(source, recipe, progress: progress), profiles: profiles)
    }
  }

  /// Below this quality, blocks are seen.
  private static var leastQuality: Int { 30 }

  /// Sets a still cover in motion. The first frame is the cover, and the loop closes.
  ///
  /// - Parameters:
  ///   - cover: a PNG, JPEG, WebP or AVIF file.
  ///   - width: of the video, in the exact shape with even sides; `nil` for the cover's own, at most 1080.
  ///   - quality: 1 to 100; `nil` for what suits the motion.
  ///   - mostBytes: the largest file. Quality is lowered until it fits.
  public func animate(
    _ cover: FilePath, _ motion: Motion = Motion(.auto), as key: ArtworkKey,
    focus: Encoding.Focus = .auto, width: Int? = nil, quality: Int? = nil, mostBytes: Int? = nil,
    profiles: [Profile] = [.nowPlaying]
  ) -> Work<MadeVideo> {
    work { runner, progress in
      var quality = quality
      // Steps of quality that are half of the bytes: at the usual quality nine, at lower ones more, and at last all.
      for half in [9.0, 12, 15, 1000, 0] {
        let recipe = Recipe(moving: motion, key: key, focus: focus, width: width, quality: quality)
        let made = try runner.encode(Candidate(path: cover), recipe, progress: progress)
        guard let mostBytes, made.movie.count > mostBytes else {
          return MadeVideo(made, key: key, profiles: profiles)
        }
        let tried = quality ?? made.report.motion?.quality ?? 60
        guard tried > Self.leastQuality else { break }
        let excess = log2(Double(made.movie.count) / Double(mostBytes))
        let steps = wholeNumber((half * excess + 1).rounded(.up)) ?? tried
        quality = max(Self.leastQuality, tried - steps)
      }
      throw InspectionError(
        .videoNotWritten, "the \(key.rawValue) video would look blocky in so few bytes",
        advice: "allow more bytes, or use a smaller --width or fewer --seconds")
    }
  }

  /// Searches for loops as ``loops(in:_:)`` does, and draws the seam of the best one if that is wanted.
  package func loops(
    in file: FilePath, _ request: TrimRequest, withPictures: Bool
  ) -> Work<LoopCandidates> {
    work { runner, progress in
      try runner.loops(
        in: Candidate(path: file), request, withPictures: withPictures, progress: progress)
    }
  }

  /// Cuts a part out of a clip that ``loops(in:_:)`` searched: its packets are copied if keyframes allow it, and then every
  /// frame is compared; else it is encoded again.
  ///
  /// - Parameters:
  ///   - report: of the file.
  ///   - container: MP4 or QuickTime.
  public func cut(
    _ part: LoopReport.Choice = .best, of file: FilePath, _ report: LoopReport,
    into container: MovieContainer = .mp4
  ) -> Work<MadeVideo> {
    work { runner, progress in
      try runner.cut(part, of: Candidate(path: file), report, into: container, progress: progress)
    }
  }

  /// Makes an animated picture of a video, for servers, chats and players that accept only pictures.
  ///
  /// - Parameters:
  ///   - width: the largest; `nil` for that of the video.
  ///   - rate: the most frames per second; `nil` for that of the video.
  ///   - quality: see ``AnimatedPicture/quality``; `nil` for the best that is worth its bytes.
  ///   - mostBytes: the largest file. Size, rate and quality are lowered until it fits, the least visible first.
  public func export(
    _ file: FilePath, as format: FileFormat, width: Int? = nil, rate: Int? = nil,
    quality: Int? = nil, mostBytes: Int? = nil
  ) -> Work<MadePicture> {
    work { runner, progress in
      try PictureExporter(
        runner, Candidate(path: file), as: format, width: width, rate: rate, quality: quality,
        mostBytes: mostBytes, progress: progress
      ).export()
    }
  }

  /// Makes all files of a release that players and servers need: both videos, their previews, animated pictures, and a list
  /// with digests. Files that exist and pass are copied, faulty ones repaired. If anything fails, no file is left.
  ///
  /// - Parameters:
  ///   - release: a folder with a video, an animation or a cover.
  ///   - folder: an existing one, which gets the files.
  ///   - animatesMissing: set the still cover in motion also where a video cannot be used.
  ///   - begins: takes the name of each file before it is made.
  ///   - skips: takes a file of the release that cannot be read, and is left out.
  public func bundle(
    _ release: FilePath, into folder: FilePath, animatesMissing: Bool = false,
    begins: @escaping @Sendable (_ name: String) -> Void = { _ in },
    skips: @escaping @Sendable (FilePath, InspectionError) -> Void = { _, _ in }
  ) -> Work<[BundledFile]> {
    work { runner, _ in
      var bundler = ReleaseBundler(
        runner, release, into: folder, animatesMissing: animatesMissing, begins: begins,
        skips: skips)
      return try bundler.bundle()
    }
  }
}
