/// Videos that somebody has to look at before they are published: `check --approved`.
package enum ApprovalRule: RuleDescription {
  package static let id = "approval"

  /// - Parameters:
  ///   - digest: the SHA-256 of the file in hexadecimal digits; `nil` if it cannot be read.
  ///   - list: what was looked at.
  package static func check(
    _ digest: String?, _ list: ApprovedVideos, profile: Profile
  ) -> [Finding] {
    let rejection = digest.flatMap { digest in list.rejected.first { $0.sha256 == digest } }
    if rejection == nil, list.approved.contains(where: { $0.sha256 == digest }) { return [] }
    let message =
      rejection.map { "\($0.who.isEmpty ? "somebody" : $0.who) rejected this video" }
      ?? "nobody has approved this video"
    return [
      finding(
        .error, message,
        help:
          "look at it on the page of `artworkd repair --report html=FILE` or `check --report html=FILE`, press a, and save approved.json",
        limit: "an approved video", profile: profile)
    ]
  }
}

/// Videos that people looked at, as the HTML page saves them in `approved.json`.
package struct ApprovedVideos: Sendable, Equatable, Codable {
  package struct Entry: Sendable, Equatable, Codable {
    /// Where it was; the digest decides.
    package var path: String
    /// 64 hexadecimal digits.
    package var sha256: String
    package var who: String
    /// ISO 8601.
    package var when: String
  }

  package var schemaVersion = 1
  package var approved: [Entry]
  package var rejected: [Entry]

  package init(approved: [Entry], rejected: [Entry] = []) {
    (self.approved, self.rejected) = (approved, rejected)
  }
}
