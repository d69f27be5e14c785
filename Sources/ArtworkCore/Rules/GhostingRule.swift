/// A dissolve that `repair` made, in which two pictures may be seen at once. No rule sees that in a file.
package enum GhostingRule: RuleDescription {
  package static let id = "ghosting"

  /// - Parameter ghosting: see ``CrossFade/ghosting``.
  static func check(_ ghosting: Double, profile: Profile) -> [Finding] {
    if ghosting <= CrossFade.clean { return [] }
    return Rules.inOrder(
      [
        finding(
          .warning, "where the end dissolves into the start, two pictures may be seen at once",
          help: "look at it; --shortest allows shorter loops, and artworkd loop lists them",
          measured: "doubled edges of \(decimal(ghosting, places: 0)) code values",
          limit: "at most \(decimal(CrossFade.clean, places: 0))", profile: profile)
      ], profile: profile)
  }
}
