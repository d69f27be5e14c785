/// What a ``FrameSource`` reports about a clip after its frames were read.
package struct ReadFrames {
  package var clock: ClipClock
  /// The rotation from stored to displayed pictures.
  package var orientation: Orientation
  /// Facts that the source knows.
  package var facts: MediaFacts
  package var effort: Inspection.DecodingEffort
  /// Displayed frames that the source lists, but that the decoder did not output.
  var lostCount: Int
  /// The HDR metadata; `nil` for pictures.
  var light: MasteringLight? = nil
}
