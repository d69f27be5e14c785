package import ArtworkModel

/// What became of the repair of a clip.
package struct ClipRepair: Sendable {
  package enum Status: Sendable {
    /// The clip has no finding that can be mended.
    case nothingToMend
    /// It has, and only a plan was asked for.
    case planned
    /// The bytes of a new file that passed every check.
    case mended([UInt8])
    /// Why nothing was made, or why what was made is not kept, in a sentence.
    case refused(String)
    case failed(InspectionError)
  }

  package var candidate: Candidate
  package var status: Status
  /// Of the clip.
  package var findings: [Finding]
  /// Those that are mended, or would be.
  package var mended: [Finding] = []
  /// Of the new file; empty without one.
  package var left: [Finding] = []
  package var request: CopyRequest?
  /// Frames that were compared, and those that differ; `nil` without a new file.
  package var frames: (compared: Int, differing: Int)?

  /// What is assumed of the clip, in sentences.
  package var assumptions: [String] {
    guard let matrix = request?.matrix else { return [] }
    return [
      "it states \(ColorDescription.title(ofMatrix: matrix)), the colours in which players show the clip; if it was made with others, export it again"
    ]
  }
}

extension ColorDescription {
  /// What people call a matrix that players take without a statement.
  static func title(ofMatrix name: String) -> String {
    ["bt709": "BT.709", "bt2020nc": "BT.2020"][name] ?? "BT.601"
  }
}
