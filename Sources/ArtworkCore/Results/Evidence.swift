/// The information that lets a result be judged with those of other runs, or be reused by a later run.
package struct Evidence: Sendable, Equatable, Codable {
  /// A profile that the file was judged for.
  package struct Judge: Sendable, Equatable, Codable {
    package var name: String
    /// The severities that it sets for rules across releases, by rule id; `nil` for none.
    package var severities: [String: RuleSeverity]?

    package init(
      name: String, severities: [String: RuleSeverity]? = nil
    ) {
      self.name = name
      self.severities = severities
    }
  }

  /// A picture beside the file.
  package struct Still: Sendable, Equatable, Codable {
    package var path: String
    /// Its size and when its content last changed, as of the file.
    package var bytes: Int64?
    package var modified: Int64?

    package init(
      path: String, bytes: Int64? = nil, modified: Int64? = nil
    ) {
      self.path = path
      self.bytes = bytes
      self.modified = modified
    }
  }

  /// Its place in the list of all candidates, from 0, also in a run that checks only a part of them.
  package var place: Int
  /// The digest of everything that decides about results; see ``Summary/configuration``.
  package var configuration: String
  /// The judges, in the order of the findings.
  package var judges: [Judge]
  /// The size of the file, and when its content last changed, in microseconds since 1970; `nil` for a file that cannot
  /// be read. No time for a file that changed while it was checked.
  package var bytes: Int64?
  package var modified: Int64?
  /// The pictures that lie beside the file as its previews, by their paths; `nil` for none.
  package var stills: [Still]?
  /// The SHA-256 of the file, in hexadecimal; `nil` if it cannot be read or no rule compares it.
  package var digest: String?
  /// The folder that names the release, as given; `nil` without a release, and for one of a manifest.
  package var release: String?
  /// The variant that a manifest or the name states, `1x1` or `3x4`; `nil` without a release.
  package var key: ArtworkKey?
  /// The static cover of the release.
  package var cover: String?
  /// The error of a file that could not be inspected, if the message in the public document joins two parts.
  package var error: InspectionError?
  /// The first displayed frame.
  package var signature: PictureSignature?

  package init(
    place: Int, configuration: String, judges: [Judge], bytes: Int64? = nil, modified: Int64? = nil,
    stills: [Still]? = nil, digest: String? = nil, release: String? = nil, key: ArtworkKey? = nil,
    cover: String? = nil, error: InspectionError? = nil, signature: PictureSignature? = nil
  ) {
    self.place = place
    self.configuration = configuration
    self.judges = judges
    self.bytes = bytes
    self.modified = modified
    self.stills = stills
    self.digest = digest
    self.release = release
    self.key = key
    self.cover = cover
    self.error = error
    self.signature = signature
  }
}
