import ArtworkPipeline
import SystemPackage

/// Evidence about the tracks of an album's folder, to distinguish albums of one name: the number of sound files,
/// and the lengths in its playlists. No sound file is opened.
struct AlbumEvidence {
  /// The number of sound files.
  var tracks: Int
  /// Lengths of all entries of extended M3U playlists.
  var seconds: [Double]

  private static let playlists: Set<String> = ["m3u", "m3u8"]
  /// Bytes of a playlist: 1,000 entries have about 100 KB.
  private static let largestPlaylist = 256 << 10
  /// Playlists have whole seconds, rounded or cut.
  private static let slack = 1.5

  /// - Parameters:
  ///   - entries: of the album's folder.
  ///   - root: the folder that it is in, or below.
  init(_ entries: [Folder.Entry], in folder: FilePath, below root: FilePath) {
    let files = entries.filter { $0.kind == .file }.map(\.name)
    tracks = FolderNames(files).tracks.count
    let playlists = files.filter { Self.playlists.contains($0.extension?.lowercased() ?? "") }
    seconds = playlists.flatMap { name -> [Double] in
      let path = folder.appending(name)
      let bytes = Candidate(path: path, folder: root, previewStem: path)
        .contents(atMost: Self.largestPlaylist)
      return bytes.map { Self.seconds(in: String(decoding: $0, as: UTF8.self)) } ?? []
    }
  }

  /// Reads the lengths of lines such as `#EXTINF:215,Artist - Title`.
  static func seconds(in playlist: String) -> [Double] {
    playlist.split(whereSeparator: \.isNewline).compactMap { line in
      guard line.hasPrefix("#EXTINF:") else { return nil }
      let number = line.dropFirst("#EXTINF:".count).prefix { $0.isASCII && $0.isNumber }
      return Double(number).flatMap { $0 > 0 ? $0 : nil }
    }
  }

  /// Whether nothing contradicts that a track belongs to the album.
  func fits(_ track: Track) -> Bool {
    let most = max(tracks, seconds.count)
    if let number = track.number, most > 0, number > most { return false }
    guard let length = track.seconds, !seconds.isEmpty else { return true }
    return seconds.contains { abs($0 - length) <= Self.slack }
  }
}
