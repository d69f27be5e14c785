/// Which frames of a source a new file shows, in which order and for how long.
public struct FrameSelection: Sendable, Equatable, Codable {
  /// The order in which the frames are shown.
  public enum Order: Sendable, Equatable, Codable {
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
  public enum Position: Sendable, Equatable, Codable {
    /// Counted from 0.
    case frame(Int)
    /// 0 to 1.
    case progress(Double)
    case seconds(Double)
  }

  /// The first frame that is shown.
  public var start: Position?
  /// The first frame that is not shown any more.
  public var end: Position?
  public var order = Order.loop
  /// Frames at the end that dissolve into as many before the start.
  public var dissolvedFrames = 0
  /// 2 is twice as fast.
  public var speed = Rational.one
  /// Frames a second, constant; `nil` leaves every frame at its time.
  public var rate: Rational?
  /// The frames have no usable times: each is shown for a frame of ``rate``.
  public var ignoresTimes = false
  /// Takes what there is: a rate above ``highestRate`` is lowered, and a range ends where the source does. Otherwise the
  /// rate stays, and a frame that is missing is an error.
  public var adapts = false

  public init() {}

  /// The frames of a range, once, in order.
  public init(_ range: Range<Int>) {
    (start, end) = (.frame(range.lowerBound), .frame(range.upperBound))
  }

  /// The highest rate that animated artwork may have (Apple, "Providing animated artwork for media items").
  public static let highestRate: Int64 = 60

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
