public import ArtworkModel

extension Animation {
  /// Makes the changes in their order, values before switches.
  ///
  /// - Returns: the numbers of the frames to draw, 0 for the first of the animation; at least one.
  /// - Throws: `no-match` for names that do not exist, and for a part without a frame.
  public mutating func apply(_ edits: AnimationEdits) throws(InspectionError) -> Range<Int> {
    embed(base64: edits.images)
    for setting in edits.values {
      try setValue(text: setting.value, for: AnimationKeypath(keypath: setting.keypath))
    }
    for change in edits.switches {
      try setEnabled(change.isShown, for: AnimationKeypath(keypath: change.keypath))
    }
    var part = Double(startFrame)..<Double(endFrame)
    if let marker = edits.marker { part = try frames(ofMarker: marker) }
    if let start = edits.start {
      let first = try frame(at: start)
      part = first..<max(first, part.upperBound)
    }
    let first = wholeNumber(part.lowerBound.rounded(.up), as: Int.self) ?? endFrame
    let end = wholeNumber(part.upperBound.rounded(.up), as: Int.self) ?? endFrame
    let frames = max(first, startFrame)..<max(first, startFrame, min(end, endFrame))
    guard !frames.isEmpty else {
      throw InspectionError(
        .noMatch,
        "there is no frame \(first); the animation has frames \(startFrame) to \(endFrame - 1)")
    }
    return frames.lowerBound - startFrame..<frames.upperBound - startFrame
  }
}
