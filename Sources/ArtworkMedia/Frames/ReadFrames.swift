/// What a ``FrameSource`` tells of a clip after its frames were read.
package struct ReadFrames {
  package var clock: ClipClock
  /// How stored pictures are turned to be shown.
  package var orientation: Orientation
  /// Facts that the source knows.
  package var facts: MediaFacts
  package var effort: Inspection.DecodingEffort
  /// Displayed frames that the source lists, but that did not come out of the decoder.
  var lostCount: Int
  /// What HDR says of itself; `nil` for pictures.
  var light: MasteringLight? = nil
}
