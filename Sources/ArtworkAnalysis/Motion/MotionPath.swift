import Glibc

/// The way of a view over a picture, as a closed curve whose speed is continuous everywhere.
///
/// The way begins and ends with the whole picture, so the view can only come closer, and it comes to rest there: slowly, as in
/// its other turn.
public struct MotionPath: Sendable, Equatable {
  /// What the view shows at a moment.
  public struct View: Sendable, Equatable {
    /// 1 is the whole picture, 1.1 a tenth larger.
    public var zoom: Double
    /// Where the view is in the room that it has beside the picture's middle: -1 at the left, 1 at the right.
    public var x: Double
    /// The same from the top to the bottom.
    public var y: Double
  }

  /// How much larger than the whole the picture gets at most; 0.05 is 5 per cent.
  public var depth: Double
  /// Which way it wanders, as an angle; `nil` for a view that stays in the middle.
  public var direction: Double?
  /// The share of the time until the view is closest, 0 to 1.
  public var turn: Double

  public init(depth: Double, direction: Double? = nil, turn: Double = 0.5) {
    (self.depth, self.direction, self.turn) = (depth, direction, turn)
  }

  /// The view at a moment.
  ///
  /// - Parameter phase: 0 to 1; both show the whole picture.
  public func view(at phase: Double) -> View {
    // Half of the way there, half of it back, each in its own time.
    let way = phase < turn ? phase / turn / 2 : 0.5 + (phase - turn) / (1 - turn) / 2
    let closeness = (1 - cos(2 * .pi * way)) / 2
    var view = View(zoom: 1 + depth * closeness, x: 0, y: 0)
    if let direction {
      // Forward through the whole loop, so that the way back is another; the room is zero where it starts anew.
      let (along, across) = (cos(.pi * phase), 0.5 * sin(2 * .pi * phase))
      view.x = along * cos(direction) - across * sin(direction)
      view.y = along * sin(direction) + across * cos(direction)
    }
    return view
  }
}
