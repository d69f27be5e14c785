extension Recipe {
  /// The changes to the picture of a clip, in sentences.
  ///
  /// - Parameter new: of the new file; `nil` to compute its length from the rates.
  /// - Returns: nothing for a copy.
  package func changes(of facts: MediaFacts, new: MediaFacts?) -> [String] {
    guard let encoding else { return [] }
    let title = VideoCodec.title(of: encoding.codec.rawValue)
    let same = facts.codec == encoding.codec.rawValue
    return ["encodes the video again\(same ? "" : " as \(title)")"] + length(facts, new)
      + times(facts, new?.frameCount)
      + (encoding.drift == nil
        ? [] : ["light and colour that drift from the start to the end are evened out"])
      + encoding.changes(of: facts)
  }

  /// Whether a crop leaves less than nine tenths of the picture.
  package var losesMuch: Bool {
    guard case .part(let area, let whole)? = encoding?.area else { return false }
    return area.size.area * 10 < whole.area * 9
  }

  /// The old and new duration of a file, if they differ by more than rounding.
  private func length(_ facts: MediaFacts, _ new: MediaFacts?) -> [String] {
    let seconds = new?.durationSeconds ?? displayedSeconds(of: facts)
    guard (seconds - facts.durationSeconds).magnitude > 0.015 else { return [] }
    let words = [facts.durationSeconds, seconds].map { decimal($0, places: 2) }
    return ["\(words[0]) s becomes \(new == nil ? "about " : "")\(words[1]) s"]
  }

  /// The duration of the selected frames, at the mean rate of the source.
  package func displayedSeconds(of facts: MediaFacts) -> Double {
    if frames.ignoresTimes, let rate = frames.rate {
      return Double(displayedCount(of: facts.frameCount)) / max(rate.value, 0.001)
    }
    return facts.durationSeconds * Double(displayedCount(of: facts.frameCount))
      / Double(max(1, facts.frameCount))
  }

  /// The duration of the selected frames without repeated ones: how much of the source remains.
  package func remainingSeconds(of facts: MediaFacts) -> Double {
    let kept = frames.range(of: facts.frameCount)?.count ?? facts.frameCount
    return facts.durationSeconds * Double(kept) / Double(max(1, facts.frameCount))
  }

  private func times(_ facts: MediaFacts, _ newFrameCount: Int?) -> [String] {
    var sentences: [String] = []
    let range = frames.range(of: facts.frameCount) ?? 0..<max(1, facts.frameCount)
    let dropped = facts.frameCount.subtractingClamped(range.count)
    if dropped > 0 {
      sentences.append(
        "\(dropped) of \(facts.frameCount) frames \(dropped == 1 ? "is" : "are") dropped; "
          + "frames \(range.lowerBound) to \(range.upperBound - 1) stay")
    }
    if frames.dissolvedFrames > 0 {
      sentences.append(
        "the last \(frames.dissolvedFrames) frames dissolve into those before the first, so that the end leads to the start"
      )
    }
    switch frames.order {
    case .autoReverse:
      sentences.append("plays forward, then backward, with each turning frame once")
    case .repeated(let times): sentences.append("plays \(times) times")
    case .loop, .once, .repeatedBack: break
    }
    let leftOut = leftOut(of: facts, range)
    sentences += leftOut.sentences
    let shown = displayedCount(of: facts.frameCount).subtractingClamped(leftOut.count)
    if let rate = frames.rate {
      let fps = "\(decimal(rate.value, places: 3)) fps"
      let estimate = wholeNumber((Double(shown) * rate.value / (facts.frameRate ?? 1)).rounded())
      let count = newFrameCount ?? (frames.ignoresTimes ? shown : estimate) ?? shown
      let change =
        count < shown
        ? "\(shown - count) of \(shown) frames are dropped"
        : count > shown
          ? "\(count - shown) \(count - shown == 1 ? "is" : "are") shown twice"
          : "every frame is kept"
      sentences.append("shows \(fps): \(change)")
    }
    if let begin = frames.begin {
      sentences.append(
        "begins with frame \(begin), which is most like the cover or the old first frame")
    }
    if (frames.begin ?? range.lowerBound) > 0 {
      sentences.append("the first frame changes: make a new preview")
    }
    return sentences
  }

  /// The repeated frames in a range that are left out, in words.
  private func leftOut(of facts: MediaFacts, _ range: Range<Int>) -> (
    count: Int, sentences: [String]
  ) {
    guard let cadence = frames.cadence else { return (0, []) }
    let count = range.count { cadence.isRepeat($0) }
    let rate = facts.frameRateRatio?.multiplied(by: cadence.share)
    let words = rate.map { ": \(decimal($0.value, places: 3)) fps" } ?? ""
    return (
      count,
      [
        "leaves out \(count) \(count == 1 ? "frame that repeats" : "frames that repeat") the one before\(words)"
      ]
    )
  }

  /// Frames before the rate changes, of a source with so many.
  package func displayedCount(of count: Int) -> Int {
    let taken = (frames.range(of: count) ?? 0..<max(1, count)).count
    return switch frames.order {
    case .autoReverse: 2 * taken - 2
    case .repeated(let times): times.multipliedClamped(by: taken)
    case .loop, .once, .repeatedBack: taken
    }
  }
}

extension Encoding {
  fileprivate func changes(of facts: MediaFacts) -> [String] {
    var sentences: [String] = []
    let whole = CropArea(facts)
    var part = whole
    if case .part(let area, _) = area, area != whole {
      part = area
      sentences.append(
        "crops \(area.width)x\(area.height) at \(area.x),\(area.y) out of \(whole.width)x\(whole.height)"
      )
    }
    let size = size ?? part.size
    let coded = PixelSize(
      width: max(2, facts.codedWidth / 2 * 2), height: max(2, facts.codedHeight / 2 * 2))
    if facts.sampleAspect != .one, part == whole, [coded, coded.transposed].contains(size) {
      sentences.append("shows the stored pixels as squares: \(size)")
    } else if abs(size.width - part.width) > 1 || abs(size.height - part.height) > 1 {
      sentences.append("scales it to \(size)")
    } else if size.width != part.width || size.height != part.height {
      sentences.append("cuts off the odd row or column: \(size)")
    }
    if facts.fieldOrder ?? .progressive != .progressive {
      sentences.append(
        "lines of the second moment are drawn from those of the first, where they differ")
    }
    if facts.color.isHDR {
      sentences.append("HDR becomes SDR, BT.709")
    } else if let matrix = facts.color.matrix, facts.chroma != "rgb", matrix != color?.matrix {
      sentences.append("the colours become BT.709")
    }
    if facts.hasAlpha { sentences.append("transparent parts become black") }
    if facts.bitDepth > 8 { sentences.append("\(facts.bitDepth) bits become 8") }
    if facts.chroma != "4:2:0", facts.chroma != "gray" {
      sentences.append("\(facts.chroma == "rgb" ? "RGB" : facts.chroma) becomes 4:2:0")
    }
    return sentences
  }
}
