/// What a sound file says of its album.
package struct SoundTags: Codable, Sendable, Equatable {
  package var album: String?
  package var artist: String?
  package var albumArtist: String?
}

extension InputFile {
  /// Reads the tags of a sound file, and nothing of its sound.
  ///
  /// - Throws: `not-a-movie` for anything else.
  package func soundTags(limits: Limits) throws(InspectionError) -> SoundTags {
    try LogCapture.scope { () throws(InspectionError) in
      let demuxer = try Demuxer.open(self, limits: limits, formats: ContainerFormat.sounds)
      try checkReads()
      return SoundTags(
        album: demuxer.tag("album"), artist: demuxer.tag("artist"),
        albumArtist: demuxer.tag("album_artist"))
    }
  }
}
