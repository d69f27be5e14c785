/// The most that one file may be and may cost. Far above any animated artwork, far below what hurts:
/// a file beyond a limit is refused with a code that says which, before it costs more.
public struct Limits: Sendable, Equatable, Codable {
  /// Bytes in the file. 4 GiB: four minutes of ProRes 4444 at 2048x2732 and 30 fps.
  public var fileBytes: Int64 = 4 << 30
  /// Pixels in a coded picture: 8192x8192, four times the largest artwork that Apple accepts in each
  /// direction (3840x3840).
  public var pixels: Int64 = 8192 * 8192
  /// Seconds from the first displayed frame to the end of the last: 10 minutes.
  public var durationSeconds: Double = 600
  /// Frames in the video stream: 5 minutes at 60 fps and some more.
  public var frames: Int = 20_000
  /// Streams in the container. Real files have a handful; a thousand is libavformat's own limit.
  public var streams: Int = 64
  /// Seconds of processor time for a worker that decodes the ends of a clip: 20...
  public var cpuSeconds: Int = 20
  /// ... and for one that decodes every frame: 120, a minute of 4K at 60 fps.
  public var cpuSecondsForEverything: Int = 120
  /// Bytes of address space that one inspection may use in a worker, beyond what the process has
  /// mapped when the worker starts: 1 GiB.
  public var memoryBytes: Int64 = 1 << 30

  public init() {}
}
