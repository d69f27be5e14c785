internal import CKernels
import Glibc

/// The view zooms in and sways, and near parts move more than distant ones.
///
/// If the picture gives no depth, or edges everywhere leave no room for it, this effect is unavailable.
struct ParallaxEffect: Effect {
  let kind = Motion.Kind.parallax

  /// How much closer the view comes at strength 1.
  private static let depth = 0.06
  /// How much of that the nearest gains and the farthest loses.
  private static let swell = 0.4
  /// The maximum stretch or shear of a part of the picture at strength 1: in empty areas, and at strong edges. On most
  /// covers it decides how far near parts move.
  private static let bend = (flat: 0.08, edge: 0.025)
  /// The least displacement between the nearest and the farthest part that is visible as depth, in widths of the
  /// picture.
  private static let leastWay = 0.012
  /// See ``DepthMap/clarity``.
  private static let leastClarity = 0.36
  /// Where the view sways first: to the left, and a little up.
  private static let direction = (x: -0.9974303899498146, y: -0.035821143213753126)

  private let cover: PixelImage
  private let map: DepthMap
  private let factor: Double
  private let path: MotionPath

  /// - Returns: `nil` if the cover gives no depth.
  init?(_ cover: CoverView, _ motion: Motion) throws(InspectionError) {
    path = MotionPath(depth: Self.depth * motion.reach)
    self.cover = try cover.whole()
    map = DepthMap(self.cover)
    // The room at its widest, times how far the view is in it: 0.65 at most; and half of the picture that swells.
    let shift = path.depth / 2 * (0.65 + Self.swell)
    factor = map.factor(
      shift: shift, flat: Self.bend.flat * motion.reach, edge: Self.bend.edge * motion.reach)
    guard map.clarity >= Self.leastClarity,
      2 * factor * shift >= Self.leastWay * min(1, motion.reach)
    else { return nil }
  }

  func picture(at phase: Double) throws(InspectionError) -> PixelImage {
    let size = cover.size
    let nodes = places(at: phase).map { place in
      artwork_flow_vector(
        dx: Float(place.x * Double(size.width)), dy: Float(place.y * Double(size.height)))
    }
    return try cover.warped(by: nodes)
  }

  /// The source position of each node, relative to its own, in sides of the picture.
  func places(at phase: Double) -> [SIMD2<Double>] {
    let closeness = path.view(at: phase).zoom - 1
    let sway = sin(2 * .pi * phase)
    // The margin of the farthest part, so that no position is outside.
    let room = (1 - 1 / (1 + closeness * (1 - Self.swell * factor))) / 2 * sway
    return map.nodes.indices.map { node in
      let depth = factor * map.nodes[node]
      let shrunk = 1 / (1 + closeness * (1 + Self.swell * depth)) - 1
      let (column, row) = (node % DepthMap.side, node / DepthMap.side)
      let x = Double(column) / Double(DepthMap.side - 1) - 0.5
      let y = Double(row) / Double(DepthMap.side - 1) - 0.5
      return SIMD2(
        x * shrunk + room * Self.direction.x * depth, y * shrunk + room * Self.direction.y * depth)
    }
  }
}
