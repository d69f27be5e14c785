import ArtworkPipeline
import SystemPackage

/// A baseline and its file.
struct BaselineFindings {
  var baseline: Baseline
  var file: FilePath

  /// Reads the file. Prints its problems, and exits as for a usage error.
  init(_ file: FilePath) throws {
    self.file = file
    baseline = try ConfigurationOptions.reportingProblems { () throws(ConfigurationError) in
      try Baseline.load(file)
    }
  }

  /// Removes known findings from the reports, and returns entries that no longer occur.
  func hide(in reports: inout [CandidateReport]) -> [Baseline.Entry] {
    baseline.apply(to: &reports, folder: Self.folder(of: file))
  }

  /// The folder that the paths of a baseline are relative to.
  static func folder(of file: FilePath) -> FilePath {
    file.absolute(in: .currentFolder).removingLastComponent()
  }
}
