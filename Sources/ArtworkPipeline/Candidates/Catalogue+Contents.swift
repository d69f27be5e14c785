extension Catalogue {
  /// Records which videos of releases contradict or repeat others. Gets the size of each, and reads whole files only
  /// if another one has the same size, the same sample of bytes, and another ID or the same.
  mutating func compareContents(_ digester: any ContentDigester) {
    var artworks: [String: Int] = [:]
    let videos = releases.flatMap { release in
      let artwork = artworks[release.artworkID] ?? artworks.count
      artworks[release.artworkID] = artwork
      // A file that cannot be opened gets an error later.
      return release.videos.compactMap { video -> ContentComparison.Video? in
        guard let key = video.key else { return nil }
        return FileStamp(of: candidates[video.candidate])?.state.comparedSize.map {
          ContentComparison.Video(candidate: video.candidate, artwork: artwork, key: key, size: $0)
        }
      }
    }
    .sorted { $0.candidate < $1.candidate }
    var digests: [Int: [UInt8]] = [:]
    func digest(_ candidate: Int) -> [UInt8]? {
      let digest = digests[candidate] ?? digester.digest(of: candidates[candidate])
      digests[candidate] = digest
      return digest
    }
    var samples: [Int: [UInt8]] = [:]
    func sample(_ candidate: Int) -> [UInt8]? {
      let sample = samples[candidate] ?? digester.sample(of: candidates[candidate])
      samples[candidate] = sample
      return sample
    }
    let contents = ContentComparison(
      videos,
      areVersions: { candidates[$0].path.isVersion(of: candidates[$1].path) }, sample: sample,
      digest: digest)
    for release in releases.indices {
      for video in releases[release].videos.indices {
        let candidate = releases[release].videos[video].candidate
        record(
          contents.contradictions[candidate].map { candidates[$0].path },
          contents.repetitions[candidate].map { place in
            Release.Repetition(
              path: candidates[place].path, artworkID: artworkID(of: place) ?? "")
          }, release: release, video: video)
      }
    }
  }
}

extension FileState {
  /// The size in bytes; `nil` for files that cannot be inspected.
  var comparedSize: Int64? { (1...Limits().fileBytes).contains(size) ? size : nil }
}

extension FileStamp {
  init?(of candidate: Candidate) {
    self.init(of: candidate.path, beneath: candidate.folder)
  }
}

extension FilePath {
  /// A master beside its export, `1x1.mov` and `1x1.mp4`, or a video beside its repair, `1x1.fixed.mp4`.
  func isVersion(of other: FilePath) -> Bool {
    func stem(_ path: FilePath) -> FilePath {
      var stem = path
      stem.extension = nil
      if stem.extension == "fixed" { stem.extension = nil }
      return stem
    }
    return self != other && stem(self) == stem(other)
  }
}
