/// The limits for one file: far above any animated artwork, and low enough to protect the machine. A file beyond a
/// limit fails early, with an error code that names the limit.
public struct Limits: Sendable, Equatable, Codable {
  /// Bytes in the file: 4 GiB.
  public var fileBytes: Int64 = 4 << 30
  /// Pixels in a coded picture: 8192x8192, more than four times the largest artwork that Apple accepts
  /// (3840x3840).
  public var pixels: Int64 = 8192 * 8192
  /// Seconds from the first displayed frame to the end of the last: 10 minutes.
  public var durationSeconds: Double = 600
  /// Frames in the video stream: a little more than 5 minutes at 60 fps.
  public var frames: Int = 20_000
  /// Streams in the container. Real files have a handful; libavformat's own limit is 1000.
  public var streams: Int = 64
  /// Processor time for a worker that decodes the ends of a clip: 20 s.
  public var cpuSeconds: Int = 20
  /// Processor time for a worker that decodes every frame: 120 s.
  public var cpuSecondsForEverything: Int = 120
  /// Address space that one inspection may use in a worker, beyond what is mapped when the worker starts: 1 GiB.
  public var memoryBytes: Int64 = 1 << 30

  public init() {}

  /// Processor time for a worker that encodes: five times what decoding may take, 10 minutes at the usual limit.
  package var cpuSecondsForEncoding: Int { cpuSecondsForEverything.multipliedClamped(by: 5) }
}
