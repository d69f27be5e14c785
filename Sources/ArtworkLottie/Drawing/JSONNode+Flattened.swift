import ArtworkModel

extension JSONNode {
  /// The opacity of a transform that hides its contents while its scale is zero in one direction: rlottie draws lines
  /// there with their whole width. `nil` if the scale never is.
  var opacityWhereFlat: JSONNode? {
    guard let scale = self["s"] else { return nil }
    let size = AnimatedProperty(scale)
    let opacity = AnimatedProperty(self["o"] ?? .still(.number(100)))
    func shown(at frame: Double) -> Double {
      size.numbers(at: frame).prefix(2).contains(0) ? 0 : opacity.numbers(at: frame).first ?? 100
    }
    guard size.isAnimated else {
      return size.numbers(at: 0).prefix(2).contains(0) ? .still(.number(0)) : nil
    }
    let times = Self.heldTimes(of: [scale, self["o"]])
    guard times.count > 1, times.contains(where: { size.numbers(at: $0).prefix(2).contains(0) })
    else { return nil }
    return Self.animated(times.map { Self.held(.list([.number(shown(at: $0))]), at: $0) })
  }
}
