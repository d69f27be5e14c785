/// The first and last displayed frames of a clip, each reduced to an `Element`, with what decoding
/// them told.
struct EndFrames<Element> {
  /// As many frames as were asked for, or all there are, from the first on, in presentation order.
  var first: [Element]
  /// As many frames as were asked for, or all there are, up to the last, in presentation order. Overlaps `first` in
  /// short clips.
  var last: [Element]
  var format: DecodedFormat
  /// Presentation timestamps of all displayed frames in order, in the stream's time base.
  var timestamps: [Int64]
  /// Displayed frames.
  var count: Int
  /// The last frame's own duration in time base units, zero where unknown.
  var lastDuration: Int64
  /// Why every packet was decoded; `nil` for the quick way.
  var fallback: Inspection.FullDecode?
  var packetsDecoded: Int
  /// Packets the decoder refused.
  var errorCount: Int
}
