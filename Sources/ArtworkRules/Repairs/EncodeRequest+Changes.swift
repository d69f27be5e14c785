extension EncodeRequest {
  /// What happens to the picture of a clip, in sentences.
  ///
  /// - Parameter newFrameCount: frames of the new file; `nil` to compute them from the rates.
  package func changes(of facts: MediaFacts, newFrameCount: Int?) -> [String] {
    let title = VideoCodec.title(of: codec.rawValue)
    let same = facts.codec == codec.rawValue
    return ["encodes the video again\(same ? "" : " as \(title)")"] + times(facts, newFrameCount)
      + pictures(facts)
  }

  private func times(_ facts: MediaFacts, _ newFrameCount: Int?) -> [String] {
    var sentences: [String] = []
    let dropped = facts.frameCount - frames.count
    if dropped > 0 {
      sentences.append(
        "\(dropped) of \(facts.frameCount) frames \(dropped == 1 ? "is" : "are") dropped; "
          + "frames \(frames.lowerBound) to \(frames.upperBound - 1) stay")
    }
    if dissolvedFrames > 0 {
      sentences.append(
        "the last \(dissolvedFrames) frames dissolve into those before the first, so that the end leads to the start"
      )
    }
    switch order {
    case .autoReverse:
      sentences.append("plays forward, then backward, with each turning frame once")
    case .repeated(let times): sentences.append("plays \(times) times")
    case .loop, .once, .repeatedBack: break
    }
    let shown = shownCount
    if let rate {
      let fps = "\(decimal(rate.value, places: 3)) fps"
      let estimate = wholeNumber((Double(shown) * rate.value / (facts.frameRate ?? 1)).rounded())
      let count = newFrameCount ?? (ignoresTimes ? shown : estimate) ?? shown
      let change =
        count < shown
        ? "\(shown - count) of \(shown) frames are dropped"
        : count > shown
          ? "\(count - shown) \(count - shown == 1 ? "is" : "are") shown twice"
          : "every frame stays"
      sentences.append("shows \(fps): \(change)")
    }
    if frames.lowerBound > 0 {
      sentences.append("the first frame is another one: make the preview again")
    }
    return sentences
  }

  /// Frames before the rate changes.
  package var shownCount: Int {
    switch order {
    case .autoReverse: 2 * frames.count - 2
    case .repeated(let times): times.multipliedClamped(by: frames.count)
    case .loop, .once, .repeatedBack: frames.count
    }
  }

  private func pictures(_ facts: MediaFacts) -> [String] {
    var sentences: [String] = []
    let whole = CropArea(facts)
    if let area, area != whole {
      sentences.append(
        "crops \(area.width)x\(area.height) at \(area.x),\(area.y) out of \(whole.width)x\(whole.height)"
      )
    }
    let part = area ?? whole
    if ignoresPixelAspect {
      sentences.append("shows the stored pixels as squares: \(size)")
    } else if abs(size.width - part.width) > 1 || abs(size.height - part.height) > 1 {
      sentences.append("scales it to \(size)")
    } else if size.width != part.width || size.height != part.height {
      sentences.append("cuts off the odd row or column: \(size)")
    }
    if facts.color.isHDR {
      sentences.append("HDR becomes SDR, BT.709")
    } else if let matrix = facts.color.matrix, facts.chroma != "rgb", matrix != color.matrix {
      sentences.append("the colours become BT.709")
    }
    if facts.hasAlpha { sentences.append("what is transparent becomes black") }
    if facts.bitDepth > 8 { sentences.append("\(facts.bitDepth) bits become 8") }
    if facts.chroma != "4:2:0", facts.chroma != "gray" {
      sentences.append("\(facts.chroma == "rgb" ? "RGB" : facts.chroma) becomes 4:2:0")
    }
    return sentences
  }
}
