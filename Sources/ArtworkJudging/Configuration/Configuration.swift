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

extension Configuration {
  /// The names of the file; the first that exists counts.
  package static let fileNames: [FilePath.Component] = ["artwork.yml", "artwork.yaml"]

  /// Bytes of a configuration: 10,000 artworks and more.
  static let maxBytes = 1 << 20

  /// The nearest configuration: in the folder of `path` (or in `path` itself, if that is a folder) or above, but not
  /// beyond a folder that contains `.git`. Relative if it is below the current folder.
  package static func find(
    above path: FilePath, currentFolder: FilePath = .currentFolder
  ) -> FilePath? {
    var folder = path.absolute(in: currentFolder)
    if !folder.isFolder { folder.removeLastComponent() }
    while true {
      for name in fileNames where folder.appending(name).exists {
        return folder.appending(name).shortened(from: currentFolder)
      }
      if folder.appending(".git").exists || !folder.removeLastComponent() { return nil }
    }
  }

  /// Reads a configuration and the manifest that it names.
  ///
  /// - Parameter file: as it appears in messages.
  /// - Throws: ``ConfigurationError`` with everything that is wrong, each with its line and column.
  public static func load(_ file: FilePath) throws(ConfigurationError) -> Configuration {
    try load(file, currentFolder: .currentFolder)
  }

  package static func load(
    _ file: FilePath, currentFolder: FilePath
  ) throws(ConfigurationError) -> Configuration {
    let bytes: [UInt8]
    do throws(Errno) {
      bytes = try file.contents(atMost: maxBytes)
    } catch .fileTooLarge {
      throw ConfigurationError(
        file, "the configuration exceeds 1 MiB; move the artworks into a CSV file (`manifest`)")
    } catch {
      throw ConfigurationError(
        file, "cannot read the configuration: \(error.description.lowercased())")
    }
    guard var text = String(validating: bytes, as: UTF8.self) else {
      throw ConfigurationError(file, "the file is not UTF-8")
    }
    if text.unicodeScalars.first == "\u{FEFF}" { text.unicodeScalars.removeFirst() }
    return try parsed(text, file: file, currentFolder: currentFolder)
  }

  /// - Parameter file: the path of `text`; its folder need not exist.
  static func parsed(
    _ text: String, file: FilePath, currentFolder: FilePath
  ) throws(ConfigurationError) -> Configuration {
    var configuration = Configuration(currentFolder: currentFolder)
    configuration.file = file
    configuration.folder = file.absolute(in: currentFolder).removingLastComponent()
    var reader = ConfigurationReader(
      configuration: configuration, problems: ProblemList(file: file))
    if let root = YAMLDocument.read(text, problems: &reader.problems) { reader.read(root) }
    let problems = reader.problems.all
    guard problems.isEmpty else { throw ConfigurationError(problems) }
    return reader.configuration
  }
}

/// Parses a document. A value of the wrong shape is reported once and then skipped, so that the rest of the file is
/// checked, too.
struct ConfigurationReader {
  var configuration: Configuration
  var problems: ProblemList

  mutating func read(_ root: YAMLValue) {
    ConfigurationKeys.root.check(root, named: "the configuration", problems: &problems)
    define(root["define"])
    if let names = profileNames(root["profiles"]) { configuration.profiles = names }
    configuration.failOn = root["fail-on"]?.text.flatMap(FailureLevel.init)
    configuration.changes = changes(root["rules"])
    configuration.include = patterns(root["include"])
    configuration.exclude = patterns(root["exclude"])
    configuration.overrides = (root["overrides"]?.items ?? []).map { value in
      Configuration.Override(
        paths: patterns(value["paths"]), profiles: profileNames(value["profiles"]),
        changes: changes(value["rules"]))
    }
    configuration.limitChanges = changes(Limits.settings, in: root["limits"])
    if let source = root["artwork-ids"]?.text.flatMap(ArtworkIDSource.init) {
      configuration.artworkIDs = source
    }
    configuration.baseline = root["baseline"]?.text.map { path($0) }
    readManifest(root["manifest"])
    for artwork in root["artworks"]?.items ?? [] { add(artwork) }
    let contradictions = configuration.manifest.contradictions
    if !contradictions.isEmpty { problems.add(ConfigurationError(contradictions)) }
  }

  private func path(_ text: String) -> FilePath {
    FilePath(text).absolute(in: configuration.folder)
  }

  private func patterns(_ value: YAMLValue?) -> [PathPattern] {
    (value?.items ?? []).compactMap(ConfigurationKeys.pattern.read)
  }

  // MARK: Profiles

  /// Names of profiles that exist; `nil` if the key is not there.
  private mutating func profileNames(_ value: YAMLValue?) -> [String]? {
    guard let value else { return nil }
    var names: [String] = []
    for item in value.items {
      guard let name = item.text else { continue }
      if configuration.profile(named: name) == nil {
        add(unknownProfile: name, at: item.place)
      } else if !names.contains(name) {
        names.append(name)
      }
    }
    if value.items.isEmpty { problems.add("`profiles` is empty", at: value.place) }
    return names
  }

