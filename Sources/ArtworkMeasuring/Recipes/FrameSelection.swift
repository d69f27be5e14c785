/// The frames of a source that a new file contains, their order and their durations.
public struct FrameSelection: Sendable, Equatable, Codable {
  /// The playback order of the frames.
  public enum Order: Sendable, Equatable, Codable {
    /// Forward, once. A player repeats the video.
    case loop
    /// Plays once: a video does not state how often it repeats.
    case once
    /// Forward and backward. The first and the last frame occur once, because the playback turns around at them.
    case autoReverse
    /// Forward, this many times, at least 1.
    case repeated(Int)
    /// Forward and backward, this many times, at least 1.
    case repeatedBack(Int)
  }

  /// A position in time.
  public enum Position: Sendable, Equatable, Codable {
    /// The number of a frame, counted from 0.
    case frame(Int)
    /// A share of the clip, from 0 to 1.
    case progress(Double)
    case seconds(Double)
  }

  /// The first included frame.
  public var start: Position?
  /// The first excluded frame.
  public var end: Position?
  public var order = Order.loop
  /// The frame with which a loop begins, if that is not the first: a closed loop may begin anywhere.
  package var begin: Int?
  /// The number of frames at the end that dissolve into those before the start.
  package var dissolvedFrames = 0
  /// 2 is twice as fast.
  public var speed = Rational.one
  /// Frames a second, constant; `nil` leaves every frame at its time.
  public var rate: Rational?
  /// Whether the frames have no usable times: each then lasts one frame of ``rate``.
  package var ignoresTimes = false
  /// Repeated frames that are left out; the others last equally long, together as long as before.
  package var cadence: Cadence?
  /// Adapts to the source: a rate above ``mostRate`` is lowered, and a range is limited to the source. Otherwise
  /// the rate is kept, and a missing frame is an error.
  package var adapts = false
  /// The highest rate of a selection that adapts.
  package var mostRate = highestRate
  /// Whether ``start`` and ``end`` count frames as an animation numbers them, from its in point on.
  package var countsFromInPoint = false

  public init() {}

  /// The frames of a range, once, in order.
  package init(_ range: Range<Int>) {
    (start, end) = (.frame(range.lowerBound), .frame(range.upperBound))
  }

  /// The highest rate that animated artwork may have (Apple, "Providing animated artwork for media items").
  public static let highestRate: Int64 = 60

  /// Whether it leaves out no part of the source and changes no order.
  package var isWhole: Bool {
    var whole = Self()
    (whole.rate, whole.adapts, whole.mostRate) = (rate, adapts, mostRate)
    whole.countsFromInPoint = countsFromInPoint
    return self == whole
  }

  /// The frames from ``start`` to ``end`` of a source with so many; `nil` if frame numbers do not determine it.
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
