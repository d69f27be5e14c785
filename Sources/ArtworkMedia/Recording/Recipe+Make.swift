/// A file that was made by a ``Recipe``, not proved yet.
package struct MadeFile: Sendable {
  /// The bytes of the video or animated picture; empty if only a plan was requested.
  package var bytes: [UInt8]
  /// Report of an encoding; `nil` for a copy.
  package var report: EncodingReport?
  /// The properties of the packets of a copy's source.
  package var source: ReadPackets?
  /// The choice of a crop, if only a plan was requested: the bytes of a JPEG file.
  package var picture: [UInt8] = []

  package init(
    bytes: [UInt8], report: EncodingReport? = nil, source: ReadPackets? = nil,
    picture: [UInt8] = []
  ) {
    (self.bytes, self.report, self.source, self.picture) = (bytes, report, source, picture)
  }
}

extension Recipe {
  /// Makes the file from the clip or animation in an open file.
  ///
  /// - Parameters:
  ///   - onlyPlans: whether to make all choices but write nothing.
  ///   - progress: called with the number of encoded frames and the total.
  ///   - Throws: `not-copied` if the new file would differ from the recipe, `video-not-written`, or errors of
  ///     reading.
  package func make(
    from input: InputFile, limits: Limits, onlyPlans: Bool = false, progress: @escaping Progress
  ) throws(InspectionError) -> MadeFile {
    switch content {
    case .packets(let matrix, _):
      return try input.withClip(limits: limits) { clip throws(InspectionError) in
        let copied = try clip.copy(
          frames, stating: matrix, rotation: rotation, into: container, mostBytes: mostBytes(limits)
        )
        return MadeFile(bytes: copied.bytes, source: copied.source)
      }
    case .animation(let picture):
      return try animate(picture, from: input, limits: limits, progress: progress)
    case .pictures(let encoding):
      let writer = RecipeWriter(
        recipe: self, encoding: encoding, limits: limits, onlyPlans: onlyPlans, progress: progress)
      if case .drawn(let drawing) = encoding.form, let motion = drawing.motion {
        let cover = try input.readPicture(limits: limits) {
          MovingCover.drawnSize(of: $0, for: encoding)
        }
        return try LogCapture.scope { () throws(InspectionError) in
          try writer.make(cover.opaque(over: drawing.background).image, motion)
        }
      }
      if case .drawn(let drawing) = encoding.form,
        let pictures = try PictureFile.open(
          input, limits: limits, edits: drawing.animation, drawnSize: encoding.drawnSize(of:))
      {
        return try LogCapture.scope { () throws(InspectionError) in try writer.make(pictures) }
      }
      return try input.withClip(limits: limits) { clip throws(InspectionError) in
        let delays = ShortDelays.count(in: input, format: clip.demuxer.formatName)
        var writer = writer
        writer.edits = frames.isWhole ? clip.takeRetimedEdits() : nil
        return writer.edits == nil
          ? try writer.make(clip, shortDelays: delays)
          : try writer.make(OpenClip(input, limits: limits), shortDelays: delays)
      }
    }
  }

  private func animate(
    _ picture: AnimatedPicture, from input: InputFile, limits: Limits, progress: @escaping Progress
  ) throws(InspectionError) -> MadeFile {
    func record(
      _ source: borrowing some FrameSource & ~Copyable, _ durations: [Rational],
      _ displaySize: PixelSize
    ) throws(InspectionError) -> MadeFile {
      var plan = try ShotPlan(durations, frames, limits: limits)
      if picture.format == .webm { plan = try plan.even(limits) }
      if picture.isCopy {
        guard let bytes = try EndlessCopy.of(input, as: picture.format, limits: limits) else {
          throw InspectionError(.notCopied, "it does not state how often it plays")
        }
        return MadeFile(bytes: bytes, report: EncodingReport(plan, durations))
      }
      let recorder = try PictureRecorder(
        picture, plan, displaySize: displaySize, mostBytes: Int(clamping: mostBytes(limits)),
        progress: progress)
      let bytes = try recorder.record(source)
      return MadeFile(bytes: bytes, report: EncodingReport(plan, durations))
    }
    if let pictures = try PictureFile.open(input, limits: limits) {
      return try LogCapture.scope { () throws(InspectionError) in
        try record(pictures, pictures.durations, pictures.size)
      }
    }
    return try input.withClip(limits: limits) { clip throws(InspectionError) in
      var ends = EndReducer()
      let read = try clip.readFrames(everyFrame: false, into: &ends)
      return try record(
        clip, read.clock.durations(resting: read.facts.restIsMeant),
        PixelSize(
          width: max(1, read.facts.displayWidth), height: max(1, read.facts.displayHeight)))
    }
  }