  private mutating func add(unknownProfile name: String, at place: SourcePlace) {
    problems.add(
      "unknown profile `\(name)`\(configuration.suggestion(forProfile: name))", at: place)
  }

  /// Creates the defined profiles. Each may extend a later one.
  private mutating func define(_ value: YAMLValue?) {
    let entries = value?.entries ?? []
    let definitions = Dictionary(
      entries.map { ($0.key, $0) }, uniquingKeysWith: { first, _ in first })
    // Names first: a profile that extends something unknown may have meant any of them.
    for entry in entries {
      if Profile.all.contains(where: { $0.name == entry.key }) {
        problems.add(
          "`\(entry.key)` is a built-in profile: choose another name and add `extends: \(entry.key)`",
          at: entry.place)
      } else {
        configuration.available.append(Profile(name: entry.key, title: entry.key, shapes: []))
      }
    }
    let builtIn = Profile.all.count
    for index in configuration.available.indices.dropFirst(builtIn) {
      let name = configuration.available[index].name
      if let profile = profile(name, definitions) { configuration.available[index] = profile }
    }
    for entry in entries { checkExtension(entry) }
  }

  private mutating func checkExtension(_ entry: YAMLValue.Entry) {
    guard let base = entry.value["extends"], let name = base.text else { return }
    if configuration.profile(named: name) == nil { add(unknownProfile: name, at: base.place) }
  }

  /// A profile with all that it extends; `nil` if that does not end.
  private mutating func profile(
    _ name: String, _ definitions: [String: YAMLValue.Entry]
  ) -> Profile? {
    var chain: [YAMLValue.Entry] = []
    var names: Set<String> = []
    var next = name
    while let entry = definitions[next] {
      guard names.insert(next).inserted else {
        // Reported once for each profile of the cycle, and not for those that lead into it.
        if next == name {
          let circle = (chain.map(\.key) + [name]).map { "`\($0)`" }.joined(separator: " extends ")
          problems.add(
            "this profile extends itself: \(circle)",
            at: entry.value["extends"]?.place ?? entry.place)
        }
        return nil
      }
      chain.append(entry)
      next = entry.value["extends"]?.text ?? Profile.nowPlaying.name
    }
    guard var profile = Profile.all.first(where: { $0.name == next }) else { return nil }
    let base = profile.name
    for entry in chain.reversed() {
      if let shapes = entry.value["shapes"] { profile.shapes = self.shapes(shapes) }
      for change in changes(entry.value["rules"]) { change(&profile) }
    }
    profile.name = name
    profile.title = chain.first?.value["title"]?.text ?? name
    let file = configuration.file?.lastComponent?.string ?? ""
    profile.sources.insert(
      Profile.Source("Defined in \(file), on the base of `\(base)`."), at: 0)
    return profile
  }

  private mutating func shapes(_ value: YAMLValue) -> [ArtworkShape] {
    value.items.compactMap { item in
      let name = item["shape"] ?? item
      guard var shape = ConfigurationKeys.aspect.read(name) else { return nil }
      if let wanted = item["size"], let size = ConfigurationKeys.size.read(wanted) {
        let ratio = Double(size.width) / Double(size.height) / shape.aspect.value
        // The deviation of Apple's own tall size, with a margin for whole pixels.
        if abs(ratio - 1) > 0.01 {
          problems.add("\(size) does not have the aspect \(shape.name)", at: wanted.place)
        }
        shape.size = size
      }
      return shape
    }
  }

  // MARK: Rules

  private mutating func changes(_ value: YAMLValue?) -> [Configuration.Change] {
    var changes: [Configuration.Change] = []
    for entry in value?.entries ?? [] {
      guard let rule = Rules.named(entry.key) else { continue }
      let severity = entry.value.text ?? entry.value["severity"]?.text
      if let severity = severity.flatMap(RuleSeverity.init) {
        let id = rule.id
        changes.append { $0.severities[id] = severity }
      }
      changes += self.changes(rule.settings, in: entry.value)
    }
    return changes
  }

  private func changes<Root>(
    _ settings: [Setting<Root>], in value: YAMLValue?
  ) -> [Setting<Root>.Change] {
    settings.compactMap { setting in value?[setting.name].flatMap { setting.change(to: $0) } }
  }

  // MARK: Manifest

  private mutating func readManifest(_ value: YAMLValue?) {
    guard let value, let text = value.text else { return }
    let path = path(text)
    guard path.exists else {
      problems.add("no such manifest: \(path.string)", at: value.place)
      return
    }
    do throws(ConfigurationError) {
      try configuration.manifest.addTable(
        path.shortened(from: configuration.currentFolder), at: path)
    } catch {
      problems.add(error)
    }
  }

  private mutating func add(_ value: YAMLValue) {
    guard let id = value["artworkID"]?.text, let file = configuration.file else { return }
    var entry = Manifest.Entry(artworkID: id, source: file, line: value.place.line)
    for key in ArtworkKey.allCases { entry.files[key] = value[key.rawValue]?.text.map { path($0) } }
    entry.cover = value["cover"]?.text.map { path($0) }
    configuration.manifest.add(entry)
  }
}
