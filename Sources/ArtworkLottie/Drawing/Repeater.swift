import ArtworkModel
import Glibc

extension JSONNode {
  /// The shapes of a layer or a group as rlottie expects them.
  static func drawnShapes(_ shapes: [JSONNode]) -> [JSONNode] {
    shapes.reduce(into: []) { drawn, shape in
      if let copies = shape.copies(of: drawn) {
        drawn = copies
      } else if let shape = shape.drawnShape {
        drawn.append(shape)
      }
    }
  }

  /// The most copies that are drawn as groups of their own.
  private static let mostCopies = 200.0

  /// What a repeater makes of the shapes before it, a group for each copy, the first on top. `nil` for other shapes and
  /// for repeaters that rlottie draws well: those with a number of copies and an offset that do not change.
  private func copies(of shapes: [JSONNode]) -> [JSONNode]? {
    guard self["ty"] == .text("rp"), !(self["hd"]?.isSet ?? false), let transform = self["tr"],
      let places = CopyPlaces(self, transform), places.most <= Self.mostCopies
    else { return nil }
    let groups = (0..<Int(places.most)).map { number in
      JSONNode.object([
        Field(name: "ty", value: .text("gr")),
        Field(name: "it", value: .list(shapes + [places.transform(ofCopy: Double(number))])),
      ])
    }
    return self["m"]?.number == 2 ? groups.reversed() : groups
  }
}

/// Where the copies of a repeater are, frame by frame.
private struct CopyPlaces {
  private struct Moment {
    var time: Double
    var copies: Double
    var offset: Double
    /// What is added from copy to copy: position, anchor, scale in percent, rotation in degrees.
    var position, anchor, scale: [Double]
    var rotation: Double
    /// Opacity of the first copy and of the last, in percent.
    var opacities: [Double]
  }

  private var moments: [Moment] = []
  /// The highest number of copies at any time.
  var most: Double { moments.map(\.copies).max() ?? 0 }

  /// `nil` unless the number of copies or the offset is animated.
  init?(_ repeater: JSONNode, _ transform: JSONNode) {
    let nodes =
      ["c", "o"].map { repeater[$0] } + ["p", "a", "s", "r", "so", "eo"].map { transform[$0] }
    let properties = nodes.map { $0.map(AnimatedProperty.init) }
    guard properties.prefix(2).contains(where: { $0?.isAnimated ?? false }) else { return nil }
    let times = JSONNode.heldTimes(of: nodes)
    if times.isEmpty { return nil }
    for time in times {
      func numbers(_ index: Int, _ usual: [Double]) -> [Double] {
        let found = properties[index]?.numbers(at: time) ?? []
        return found.count >= usual.count ? Array(found.prefix(usual.count)) : usual
      }
      let moment = Moment(
        time: time, copies: max(0, numbers(0, [0])[0].rounded(.up)), offset: numbers(1, [0])[0],
        position: numbers(2, [0, 0]), anchor: numbers(3, [0, 0]), scale: numbers(4, [100, 100]),
        rotation: numbers(5, [0])[0], opacities: numbers(6, [100]) + numbers(7, [100]))
      guard moment.copies.isFinite, moment.offset.isFinite else { return nil }
      moments.append(moment)
    }
  }

  /// The transform of the group that is this copy, invisible while there are fewer.
  func transform(ofCopy number: Double) -> JSONNode {
    func property(_ value: (Moment) -> [Double]) -> JSONNode {
      let values = moments.map(value)
      if let first = values.first, values.allSatisfy({ $0 == first }) {
        let numbers = first.map(JSONNode.number)
        return .still(numbers.count == 1 ? numbers[0] : .list(numbers))
      }
      return JSONNode.animated(
        zip(moments, values).map { JSONNode.held(.list($1.map(JSONNode.number)), at: $0.time) })
    }
    func step(_ moment: Moment) -> Double { number + moment.offset }
    return .object([
      JSONNode.Field(name: "ty", value: .text("tr")),
      JSONNode.Field(
        name: "p",
        value: property { moment in
          zip(moment.anchor, moment.position).map { $0 + $1 * step(moment) }
        }),
      JSONNode.Field(name: "a", value: property(\.anchor)),
      JSONNode.Field(
        name: "s",
        value: property { moment in
          // Nothing becomes infinite where the offset is below zero.
          moment.scale.map { 100 * min(1e4, pow(max(0.001, $0 / 100), step(moment))) }
        }),
      JSONNode.Field(name: "r", value: property { [$0.rotation * step($0)] }),
      JSONNode.Field(
        name: "o",
        value: property { moment in
          guard number < moment.copies else { return [0] }
          let share = moment.copies > 1 ? number / (moment.copies - 1) : 0
          return [moment.opacities[0] + (moment.opacities[1] - moment.opacities[0]) * share]
        }),
    ])
  }
}