  package typealias Progress = (_ done: Int, _ count: Int) -> Void
}

/// Encodes by a recipe: the only writer of everything that is not copied.
private struct RecipeWriter {
  var recipe: Recipe
  var encoding: Encoding
  var limits: Limits
  var onlyPlans: Bool
  var progress: Recipe.Progress
  /// Parts of the media that are shown at a speed of their own; `nil` for none.
  var edits: [EditSegment]?

  func make(_ pictures: PictureSequence) throws(InspectionError) -> MadeFile {
    guard case .drawn(let drawing) = encoding.form, let size = encoding.size else {
      throw InspectionError(.notCopied, "a part is chosen of videos only: import it first")
    }
    let frames = try recipe.frames.counted(from: pictures.firstNumber)
    let plan = try paced(ShotPlan(pictures.durations, frames, limits: limits))
    return try unsafe record(
      pictures, plan, pictures.durations, form(drawing, size),
      format(plan, size, .video, resting: true), shortDelays: pictures.shortDelays)
  }

  func make(_ cover: PixelImage, _ motion: Motion) throws(InspectionError) -> MadeFile {
    let moving = try MovingCover(cover, encoding, motion)
    let pictures = try moving.pictures()
    let plan = try ShotPlan(pictures.durations, recipe.frames, limits: limits)
    var format = format(plan, moving.view.size, .video)
    // 0 is lossless, which the profile excludes.
    format.quality = max(1, 50 - (encoding.quality ?? moving.drawn.quality) / 2)
    format.isCover = true
    return try unsafe record(
      pictures, plan, pictures.durations,
      .picture(size: moving.view.size) { ($0, false) }, format,
      shortDelays: 0, crop: moving.crop, motion: moving.drawn)
  }

  func make(
    _ clip: borrowing OpenClip, shortDelays: Int
  ) throws(InspectionError) -> MadeFile {
    var sampler = FocusSampler(encoding.area, draws: onlyPlans)
    if !sampler.isNeeded, let scanned = try clip.scan() {
      do throws(InspectionError) {
        return try make(clip, scanned, sampler, shortDelays)
      } catch {
        // The end may have fewer frames than the container states.
        if error.code != .decodeFailed { throw error }
      }
    }
    let read = try clip.readFrames(everyFrame: false, into: &sampler)
    var made = try make(clip, read, sampler, shortDelays)
    made.report?.rest = read.effort.rest(of: read.facts.frameCount)
    if onlyPlans, let window = made.report?.crop?.window {
      let whole = CropArea(read.facts).size
      let picture = CropPicture(frames: sampler.pictures, window: window, displaySize: whole)
      made.picture = try JPEGEncoder.encode(picture.draw(), quantizer: JPEGEncoder.reportQuantizer)
    }
    return made
  }

  private func make(
    _ clip: borrowing OpenClip, _ read: ReadFrames, _ sampler: FocusSampler, _ shortDelays: Int
  ) throws(InspectionError) -> MadeFile {
    let facts = read.facts
    let color = encoding.color ?? (encoding.form == .stored ? facts.encodedColor : .video)
    if color.isHDR, encoding.codec != .hevc {
      throw InspectionError(.notCopied, "it is HDR, and the new file would be SDR")
    }
    var (area, crop): (CropArea?, CropReport?)
    switch encoding.area {
    case .whole: break
    case .part(let part, _): area = part
    case .chosen(let key, let focus):
      crop = try CropReport(
        facts, orientation: read.orientation, key: key, focus: focus, size: encoding.size,
        map: FocusMap(sampler.frames))
      area = crop?.window.area
    }
    let durations = read.clock.durations(resting: facts.restIsMeant)
    // Times that a copy keeps are exact to the tick.
    var plan: ShotPlan
    if let edits {
      plan = try ShotPlan(read.clock, durations, following: edits, recipe.frames, limits: limits)
    } else if recipe.frames == FrameSelection() {
      plan = ShotPlan(copying: read.clock)
    } else {
      plan = try ShotPlan(durations, recipe.frames, limits: limits)
    }
    plan = try paced(plan)
    guard let size = encoding.size ?? crop?.size else {
      throw InspectionError(.notCopied, "the new file has no size")
    }
    switch encoding.form {
    case .drawn(let drawing):
      return try unsafe record(
        clip, plan, durations, form(drawing, size),
        format(plan, size, color, resting: facts.restIsMeant), shortDelays: shortDelays, crop: crop)
    case .stored:
      let coded = read.orientation.swapsAxes ? size.transposed : size
      var format = format(plan, coded, color, resting: facts.restIsMeant)
      if color.isHDR { (format.bitDepth, format.light) = (10, read.light) }
      let form = FrameForm.planes(
        region: CleanAperture(showing: area, of: facts, read.orientation), size: coded,
        matrix: color.matrix ?? facts.assumedMatrix, bitDepth: format.bitDepth)
      return try unsafe record(
        clip, plan, durations, form, format, copying: clip.stream, shortDelays: shortDelays,
        crop: crop)
    }
  }

