import ArtworkPipeline
import SystemPackage

/// A baseline and its file.
struct BaselineFindings {
  var baseline: Baseline
  var file: FilePath

  /// Removes known findings from the reports, and returns entries that no longer occur.
  func hide(in reports: inout [CandidateReport]) -> [Baseline.Entry] {
    baseline.apply(to: &reports, folder: Self.folder(of: file))
  }

  /// The folder that the paths of a baseline are relative to.
  static func folder(of file: FilePath) -> FilePath {
    file.absolute(in: .currentFolder).removingLastComponent()
  }
}
