import ArtworkModel

/// What a ``FrameSource`` tells of a clip after its frames were read.
struct ReadFrames {
  var clock: ClipClock
  /// How stored pictures are turned to be shown.
  var orientation: Orientation
  /// As far as the source knows them.
  var facts: MediaFacts
  var effort: Inspection.DecodingEffort
  /// Displayed frames that the source lists, but that did not come out of the decoder.
  var lostCount: Int
  /// What HDR says of itself; `nil` for pictures.
  var light: MasteringLight? = nil
}
