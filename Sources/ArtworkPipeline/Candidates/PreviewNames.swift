/// The paths of previews below a preview folder. No two candidates share a name.
///
/// A preview keeps its relative path below the folder that was named. If several folders are named, each gets its own
/// folder, which keeps releases apart. Files that were named directly are named after their file names alone, or, if
/// names repeat in different folders, after their folders too.
struct PreviewNames {
  /// Whether each named folder gets its own folder.
  private let separatesFolders: Bool
  private let separatesFiles: Bool
  private var folders: [FilePath: FilePath.Component] = [:]
  private var usedFolders: Set<FilePath.Component> = []
  /// The next number to try: a thousand folders may have the same name.
  private var numbers: [FilePath: Int] = [:]

  /// - Parameter folders: those that were named and searched.
  static func distinct(_ candidates: [Candidate], folders: [FilePath]) -> [Candidate] {
    var names = PreviewNames(candidates, folders: folders)
    return withDistinctNames(candidates.map { names.placed($0) })
  }

  private init(_ candidates: [Candidate], folders: [FilePath]) {
    let places = Set(folders.map(Self.place(of:)))
    // Folders inside another named folder do not count.
    let outermost = places.min { $0.components.count < $1.components.count }
    separatesFolders =
      outermost.map { outermost in places.contains { !$0.starts(with: outermost) } } ?? false
    var homes: [FilePath: FilePath] = [:]
    separatesFiles = candidates.contains { candidate in
      guard candidate.folder == nil else { return false }
      let home = Self.home(of: candidate)
      return homes.updateValue(home, forKey: candidate.previewStem).map { $0 != home } ?? false
    }
  }

  private mutating func placed(_ candidate: Candidate) -> Candidate {
    let home: FilePath
    if let folder = candidate.folder {
      guard separatesFolders else { return candidate }
      home = Self.place(of: folder)
    } else {
      guard separatesFiles else { return candidate }
      home = Self.home(of: candidate)
    }
    var candidate = candidate
    candidate.previewStem = FilePath(root: nil, [name(of: home)])
      .appending(candidate.previewStem.components)
    return candidate
  }

  private mutating func name(of folder: FilePath) -> FilePath.Component {
    if let name = folders[folder] { return name }
    let base = folder.lastComponent ?? "root"
    var name = base
    var number = numbers[FilePath(root: nil, [base]), default: 2]
    while !usedFolders.insert(name).inserted {
      let numbered = FilePath(root: nil, [base]).suffixed("-\(number)")
      name = numbered.lastComponent ?? base
      number += 1
    }
    numbers[FilePath(root: nil, [base])] = number
    folders[folder] = name
    return name
  }

  private static func place(of folder: FilePath) -> FilePath {
    folder.absolute(in: .currentFolder).lexicallyNormalized()
  }

  private static func home(of candidate: Candidate) -> FilePath {
    place(of: candidate.path).removingLastComponent()
  }

  /// Appends the file's extension, then a number, to names that would still collide.
  private static func withDistinctNames(_ candidates: [Candidate]) -> [Candidate] {
    let uses = Dictionary(grouping: candidates, by: \.previewStem).mapValues(\.count)
    var taken: Set<FilePath> = []
    var numbers: [FilePath: Int] = [:]
    return candidates.map { candidate in
      var candidate = candidate
      if uses[candidate.previewStem, default: 0] > 1, let name = candidate.path.extension {
        candidate.previewStem = candidate.previewStem.suffixed("-\(name)")
      }
      let base = candidate.previewStem
      while !taken.insert(candidate.previewStem).inserted {
        let number = numbers[base, default: 2]
        candidate.previewStem = base.suffixed("-\(number)")
        numbers[base] = number + 1
      }
      return candidate
    }
  }
}
