/// A new video. It is inspected and judged before it is returned.
public struct MadeVideo: Sendable {
  /// The bytes of the file.
  public var bytes: [UInt8]
  public var inspection: Inspection
  /// The judgement of its loop; `nil` for a single frame.
  public var seam: SeamJudgement?
  /// The findings of the new file, worst first.
  public var findings: [Finding]

  init(_ bytes: [UInt8], _ inspection: Inspection, key: ArtworkKey?, profiles: [Profile]) {
    let judged = CandidateReport(judging: inspection, of: nil, as: key, for: profiles)
    (self.bytes, self.inspection) = (bytes, inspection)
    (seam, findings) = (judged.seam, judged.findings)
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
      var options = Batch.Options(jobs: 1)
      options.profiles = profiles
      let (outcome, movie) = ClipRepairer(
        Batch(options: options, inspector: runner), runner, encodes: encodes, shortest: shortest
      ).repair(Candidate(path: file), key: key, progress: progress)
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
  public func derive(
    _ file: FilePath, as key: ArtworkKey, focus: Encoding.Focus = .auto, width: Int? = nil,
    profiles: [Profile] = [.nowPlaying]
  ) -> Work<MadeVideo> {
    work { runner, progress in
      let source = Candidate(path: file)
      let facts = try runner.inspect(source, InspectionRequest()).inspection.facts
      let made = try runner.encode(
        source, Recipe(deriving: key, of: facts, focus, size: width.map(key.size(width:))),
        progress: progress)
      return MadeVideo(made.movie, made.inspection, key: key, profiles: profiles)
    }
  }

  /// Makes a video of a GIF, an animated PNG or WebP, a Lottie animation, or another video.
  ///
  /// - Parameters:
  ///   - size: of the video, with even sides; `nil` for the size of the animation.
  ///   - drawing: the background, and how a picture of another shape is placed.
  public func importAnimation(
    _ file: FilePath, size: PixelSize? = nil, drawing: Drawing = Drawing(),
    profiles: [Profile] = [.nowPlaying]
  ) -> Work<MadeVideo> {
    work { runner, progress in
      let source = Candidate(path: file)
      let facts = try runner.inspect(source, InspectionRequest()).inspection.facts
      guard let size = size ?? Recipe(encoding: facts, for: profiles)?.encoding?.size else {
        throw InspectionError(.notCopied, "its size is not known", advice: "name a size")
      }
      let made = try runner.encode(
        source, Recipe(drawing: drawing, size: size), progress: progress)
      return MadeVideo(made.movie, made.inspection, key: nil, profiles: profiles)
    }
  }

  /// Sets a still cover in motion. The first frame is the cover, and the loop closes.
  ///
  /// - Parameters:
  ///   - cover: a PNG or JPEG file.
  ///   - width: of the video, in the exact shape with even sides; `nil` for the cover's own, at most 1080.
  public func animate(
    _ cover: FilePath, _ motion: Motion = Motion(.drift), as key: ArtworkKey,
    focus: Encoding.Focus = .auto, width: Int? = nil, profiles: [Profile] = [.nowPlaying]
  ) -> Work<MadeVideo> {
    work { runner, progress in
      let made = try runner.encode(
        Candidate(path: cover), Recipe(moving: motion, key: key, focus: focus, width: width),
        progress: progress)
      return MadeVideo(made.movie, made.inspection, key: key, profiles: profiles)
    }
  }

  /// Makes an animated picture of a video, for servers, chats and players that accept only pictures.
  ///
  /// - Parameters:
  ///   - width: the largest; `nil` for that of the video.
  ///   - mostBytes: the largest file. Size, rate and quality are lowered until it fits, the least visible first.
  public func export(
    _ file: FilePath, as format: AnimatedPicture.Format, width: Int? = nil, mostBytes: Int? = nil
  ) -> Work<MadePicture> {
    work { runner, progress in
      let made = try PictureExporter(
        runner, Candidate(path: file), as: format, width: width, mostBytes: mostBytes,
        progress: progress
      ).export()
      return MadePicture(
        bytes: made.bytes, size: made.setting.size, rate: made.setting.rate,
        quality: made.setting.quality)
    }
  }
}