  private func paced(_ plan: ShotPlan) throws(InspectionError) -> ShotPlan {
    recipe.container == .webm ? try plan.even(limits) : plan
  }

  private func form(_ drawing: Drawing, _ size: PixelSize) -> FrameForm {
    .picture(size: size) { image throws(InspectionError) in
      try encoding.prepared(image, drawing, on: size)
    }
  }

  private func format(
    _ plan: ShotPlan, _ size: PixelSize, _ color: ColorDescription, resting: Bool = false
  ) -> VideoEncoder.Format {
    var format = VideoEncoder.Format(
      codec: .movie(encoding.codec), size: size, timeBase: plan.timeBase, rate: plan.rate,
      color: color)
    format.rateLimit = encoding.rateLimit
    format.restsAtEnd = resting && plan.restsAtEnd
    format.isQuick = encoding.isQuick
    format.frameCount = plan.shots.count
    return format
  }

  private func record(
    _ source: borrowing some FrameSource & ~Copyable, _ plan: ShotPlan, _ durations: [Rational],
    _ form: FrameForm, _ format: VideoEncoder.Format, copying stream: VideoStream? = nil,
    shortDelays: Int, crop: CropReport? = nil, motion: Motion.Kind? = nil
  ) throws(InspectionError) -> MadeFile {
    var report = EncodingReport(plan, durations)
    (report.raisedDelays, report.crop, report.motion) = (shortDelays, crop, motion)
    if onlyPlans { return MadeFile(bytes: [], report: report) }
    let recorder = try unsafe MovieRecorder(
      plan, form, format, copying: stream, container: recipe.container, drift: encoding.drift,
      mostBytes: Int(clamping: recipe.mostBytes(limits)), progress: progress)
    let bytes = try recorder.record(source)
    report.isFlattened = recorder.isTransparent
    return MadeFile(bytes: bytes, report: report)
  }
}

extension FrameSelection {
  /// The selection of pictures that are counted from 0.
  ///
  /// - Parameter first: the number of the first one in the animation.
  /// - Throws: `no-frames` for a number before that.
  fileprivate func counted(from first: Int) throws(InspectionError) -> FrameSelection {
    guard countsFromInPoint, first != 0 else { return self }
    var counted = self
    for position in [\FrameSelection.start, \.end] {
      guard case .frame(let number)? = self[keyPath: position] else { continue }
      guard number >= first else {
        throw InspectionError(
          .noFrames, "there is no frame \(number): the animation begins at frame \(first)",
          advice: "name frames as the animation numbers them")
      }
      counted[keyPath: position] = .frame(number - first)
    }
    return counted
  }
}

extension EncodingReport {
  /// - Parameter durations: of the frames of the source, in seconds.
  fileprivate init(_ plan: ShotPlan, _ durations: [Rational]) {
    self.init(
      sourceFrames: plan.frames.count,
      sourceSeconds: durations[plan.frames].reduce(0) { $0 + $1.value },
      frameCount: plan.shots.count, durationSeconds: plan.durationSeconds,
      loweredRate: plan.loweredRate?.value)
  }
}

extension ShotPlan {
  /// Every frame once, in order, at the times that a copy has.
  fileprivate init(copying clock: ClipClock) {
    let even = CopiedTimes.even(
      clock.timestamps, timeBase: clock.timeBase, lastDuration: clock.lastDuration)
    self.init(
      ticks: zip(even.times, even.times.dropFirst()).map { max(1, $1.subtractingClamped($0)) },
      timeBase: even.timeBase)
  }
}

extension MediaFacts {
  /// The colours that an encoding of its samples states: its own, with the matrix that players assume.
  fileprivate var encodedColor: ColorDescription {
    var color = color
    color.matrix = chroma == "rgb" ? (color.isHDR ? "bt2020nc" : "bt709") : assumedMatrix
    return color
  }
}
