/// Which frames of a source a new file shows, in which order and for how long.
package struct FrameSelection: Sendable, Equatable, Codable {
  /// The order in which the frames are shown.
  package enum Order: Sendable, Equatable, Codable {
    /// Forward, once. A player repeats the video.
    case loop
    /// The same: a video does not say how often it is played.
    case once
    /// Forward and backward. The first and the last frame are there once, since each turn shows them once.
    case autoReverse
    /// Forward, this many times, at least 1.
    case repeated(Int)
    /// Forward and backward, this many times, at least 1.
    case repeatedBack(Int)
  }

  /// A place in time.
  package enum Position: Sendable, Equatable, Codable {
    /// Counted from 0.
    case frame(Int)
    /// 0 to 1.
    case progress(Double)
    case seconds(Double)
  }

  /// The first frame that is shown.
  package var start: Position?
  /// The first frame that is not shown any more.
  package var end: Position?
  package var order = Order.loop
  /// Frames at the end that dissolve into as many before the start.
  package var dissolvedFrames = 0
  /// 2 is twice as fast.
  package var speed = Rational.one
  /// Frames a second, constant; `nil` leaves every frame at its time.
  package var rate: Rational?
  /// The frames have no usable times: each is shown for a frame of ``rate``.
  package var ignoresTimes = false
  /// Takes what there is: a rate above ``highestRate`` is lowered, and a range ends where the source does. Otherwise the
  /// rate stays, and a frame that is missing is an error.
  package var adapts = false

  package init() {}

  /// The frames of a range, once, in order.
  package init(_ range: Range<Int>) {
    (start, end) = (.frame(range.lowerBound), .frame(range.upperBound))
  }

  /// The highest rate that animated artwork may have (Apple, "Providing animated artwork for media items").
  package static let highestRate: Int64 = 60

  /// The frames from ``start`` to ``end`` of a source with so many; `nil` where frame numbers do not say it.
  package func range(of count: Int) -> Range<Int>? {
    func number(_ position: Position?, _ none: Int) -> Int? {
      switch position {
      case .frame(let number): number
      case nil: none
      case .progress, .seconds: nil
      }
    }
    guard let first = number(start, 0), let last = number(end, count), first < last else {
      return nil
    }
    return first..<last
  }
}
