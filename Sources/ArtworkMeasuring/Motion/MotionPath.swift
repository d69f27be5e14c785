import Glibc

/// The way of a view over a picture, as a closed curve whose speed is continuous everywhere.
///
/// The way begins and ends with the whole picture, so the view can only come closer, and it comes to rest there:
/// slowly, as in its other turn.
package struct MotionPath: Sendable, Equatable {
  /// The view at one moment.
  package struct View: Sendable, Equatable {
    /// 1 is the whole picture, 1.1 a tenth larger.
    package var zoom: Double
    /// The horizontal position of the view within its range: -1 at the left, 1 at the right.
    package var x: Double
    /// The vertical position of the view within its range: -1 at the top, 1 at the bottom.
    package var y: Double
  }

  /// The maximum zoom; 0.05 is 5 percent.
  package var depth: Double
  /// The direction of its panning, as an angle; `nil` for a view that remains in the middle.
  package var direction: Double?
  /// The share of the time until the view is closest, 0.3 to 0.7: beyond, it would go back and forth.
  package var turn: Double = 0.5

  /// The view at a moment.
  ///
  /// - Parameter phase: 0 to 1; the view is the whole picture at both ends.
  package func view(at phase: Double) -> View {
    // Half of the path out, half of it back, each with its own duration. Time is eased, so that speed does not jump
    // at the turn.
    func swell(_ time: Double) -> Double { sin(.pi * time) * sin(.pi * time) }
    let way = phase + (0.5 - turn) / swell(turn) * swell(phase)
    let closeness = (1 - cos(2 * .pi * way)) / 2
    var view = View(zoom: 1 + depth * closeness, x: 0, y: 0)
    if let direction {
      // Forward through the whole loop, so that the return path differs; the room for panning is zero where it
      // restarts.
      let (along, across) = (cos(.pi * way), 0.5 * sin(2 * .pi * way))
      view.x = along * cos(direction) - across * sin(direction)
      view.y = along * sin(direction) + across * cos(direction)
    }
    return view
  }
}
