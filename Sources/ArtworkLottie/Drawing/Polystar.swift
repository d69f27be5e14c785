import ArtworkModel
import Glibc

extension JSONNode {
  /// The most corners that become a path.
  private static let mostCorners = 2000

  /// A polygon or a star as a group with a closed path, as browsers draw it. rlottie turns stars twice as far and polygons
  /// further by 1.57 degrees, rounds them less, and leaves the first corner open. `nil` for other shapes and for numbers
  /// that make no polygon.
  var drawnPolystar: JSONNode? {
    guard self["ty"] == .text("sr") else { return nil }
    let names = ["pt", "or", "os", "ir", "is"]
    let properties = names.map { self[$0].map(AnimatedProperty.init) }
    func corners(at time: Double) -> JSONNode? {
      let numbers = properties.map { $0?.numbers(at: time).first }
      guard let points = numbers[0]?.rounded(.down), let outer = numbers[1] else { return nil }
      return cornerPath(
        points: points, outer: (outer, numbers[2] ?? 0),
        inner: self["sy"]?.number == 1 ? (numbers[3] ?? 0, numbers[4] ?? 0) : nil)
    }
    let times = Self.heldTimes(of: names.map { self[$0] })
    let path =
      times.count > 1
      ? Self.animated(
        times.compactMap { time in corners(at: time).map { Self.held(.list([$0]), at: time) } })
      : corners(at: 0).map(JSONNode.still)
    guard let path else { return nil }
    let origin = JSONNode.still(.list([.number(0), .number(0)]))
    return .object([
      Field(name: "ty", value: .text("gr")),
      Field(
        name: "it",
        value: .list([
          .object([Field(name: "ty", value: .text("sh")), Field(name: "ks", value: path)]),
          .object([
            Field(name: "ty", value: .text("tr")),
            Field(name: "p", value: self["p"]?.drawnPosition ?? origin),
            Field(name: "a", value: origin),
            Field(name: "s", value: .still(.list([.number(100), .number(100)]))),
            Field(name: "r", value: self["r"]?.drawnProperty ?? .still(.number(0))),
            Field(name: "o", value: .still(.number(100))),
          ]),
        ])),
    ])
  }

  /// A closed path around the origin, from the top.
  ///
  /// - Parameter outer: radius, and roundness in percent: at 100, the handles of a polygon have the length of a quarter of
  ///   the circumference, shared among its corners.
  private func cornerPath(
    points: Double, outer: (radius: Double, round: Double), inner: (radius: Double, round: Double)?
  ) -> JSONNode? {
    guard points >= 2, points <= Double(Self.mostCorners), outer.radius.isFinite,
      inner?.radius.isFinite ?? true
    else { return nil }
    let count = Int(points) * (inner == nil ? 1 : 2)
    let direction: Double = self["d"]?.number == 3 ? -1 : 1
    var (vertices, handles, opposites): ([JSONNode], [JSONNode], [JSONNode]) = ([], [], [])
    for index in 0..<count {
      let corner = index.isMultiple(of: 2) ? outer : inner ?? outer
      let angle = direction * 2 * .pi * Double(index) / Double(count) - .pi / 2
      // Along the circle; a star's corners share half of it.
      let length =
        2 * .pi * corner.radius / (Double(count) * (inner == nil ? 4 : 2)) * corner.round / 100
        * direction
      let handle = [-sin(angle) * length, cos(angle) * length]
      vertices.append(
        .list([.number(cos(angle) * corner.radius), .number(sin(angle) * corner.radius)]))
      handles.append(.list(handle.map(JSONNode.number)))
      opposites.append(.list(handle.map { .number(-$0) }))
    }
    return .object([
      Field(name: "i", value: .list(opposites)), Field(name: "o", value: .list(handles)),
      Field(name: "v", value: .list(vertices)), Field(name: "c", value: .bool(true)),
    ])
  }
}
