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
      // The frame that is shown then; at the end, the last one.
      let time = try frame(at: start)
      var first = (time + 1e-6).rounded(.down)
      if case .frame = start {} else if time == Double(endFrame) { first -= 1 }
      guard first >= Double(startFrame) else { throw noFrame(first) }
      part = first..<max(first, part.upperBound)
    }
    let first = wholeNumber(part.lowerBound.rounded(.up), as: Int.self) ?? endFrame
    let end = wholeNumber(part.upperBound.rounded(.up), as: Int.self) ?? endFrame
    let frames = max(first, startFrame)..<max(first, startFrame, min(end, endFrame))
    guard !frames.isEmpty else {
      throw noFrame(Double(first))
    }
    return frames.lowerBound - startFrame..<frames.upperBound - startFrame
  }

  private func noFrame(_ number: Double) -> InspectionError {
    InspectionError(
      .noMatch,
      "there is no frame \(wholeNumber(number, as: Int.self) ?? endFrame); the animation has frames "
        + "\(startFrame) to \(endFrame - 1)", advice: "name one of these frames")
  }
}
