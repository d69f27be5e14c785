/// The contents of an `artwork.yml`: a pure value. Without one, everything is judged for Now Playing.
public struct Configuration: Sendable {
  package typealias Change = RuleSetting.Change

  struct Override: Sendable {
    var paths: [PathPattern]
    var profiles: [String]?
    var changes: [Change] = []
  }

  /// The path that it was read from, as given; `nil` if there is none.
  public internal(set) var file: FilePath?
  /// The absolute folder of the file, which its paths are relative to.
  public internal(set) var folder: FilePath
  /// Names of the profiles, unless the command line or an override names others.
  public internal(set) var profiles = [Profile.nowPlaying.name]
  package internal(set) var failOn: FailureLevel?
  package internal(set) var artworkIDs = ArtworkIDSource.folderName
  /// Artworks that are listed, those of the manifest first.
  package internal(set) var manifest = Manifest()
  /// Absolute path of the baseline.
  public internal(set) var baseline: FilePath?
  /// The available profiles: the built-in ones, then the defined ones, without the changes that apply to all.
  public internal(set) var available = Profile.all

  package var changes: [Change] = []
  var overrides: [Override] = []
  var include: [PathPattern] = []
  var exclude: [PathPattern] = []
  var limitChanges: [Setting<Limits>.Change] = []
  /// The base of relative paths.
  package let currentFolder: FilePath

  /// The defaults, without a file.
  public init() { self.init(currentFolder: .currentFolder) }

  /// The defaults, with paths that are relative to a folder.
  package init(currentFolder: FilePath) {
    self.currentFolder = currentFolder
    folder = currentFolder
  }

  /// The profiles that a file is judged for, with their effective limits and severities.
  ///
  /// In this order, where later ones win: the built-in profile; along `extends`, the rules of each definition; the
  /// rules for every profile; the rules of the overrides that match the path, from first to last.
  ///
  /// - Parameters:
  ///   - path: matched as text, without accessing the disk.
  ///   - names: those of the command line, which win over every `profiles` of the file. Unknown names are left out:
  ///     check with ``profile(named:)`` first.
  public func profiles(for path: FilePath, named names: [String]? = nil) -> [Profile] {
    let place = overrides.isEmpty ? nil : place(of: path)
    let fitting = overrides.filter { Self.fits(place, $0.paths) }
    let names = names ?? fitting.last { $0.profiles != nil }?.profiles ?? profiles
    return names.compactMap { name in
      guard var profile = profile(named: name) else { return nil }
      for change in changes + fitting.flatMap(\.changes) { change(&profile) }
      return profile
    }
  }

  /// A profile before the changes that are for all; `nil` for a name that is unknown.
  public func profile(named name: String) -> Profile? { available.first { $0.name == name } }

  /// Every profile that some path may be judged for, each once, with the changes for all and without those of
  /// overrides: the profiles in a report.
  public func allProfiles(named names: [String]? = nil) -> [Profile] {
    var seen: Set<String> = []
    return (names ?? profiles + overrides.flatMap { $0.profiles ?? [] })
      .filter { seen.insert($0).inserted }
      .compactMap { name in
        guard var profile = profile(named: name) else { return nil }
        for change in changes { change(&profile) }
        return profile
      }
  }

  /// The suggestion for an unknown profile.
  package func suggestion(forProfile name: String) -> String {
    NearestWord.suggestion(for: name, among: available.map(\.name))
  }

  /// Whether a path is checked: it matches a pattern of `include`, if there are any, and none of `exclude`. A path
  /// outside the folder matches no pattern.
  public func isIncluded(_ path: FilePath) -> Bool {
    if include.isEmpty && exclude.isEmpty { return true }
    let place = place(of: path)
    return (include.isEmpty || Self.fits(place, include)) && !Self.fits(place, exclude)
  }

  /// Searches for less: `include` replaces the patterns of the file, `exclude` adds to them.
  ///
  /// - Throws: the error in a pattern, as a sentence.
  package mutating func search(exclude: [String]) throws(PathPattern.Invalid) {
    self.exclude += try exclude.map(PathPattern.read)
  }

  /// Applies the file's limits.
  package func apply(to limits: inout Limits) {
    for change in limitChanges { change(&limits) }
  }

  /// The ID of an artwork that no manifest lists; `nil` if names do not determine it.
  ///
  /// - Parameters:
  ///   - folder: that the video lies in, absolute.
  ///   - own: the ID in the video's own name, if it has one.
  package func artworkID(folder: FilePath, own: String?) -> String? {
    switch artworkIDs {
    case .none: return nil
    case .folderName: return own ?? folder.lastComponent?.string
    case .folderPath:
      let below = folder.relative(to: self.folder)
      let place = below.isEmpty ? folder.lastComponent?.string : below.string
      return [place, own].compactMap(\.self).joined(separator: "/")
    }
  }

  private static func fits(_ place: PathPattern.Path?, _ patterns: [PathPattern]) -> Bool {
    guard let place else { return false }
    // A pattern that matches a folder matches its contents.
    return patterns.contains { pattern in place.andFoldersAbove.contains(where: pattern.matches) }
  }

  /// The relative path below the folder; `nil` for one outside it.
  private func place(of path: FilePath) -> PathPattern.Path? {
    var path = path.absolute(in: currentFolder)
    guard path.removePrefix(folder) else { return nil }
    return PathPattern.Path(path)
  }
}
