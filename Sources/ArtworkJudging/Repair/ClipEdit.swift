/// The changes when a clip is encoded again: for one finding, or for several at once.
package struct ClipEdit: Sendable, Equatable {
  /// The parameters of a search for loops.
  package struct LoopSearch: Sendable, Equatable {
    /// The shortest loop, in seconds.
    package var shortest = TrimRequest.usualShortest
    package var below = Profile.usualDurationBelow
  }

  /// The clip becomes the best loop in it.
  package var loop: LoopSearch?
  /// Frames to leave out at the end.
  package var droppedFrames = 0
  /// How often it plays; at least 1.
  package var passes = 1
  /// Frames a second, constant; `nil` leaves every frame at its time.
  package var rate: Rational?
  /// Whether the frames have no usable times: each then lasts one frame of ``rate``.
  package var ignoresTimes = false
  /// Repeated frames to leave out.
  package var cadence: Cadence?
  /// `nil` for the whole picture.
  package var area: CropArea?
  /// Pixels of the result; `nil` for those of the area.
  package var size: PixelSize?
  /// Whether to interpret the stored picture with square pixels.
  package var ignoresPixelAspect = false
  /// Any colours become BT.709.
  package var makesBT709 = false

  /// Combines both edits. If they contradict each other, the stricter one counts; checking the result decides whether
  /// that is enough for both.
  package func merged(with other: ClipEdit) -> ClipEdit {
    var edit = self
    if let search = loop, let requested = other.loop {
      edit.loop = LoopSearch(
        shortest: max(search.shortest, requested.shortest),
        below: min(search.below, requested.below))
    } else {
      edit.loop = loop ?? other.loop
    }
    edit.droppedFrames = max(droppedFrames, other.droppedFrames)
    edit.passes = max(passes, other.passes)
    edit.rate = [rate, other.rate].compactMap(\.self).min()
    edit.ignoresTimes = ignoresTimes || other.ignoresTimes
    edit.cadence = cadence ?? other.cadence
    // The area inside bars is smaller than one that only has the right shape.
    if let area, let part = other.area {
      edit.area = area.width * area.height <= part.width * part.height ? area : part
    } else {
      edit.area = area ?? other.area
    }
    edit.size = [size(in: edit.area), other.size(in: edit.area)].compactMap(\.self)
      .min { $0.area < $1.area }
    edit.ignoresPixelAspect = ignoresPixelAspect || other.ignoresPixelAspect
    edit.makesBT709 = makesBT709 || other.makesBT709
    return edit
  }

  /// The size that this edit requires for `part`: as many pixels, and never more than the part has.
  private func size(in part: CropArea?) -> PixelSize? {
    guard let size, let part, part != area else { return size }
    let scale = (Double(size.area) / Double(part.width * part.height)).squareRoot()
    guard scale < 1 else { return nil }
    func side(_ length: Int) -> Int { max(1, wholeNumber(Double(length) * scale) ?? 1) }
    return PixelSize(width: side(part.width), height: side(part.height))
  }
}

extension [Finding] {
  /// The change of all of them at once.
  package var edit: ClipEdit { compactMap(\.edit).reduce(ClipEdit()) { $0.merged(with: $1) } }
}
