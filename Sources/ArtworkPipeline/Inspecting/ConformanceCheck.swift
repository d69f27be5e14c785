import FoundationEssentials

/// An animated cover in a music folder, and the requirements of the convention in docs/sidecar.md that it breaks.
package struct ConformingFile: Sendable, Encodable {
  /// Below the music folder.
  package var path: String
  package var shape: Sidecar.Shape
  package var violations: [Sidecar.Violation]
}

/// Checks the animated covers of a music folder, and of the folders in it. Follows no links.
package struct ConformanceCheck {
  private let runner: any JobRunner
  private let root: FilePath

  private static let mostDepth = 16

  package init(_ runner: any JobRunner, root: FilePath) {
    (self.runner, self.root) = (runner, root)
  }

  /// Blocks the calling thread.
  ///
  /// - Returns: in the order of their paths.
  /// - Throws: `unreadable` for a folder that cannot be read.
  package func run() throws(InspectionError) -> [ConformingFile] {
    let folder: Folder
    do throws(Errno) {
      folder = try Folder(opening: root)
    } catch {
      throw InspectionError(
        error == .noSuchFileOrDirectory ? .notFound : .unreadable,
        "cannot read the folder: \(error.description.lowercased())")
    }
    var files: [ConformingFile] = []
    try examine(in: folder, FilePath(), depth: 0, &files)
    return files
  }

  private func examine(
    in folder: borrowing Folder, _ below: FilePath, depth: Int, _ files: inout [ConformingFile]
  ) throws(InspectionError) {
    let entries: [Folder.Entry]
    do throws(OpenError) {
      entries = try folder.entries(of: below)
    } catch {
      throw InspectionError(
        .unreadable, "cannot read the folder \(root.pushing(below).string.printable)")
    }
    let names = FolderNames(entries.filter { $0.kind == .file }.map(\.name))
    let still: StillJob.Outcome?
    do throws(InspectionError) {
      still = try names.sidecarStill.map { name throws(InspectionError) in
        try runner.run(StillJob(), on: candidate(below.appending(name)))
      }
    } catch {
      // A picture that cannot be read does not count; a failed worker is no evidence about it.
      guard error.isOfTheFile else { throw error }
      still = nil
    }
    let list = names.sidecarList.map { readList(below.appending($0)) }
    for (name, shape) in names.sidecars {
      let path = below.appending(name)
      var violations: [Sidecar.Violation]
      do throws(InspectionError) {
        let inspection = try runner.inspect(
          candidate(path), InspectionRequest(settlesDoubts: true)
        ).inspection
        violations = Sidecar.violations(inspection, as: shape, still: still)
      } catch {
        violations = [Sidecar.Violation(.readable, error.description)]
      }
      if let list, let different = mismatch(list, name: name.string, path, shape) {
        violations.append(Sidecar.Violation(.listed, different))
      }
      files.append(ConformingFile(path: path.string, shape: shape, violations: violations))
    }
    guard depth < Self.mostDepth else { return }
    for entry in entries.sorted(by: { $0.name.string < $1.name.string }) where entry.kind == .folder
    {
      try examine(in: folder, below.appending(entry.name), depth: depth + 1, &files)
    }
  }

  private func candidate(_ below: FilePath) -> Candidate {
    Candidate(path: root.pushing(below), folder: root, previewStem: FilePath())
  }

  /// `nil` for a file that is not such a list.
  private func readList(_ path: FilePath) -> Sidecar.List? {
    candidate(path).contents(atMost: Sidecar.List.mostBytes).flatMap {
      try? Sidecar.List(json: $0)
    }
  }

  /// The first statement in the list about a file that is wrong; `nil` if all are true.
  private func mismatch(
    _ list: Sidecar.List?, name: String, _ path: FilePath, _ shape: Sidecar.Shape
  ) -> String? {
    guard let list else { return "artwork.json cannot be read" }
    guard let listed = list.files.first(where: { $0.name == name }) else { return nil }
    if let stated = listed.shape, stated != shape.rawValue {
      return "artwork.json says \(stated)"
    }
    guard let stated = listed.sha256 else { return nil }
    let digest = FileDigester().digest(of: candidate(path))?.hexadecimal
    return digest == stated.lowercased() ? nil : "artwork.json has another digest"
  }
}
