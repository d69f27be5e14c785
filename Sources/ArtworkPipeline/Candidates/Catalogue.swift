/// The candidates of a run and their relations: releases, covers and supplied previews.
package struct Catalogue: Sendable {
  package let candidates: [Candidate]
  package private(set) var releases: [Release] = []
  /// The previews beside candidates, by the candidate's index and the key that they are for, `nil` for any.
  package private(set) var previews: [Int: [ArtworkKey?: Candidate]] = [:]
  /// The release of a candidate, by the candidate's place.
  private(set) var releaseOf: [Int: Int] = [:]
  /// The places of the candidates in the list of which this is a part.
  private(set) var places: [Int]
  /// What the names of candidates say, by the candidate's place.
  private var names: [Int: FoundName] = [:]

  /// Candidates that nothing connects.
  package init(_ candidates: [Candidate]) {
    self.candidates = candidates
    places = Array(candidates.indices)
  }

  /// Groups candidates by artworkID, and finds covers and previews in their folders. Gets the size of each video that
  /// has an ID, and reads whole files only if another one has the same size and another ID, or the same. Decodes
  /// nothing.
  ///
  /// - Parameters:
  ///   - configuration: determines where IDs come from.
  ///   - shard: the part of the releases to keep. The rest is only used for grouping: its files are neither opened
  ///     nor compared.
  ///   - digester: finds files with the same bytes.
  package init(
    _ candidates: [Candidate], _ configuration: Configuration, shard: Shard = .whole,
    digester: any ContentDigester = FileDigester()
  ) {
    self.init(candidates)
    names = Self.names(of: candidates)
    var known: [Release.Name: Int] = [:]
    for (index, candidate) in candidates.enumerated() {
      guard let member = member(index, configuration) else { continue }
      let place = known[member.name] ?? releases.count
      if place == releases.count {
        known[member.name] = place
        releases.append(
          Release(
            name: member.name, isWhole: true, keys: [], videos: []))
      }
      releaseOf[index] = place
      releases[place].videos.append(Release.Video(candidate: index, key: member.key))
      releases[place].keys.formUnion(member.keys)
      releases[place].isGuessed = names[index]?.isGuessed ?? false
      if member.name.folder != nil, candidate.folder == nil { releases[place].isWhole = false }
    }
    recordOtherCandidates()
    if shard != .whole { self = part(shard) }
    findStills(configuration)
    compareContents(digester)
  }

  /// Candidates that are judged together: the files of a release, or one file without a release.
  struct Group {
    /// The place of the release.
    var release: Int?
    /// Places of the candidates, in order; at least one.
    var candidates: [Int]
  }

  /// Every candidate in its group, in the order of the groups' first files.
  var groups: [Group] {
    candidates.indices.compactMap { index in
      group(beginningWith: index).map { Group(release: $0.release, candidates: $0.candidates) }
    }
  }

  /// The release of a candidate and the places of all of its files, if the candidate is the first of them; a candidate
  /// without a release is alone.
  package func group(beginningWith index: Int) -> (release: Int?, candidates: [Int])? {
    guard let release = releaseOf[index] else { return (nil, [index]) }
    let files = releases[release].videos.map(\.candidate)
    return files.first == index ? (release, files) : nil
  }

  /// What a repair gets to know of a candidate.
  package func file(_ index: Int) -> Repairer.File {
    Repairer.File(
      candidate: candidates[index], key: key(of: index), previews: previews[index] ?? [:])
  }

  /// Candidates with what belongs to them: the cover of their release, and their previews.
  package func files(_ indices: [Int], of release: Int?) -> [Candidate] {
    indices.map { candidates[$0] } + indices.flatMap { (previews[$0] ?? [:]).values }
      + [release.flatMap { releases[$0].cover }].compactMap(\.self)
  }

  /// Lists each folder once.
  private mutating func findStills(_ configuration: Configuration) {
    var folders: [FilePath: FolderNames] = [:]
    for (index, candidate) in candidates.enumerated() {
      let folder = candidate.path.removingLastComponent()
      let names = folders[folder] ?? FolderNames(beside: candidate)
      folders[folder] = names
      let video = candidate.path.lastComponent
      previews[index] = video.map { names.previews(of: $0).mapValues(candidate.neighbour) }
      guard let place = releaseOf[index], releases[place].cover == nil,
        let member = member(index, configuration)
      else { continue }
      releases[place].cover =
        member.cover.map {
          // Not outside the configuration's folder, wherever a link leads.
          Candidate(path: $0, folder: configuration.folder, previewStem: $0)
        }
        ?? (member.name.folder == nil
          ? nil : names.cover(of: member.own, beside: video).map(candidate.neighbour))
    }
  }

  mutating func record(
    _ contradicts: FilePath?, _ repeats: Release.Repetition?, release: Int, video: Int
  ) {
    releases[release].videos[video].contradicts = contradicts
    releases[release].videos[video].repeats = repeats
  }

  /// A file beside a release that no scheme names may be the variant that it lacks.
  private mutating func recordOtherCandidates() {
    let loose = candidates.indices.filter { releaseOf[$0] == nil }
    let folders = Set(loose.map { candidates[$0].path.removingLastComponent() })
    for place in releases.indices where !releases[place].isFromManifest {
      let own = releases[place].videos.map {
        candidates[$0.candidate].path.removingLastComponent()
      }
      if own.contains(where: folders.contains) { releases[place].isWhole = false }
    }
  }

  func artworkID(of candidate: Int) -> String? {
    releaseOf[candidate].map { releases[$0].artworkID }
  }

  /// The key that a manifest or a scheme of names states.
  package func key(of candidate: Int) -> ArtworkKey? {
    guard let release = releaseOf[candidate] else { return nil }
    return releases[release].videos.first { $0.candidate == candidate }.flatMap(\.key)
  }

  /// Some candidates with their releases.
  private func part(_ kept: [Int], releases kinds: [Int]) -> Catalogue {
    var part = Catalogue(kept.map { candidates[$0] })
    part.places = kept.map { places[$0] }
    let placeOf = Dictionary(uniqueKeysWithValues: kept.enumerated().map { ($1, $0) })
    for index in kept {
      guard let place = placeOf[index] else { continue }
      (part.previews[place], part.names[place]) = (previews[index], names[index])
    }
    for old in kinds {
      var release = releases[old]
      release.videos = release.videos.compactMap { video in
        guard let place = placeOf[video.candidate] else { return nil }
        part.releaseOf[place] = part.releases.count
        var video = video
        video.candidate = place
        return video
      }
      part.releases.append(release)
    }
    return part
  }

  /// The releases of a shard, and candidates without a release. They are selected by a hash of their name, so that
  /// each run finds the same ones, in any order.
  private func part(_ shard: Shard) -> Catalogue {
    let chosen = releases.indices.filter { place in
      shard.holds("\(folderName(ofRelease: place) ?? "")\0\(releases[place].artworkID)")
    }
    let isChosen = Set(chosen)
    let kept = candidates.indices.filter { index in
      releaseOf[index].map(isChosen.contains) ?? shard.holds(candidates[index].path.string)
    }
    return part(kept, releases: chosen)
  }

  /// The folder that names a release, as given on the command line: the same on machines that mount the catalogue
  /// elsewhere. `nil` for a release of a manifest.
  func folderName(ofRelease place: Int) -> String? {
    guard !releases[place].isFromManifest, let first = releases[place].videos.first else {
      return nil
    }
    let folder = Self.home(of: candidates[first.candidate].path).lexicallyNormalized()
    return folder.isEmpty ? "." : folder.string
  }

  private struct Member {
    var name: Release.Name
    var key: ArtworkKey?
    var keys: Set<ArtworkKey>
    var cover: FilePath?
    var own: String?
  }

  /// The nearest folder above a file whose name may be an ID: that of `song` for `song/motion/1x1.mp4`.
  package static func home(of path: FilePath) -> FilePath {
    var folder = path.removingLastComponent()
    while let name = folder.lastComponent?.string, ArtworkName.isCommon(folder: name) {
      folder.removeLastComponent()
    }
    return folder.isEmpty || folder.components.isEmpty ? path.removingLastComponent() : folder
  }

  /// The folders with releases, each with their artworkIDs. Below one of them, videos whose names say nothing are its own.
  var homes: [FilePath: Set<String>] {
    var homes: [FilePath: Set<String>] = [:]
    for isStated in [true, false] {
      for index in candidates.indices where (names[index]?.isGuessed == false) == isStated {
        let home = Self.home(of: candidates[index].path)
        if !isStated, homes.keys.contains(where: { home != $0 && home.starts(with: $0) }) {
          continue
        }
        homes[home, default: []].formUnion([artworkID(of: index)].compactMap(\.self))
      }
    }
    return homes
  }

  /// What the name of a candidate says beside those of the others; none for a name that says nothing.
  private struct FoundName {
    var name: ArtworkName?
    /// Whether its folder alone makes it the video of a release.
    var isGuessed = false
  }

  private static func names(of candidates: [Candidate]) -> [Int: FoundName] {
    func file(_ index: Int) -> String { candidates[index].path.lastComponent?.string ?? "" }
    var names: [Int: FoundName] = [:]
    for index in candidates.indices {
      let name = ArtworkName(fileName: file(index))
      if name != nil || ArtworkName.isOfFolder(fileName: file(index)) {
        names[index] = FoundName(name: name)
      }
    }
    let folders = Dictionary(grouping: candidates.indices) {
      candidates[$0].path.removingLastComponent()
    }
    for (folder, files) in folders {
      let loose = files.filter { names[$0] == nil }
      let read = loose.map { ArtworkName(fileName: file($0), readsTitles: true) }
      for (index, name) in zip(loose, read) {
        // "Song square" beside "Song portrait".
        guard let name,
          read.contains(where: { $0?.artworkID == name.artworkID && $0?.key != name.key })
        else { continue }
        names[index] = FoundName(name: name)
      }
      guard files.count <= 2, files.allSatisfy({ names[$0] == nil }),
        files.allSatisfy({ candidates[$0].folder != nil && isMovie(candidates[$0].path) }),
        files.allSatisfy({ home(of: candidates[$0].path) == folder }),
        !folders.keys.contains(where: { $0 != folder && $0.starts(with: folder) })
      else { continue }
      for index in files { names[index] = FoundName(isGuessed: true) }
    }
    return names
  }

  private static func isMovie(_ path: FilePath) -> Bool {
    ["mp4", "m4v", "mov"].contains(path.extension?.lowercased() ?? "")
  }

  private func member(_ index: Int, _ configuration: Configuration) -> Member? {
    let candidate = candidates[index]
    let path = candidate.path.absolute(in: .currentFolder)
    if let entry = configuration.manifest.entry(for: path),
      let key = ArtworkKey.allCases.first(where: { entry.files[$0] == path })
    {
      return Member(
        name: Release.Name(artworkID: entry.artworkID), key: key, keys: Set(entry.files.keys),
        cover: entry.cover)
    }
    guard let found = names[index] else { return nil }
    let (folder, name) = (Self.home(of: path), found.name)
    guard let artworkID = configuration.artworkID(folder: folder, own: name?.artworkID)
    else { return nil }
    return Member(
      name: Release.Name(folder: folder, artworkID: artworkID), key: name?.key,
      keys: Set([name?.key].compactMap(\.self)), own: name?.artworkID)
  }
}
