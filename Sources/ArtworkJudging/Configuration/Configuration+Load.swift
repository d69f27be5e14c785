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
