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
    let times = [scale, self["o"]].flatMap { property in
      property?["k"]?.items.compactMap { $0["t"]?.number } ?? []
    }
    guard let start = times.min()?.rounded(.down), let end = times.max()?.rounded(.up),
      end > start, end - start < Self.mostHeld
    else { return nil }
    let frames = Array(stride(from: start, through: end, by: 1))
    guard frames.contains(where: { size.numbers(at: $0).prefix(2).contains(0) }) else { return nil }
    return .object([
      Field(name: "a", value: .number(1)),
      Field(
        name: "k",
        value: .list(
          frames.map { frame in
            .object([
              Field(name: "t", value: .number(frame)),
              Field(name: "s", value: .list([.number(shown(at: frame))])),
              Field(name: "h", value: .number(1)),
            ])
          })),
    ])
  }
}
