import ArtworkModel

/// A property of a document as numbers over time: one value, or keyframes with curves between them.
struct AnimatedProperty {
  private let node: JSONNode

  init(_ node: JSONNode) { self.node = node }

  /// The numbers at a frame of the layer's own timeline, as rlottie draws them; empty if the document has none.
  func numbers(at frame: Double) -> [Double] {
    // A position may be two properties.
    if let x = node["x"], let y = node["y"], case .object = x {
      return (Self(x).numbers(at: frame).prefix(1) + Self(y).numbers(at: frame).prefix(1)).map(
        \.self)
    }
    guard let value = node["k"] else { return [] }
    let frames = value.items.filter { $0["t"] != nil }
    guard !frames.isEmpty else { return Self.numbers(value) }
    return Self.numbers(among: frames, at: frame)
  }

  /// Whether it has keyframes.
  var isAnimated: Bool {
    if let x = node["x"], let y = node["y"], case .object = x {
      return Self(x).isAnimated || Self(y).isAnimated
    }
    return node["k"]?.items.contains { $0["t"] != nil } ?? false
  }

  private static func numbers(_ value: JSONNode?) -> [Double] {
    guard let value else { return [] }
    return value.number.map { [$0] } ?? value.items.compactMap(\.number)
  }

  private static func numbers(among frames: [JSONNode], at frame: Double) -> [Double] {
    func time(_ index: Int) -> Double { frames[index]["t"]?.number ?? 0 }
    guard let index = frames.indices.last(where: { time($0) <= frame }) else {
      return numbers(frames[0]["s"])
    }
    let start = numbers(frames[index]["s"])
    // Old documents write the end beside the start, and nothing into the last keyframe.
    if start.isEmpty, index > 0 { return end(of: index - 1, frames) }
    guard index + 1 < frames.count, !(frames[index]["h"]?.isSet ?? false) else { return start }
    let end = end(of: index, frames)
    let span = time(index + 1) - time(index)
    guard span > 0, end.count == start.count else { return start }
    let share = (frame - time(index)) / span
    if let point = along(frames[index], start, end, Self.eased(share, frames[index], 0)) {
      return point
    }
    return start.indices.map { axis in
      start[axis] + (end[axis] - start[axis]) * eased(share, frames[index], axis)
    }
  }

  private static func end(of index: Int, _ frames: [JSONNode]) -> [Double] {
    let own = numbers(frames[index]["e"])
    return own.isEmpty && index + 1 < frames.count ? numbers(frames[index + 1]["s"]) : own
  }

  // MARK: - Curves

  /// How much of the way is done when a share of the time has passed: a cubic from (0, 0) to (1, 1) whose handles are the
  /// keyframe's `o` and `i`.
  private static func eased(_ share: Double, _ frame: JSONNode, _ axis: Int) -> Double {
    func handle(_ name: String, _ coordinate: String) -> Double? {
      let value = numbers(frame[name]?[coordinate])
      return value.indices.contains(axis) ? value[axis] : value.first
    }
    guard let x1 = handle("o", "x"), let y1 = handle("o", "y"), let x2 = handle("i", "x"),
      let y2 = handle("i", "y")
    else { return share }
    // The cubic's time grows, so its parameter is found by halving: 40 steps are exact to a trillionth.
    var (low, high) = (0.0, 1.0)
    for _ in 0..<40 {
      let middle = (low + high) / 2
      if cubic(0, x1, x2, 1, middle) < share { low = middle } else { high = middle }
    }
    return cubic(0, y1, y2, 1, low)
  }

  private static func cubic(_ a: Double, _ b: Double, _ c: Double, _ d: Double, _ t: Double)
    -> Double
  {
    let u = 1 - t
    return u * u * u * a + 3 * u * u * t * b + 3 * u * t * t * c + t * t * t * d
  }

  /// The point that lies so far along the keyframe's path; `nil` if it is a straight line.
  private static func along(
    _ frame: JSONNode, _ start: [Double], _ end: [Double], _ share: Double
  ) -> [Double]? {
    let (out, into) = (numbers(frame["to"]), numbers(frame["ti"]))
    guard start.count >= 2, out.count >= 2, into.count >= 2,
      (out + into).contains(where: { $0 != 0 })
    else { return nil }
    func point(_ t: Double) -> [Double] {
      (0..<2).map { cubic(start[$0], start[$0] + out[$0], end[$0] + into[$0], end[$0], t) }
    }
    // Lengths of 200 chords: the sum of each path is off by less than a thousandth.
    let points = (0...200).map { point(Double($0) / 200) }
    var lengths = [0.0]
    for (from, to) in zip(points, points.dropFirst()) {
      let (x, y) = (to[0] - from[0], to[1] - from[1])
      lengths.append((lengths.last ?? 0) + (x * x + y * y).squareRoot())
    }
    let wanted = share * (lengths.last ?? 0)
    guard let next = lengths.firstIndex(where: { $0 >= wanted }), next > 0 else {
      return share <= 0 ? start : end
    }
    let part = (wanted - lengths[next - 1]) / max(lengths[next] - lengths[next - 1], .ulpOfOne)
    return (0..<2).map { points[next - 1][$0] + (points[next][$0] - points[next - 1][$0]) * part }
  }
}
