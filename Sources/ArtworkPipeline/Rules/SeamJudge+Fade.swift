extension SeamJudge {
  struct Fade: Equatable {
    var atStart: Bool
    var atEnd: Bool
    /// The lowest contrast, as a share of the usual contrast.
    var depth: Double
  }

  /// The fade that the contrast at the ends shows; `nil` if there is none.
  var fade: Fade? {
    let head = seam.headContrast
    let tail = Array(seam.tailContrast.reversed())
    guard let first = head.first, let last = tail.first else { return nil }
    let start = fades(inwards: head, to: last)
    let end = fades(inwards: tail, to: first)
    let usual = max(seam.contrast.usual, 1)
    if start || end {
      return Fade(
        atStart: start, atEnd: end,
        depth: min(start ? first : .infinity, end ? last : .infinity) / usual)
    }
    guard seam.scope == .everyFrame, head.count >= 24,
      seam.contrast.plateauShare > limits.dipPlateau, max(first, last) < limits.dipDepth * usual,
      climbs(head), climbs(tail)
    else { return nil }
    return Fade(atStart: true, atEnd: true, depth: max(first, last) / usual)
  }

  /// Whether the contrast rises steadily from the seam inwards, starting at a small share of the usual contrast
  /// or below the other end.
  private func fades(inwards contrasts: [Double], to other: Double) -> Bool {
    guard let outermost = contrasts.first, contrasts.count > 2 else { return false }
    let usual = max(seam.contrast.usual, 1)
    let growths = zip(contrasts, contrasts.dropFirst()).map { ($1 - $0) / usual }
    let ramp = growths.prefix { $0 > 0.004 }
    guard ramp.count >= 2, ramp.reduce(0, +) > limits.fadeRise else { return false }
    if outermost < limits.fadeEnd * seam.contrast.usual { return true }
    let gap = (other - outermost) / usual
    return outermost < limits.fadeDepth * seam.contrast.usual && gap > limits.fadeGap
      && gap > 2.5 * (ramp.max() ?? 0)
  }

  /// Whether the contrast reaches its usual level without falling on the way.
  private func climbs(_ contrasts: [Double]) -> Bool {
    let usual = seam.contrast.usual
    var steps = 0
    while steps + 1 < contrasts.count, contrasts[steps] < 0.93 * usual,
      contrasts[steps + 1] >= contrasts[steps] - 0.01 * usual
    {
      steps += 1
    }
    return steps >= 3 && contrasts[steps] >= 0.9 * usual
  }
}
