import ArtworkModel
import ArtworkPipeline
import Fixtures
import Foundation
import SystemPackage

/// Takes every file for one and the same clip, so that a store can be driven without decoding. Files that begin
/// with `bad` are refused.
struct KnownInspector: CandidateInspector {
  private let inspected: InspectedCandidate

  init() throws {
    let clip = Fixture.named("good-1x1-2s.mp4")
    var inspection = try Inspector().inspect(FilePath(clip.url.path)).inspection
    // The previews must not weigh more than the videos.
    let side = 20
    inspection.facts.displayWidth = side
    inspection.facts.displayHeight = side
    let grey = PixelImage(
      size: PixelSize(width: side, height: side), channels: .rgb,
      bytes: Array(repeating: 99, count: side * side * 3))
    inspected = InspectedCandidate(inspection: inspection, preview: try PNGEncoder.encode(grey))
  }

  func inspect(
    _ candidate: Candidate, _ request: InspectionRequest
  ) throws(InspectionError) -> InspectedCandidate {
    guard let bytes = (try? SourceFile(candidate.path))?.start(3) else {
      throw InspectionError(.unreadable, "cannot be read")
    }
    if bytes.starts(with: "bad".utf8) { throw InspectionError(.notAMovie, "no movie") }
    return inspected
  }

  func inspectStill(_ still: Candidate) throws(InspectionError) -> StillPicture {
    throw InspectionError(.notAMovie, "no picture")
  }

  func drawCrop(
    of candidate: Candidate, as key: ArtworkKey, _ facts: MediaFacts
  ) throws(InspectionError) -> [UInt8] {
    throw InspectionError(.notCopied, "no picture")
  }
}
