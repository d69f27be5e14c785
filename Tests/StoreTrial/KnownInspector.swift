import ArtworkModel
import ArtworkPipeline
import Fixtures
import Foundation
import SystemPackage

/// Takes every file for one and the same clip, so that a store can be driven without decoding. Files that begin
/// with `bad` are refused.
struct KnownInspector: CandidateInspector {
  private let inspection: Inspection

  init() throws {
    let clip = Fixture.named("good-1x1-2s.mp4")
    inspection = try Inspector().inspect(FilePath(clip.url.path)).inspection
  }

  func inspect(
    _ candidate: Candidate, _ request: InspectionRequest
  ) throws(InspectionError) -> InspectedCandidate {
    guard let bytes = (try? SourceFile(candidate.path))?.start(3) else {
      throw InspectionError(.unreadable, "cannot be read")
    }
    if bytes.starts(with: "bad".utf8) { throw InspectionError(.notAMovie, "no movie") }
    return InspectedCandidate(inspection: inspection, preview: Array("\(request.preview)".utf8))
  }

  func inspectStill(_ still: Candidate) throws(InspectionError) -> StillPicture {
    throw InspectionError(.notAMovie, "no picture")
  }
}
