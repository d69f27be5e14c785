/// The sessions of all applications, the primary ones, and the device's conditions. A value without clock and files.
///
/// Sessions are ranked: first those that play or buffer, then those with loaded content, then the others; equals by the
/// time when they last became active. A session becomes active when it appears and when it starts to play; a new position
/// or another title does not change its rank.
///
/// A session belongs to its application, which scopes its name.
///
/// - A session that is not eligible is never primary, and a promotion rests while its session is not eligible.
/// - An application's primary is the session that was promoted, as long as it lives, else the first by rank.
/// - The system's primary is the session that was promoted, as long as it lives, else the first by rank of the
///   applications' primaries. Promoting for the system also promotes within the application, because the system shows
///   an application's primary; promoting another session of that application takes over both.
public struct SessionRegistry: Sendable, Equatable {
  package private(set) var sessions: [SessionReference: MediaSession] = [:]
  package var conditions = DeviceConditions()

  /// Sessions in the order in which they became active, the latest last.
  package private(set) var order: [SessionReference] = []
  /// Promoted sessions by application.
  package private(set) var promoted: [String: SessionReference] = [:]
  package private(set) var promotedForSystem: SessionReference?

  public enum Scope: String, Sendable, Codable, CaseIterable { case application, system }

  package init() {}

  /// Adds or replaces a session. Takes time linear in the number of sessions when the session becomes active.
  package mutating func publish(_ session: MediaSession, as name: SessionID) {
    let id = SessionReference(session.application, name)
    let former = sessions.updateValue(session, forKey: id)
    if former == nil || (session.isActive && former?.isActive != true) {
      order.removeAll { $0 == id }
      order.append(id)
    }
  }

  /// - Returns: `false` if the session is unknown.
  package mutating func end(_ id: SessionReference) -> Bool {
    guard demote(id, .application) else { return false }
    sessions[id] = nil
    order.removeAll { $0 == id }
    return true
  }

  /// Makes a session the one that its application or the system shows.
  ///
  /// - Returns: `false` if the session is unknown.
  @discardableResult
  package mutating func promote(_ id: SessionReference, _ scope: Scope) -> Bool {
    guard sessions[id] != nil else { return false }
    let takesOver = promotedForSystem?.application == id.application
    promoted[id.application] = id
    if scope == .system || takesOver { promotedForSystem = id }
    return true
  }

  /// Reverts a promotion. Within the application this includes the promotion for the system, which shows an
  /// application's primary.
  ///
  /// - Returns: `false` if the session is unknown.
  package mutating func demote(_ id: SessionReference, _ scope: Scope) -> Bool {
    guard sessions[id] != nil else { return false }
    if scope == .application { promoted = promoted.filter { $0.value != id } }
    if promotedForSystem == id { promotedForSystem = nil }
    return true
  }

  /// What stays while players play, pause and seek.
  package var withoutPlayback: SessionRegistry {
    var board = self
    board.order = []
    for id in sessions.keys { board.sessions[id]?.playback = nil }
    return board
  }

  // MARK: Names

  /// The session of a name.
  ///
  /// - Parameter application: the application that it belongs to; `nil` for the only session of that name.
  /// - Throws: `unknown-session`, `ambiguous-session`.
  package func reference(
    _ id: SessionID, of application: String? = nil
  ) throws(StoreError) -> SessionReference {
    let named = sessions.keys.filter {
      $0.id == id && (application == nil || $0.application == application)
    }
    guard named.count < 2 else {
      throw StoreError.ambiguousSession(id, of: named.map(\.application))
    }
    guard let reference = named.first else {
      throw StoreError.unknownSession(id, of: application)
    }
    return reference
  }

  // MARK: Primaries

  /// The session that an application shows; `nil` if it has none.
  package func applicationPrimary(of application: String) -> SessionReference? {
    applicationPrimaries[application]
  }

  /// The session that the system shows; `nil` without eligible sessions.
  package var systemPrimary: SessionReference? { systemPrimary(among: applicationPrimaries) }

  private var applicationPrimaries: [String: SessionReference] {
    var primaries: [String: SessionReference] = [:]
    for id in ranked where primaries[id.application] == nil {
      primaries[id.application] = promoted[id.application].flatMap(eligible) ?? id
    }
    return primaries
  }

  /// The primaries that differ from those in `former`: of applications that have one, and of the system, `nil` if no
  /// session is left.
  package func primaries(since former: SessionRegistry) -> [(SessionReference?, Scope)] {
    let (old, new) = (former.applicationPrimaries, applicationPrimaries)
    let changed = new.filter { old[$0.key] != $0.value }.values.sorted {
      ($0.application, $0.id.text) < ($1.application, $1.id.text)
    }
    let (before, now) = (former.systemPrimary(among: old), systemPrimary(among: new))
    return changed.map { ($0, .application) } + (before == now ? [] : [(now, .system)])
  }

  /// The applications that still have sessions and have lost their primary one since `former`, because none of them is
  /// eligible any more.
  package func applicationsWithoutPrimary(since former: SessionRegistry) -> [String] {
    let primaries = applicationPrimaries
    return former.applicationPrimaries.keys.filter { application in
      primaries[application] == nil && sessions.keys.contains { $0.application == application }
    }.sorted()
  }

  private func systemPrimary(among primaries: [String: SessionReference]) -> SessionReference? {
    if let promoted = promotedForSystem.flatMap(eligible) { return promoted }
    let candidates = Set(primaries.values)
    return ranked.first(where: candidates.contains)
  }

  /// The eligible sessions, the highest rank first.
  private var ranked: [SessionReference] {
    let recent = order.reversed().compactMap(eligible)
    return (0...2).flatMap { rank in recent.filter { self.rank(of: $0) == rank } }
  }

  private func eligible(_ id: SessionReference) -> SessionReference? {
    sessions[id]?.ineligibility == nil ? id : nil
  }

  private func rank(of id: SessionReference) -> Int {
    guard let session = sessions[id] else { return 2 }
    return session.isActive ? 0 : session.content != nil ? 1 : 2
  }

  /// A session as the service describes it.
  package func published(_ id: SessionReference) -> PublishedSession? {
    let primaries = applicationPrimaries
    return published(id, among: primaries, shown: systemPrimary(among: primaries))
  }

  private func published(
    _ id: SessionReference, among primaries: [String: SessionReference], shown: SessionReference?
  ) -> PublishedSession? {
    sessions[id].map { session in
      let own = primaries[id.application]
      return PublishedSession(
        id: id.id, session: session, isApplicationPrimary: id == own,
        isSystemPrimary: id == shown,
        notShown: session.ineligibility
          ?? (id == own ? shown : own).flatMap { precedence(of: $0, over: id) })
    }
  }

  /// Why another primary session is shown instead of `id`; `nil` if `id` is shown.
  private func precedence(
    of primary: SessionReference, over id: SessionReference
  ) -> Presentation.Reason? {
    if primary == id { return nil }
    let isOwn = primary.application == id.application
    let isPromoted = isOwn ? promoted[id.application] == primary : promotedForSystem == primary
    let why =
      if isPromoted { "it was promoted" } else if rank(of: primary) == rank(of: id) {
        "it appeared or started later"
      } else if rank(of: primary) == 0 { "it plays or buffers, and this one does not" } else {
        "it has content, and this one has none"
      }
    return isOwn
      ? Presentation.Reason(
        code: "application-primary", message: "Its application shows \(primary.id): \(why).")
      : Presentation.Reason(
        code: "system-primary", message: "The system shows \(primary): \(why).")
  }

  // MARK: What is shown

  /// - Parameters:
  ///   - seconds: now, in seconds since 1970.
  ///   - availability: called for each artwork that the shown session publishes and the system shows, and for the covers
  ///     that may be shown.
  package func nowPlaying(
    at seconds: Double, availability: (ArtworkReference) -> ArtworkAvailability
  ) -> NowPlaying {
    let primaries = applicationPrimaries
    let primary = systemPrimary(among: primaries)
    let shown = primary.flatMap { id in sessions[id].map { (id, $0) } }
    let recent = order.reversed()
    let listed = recent.filter { $0 == primary } + recent.filter { $0 != primary }
    return NowPlaying(
      shown: shown.map { id, session in
        NowPlaying.Shown(
          sessionID: id.id, application: id.application, content: session.content,
          playback: session.timedPlayback.map { ShownPlayback($0, at: seconds) },
          reason: reason(for: id, among: primaries.values),
          variants: variants(of: session, availability),
          cover: session.covers.first {
            availability(ArtworkReference(coverOf: $0)).mayBePresented
          })
      },
      sessions: listed.compactMap { published($0, among: primaries, shown: primary) },
      conditions: conditions)
  }

  private func variants(
    of session: MediaSession, _ availability: (ArtworkReference) -> ArtworkAvailability
  ) -> [ArtworkKey: Presentation] {
    let keys = conditions.supportedKeys.union(session.artwork.keys)
    return Dictionary(
      uniqueKeysWithValues: keys.map { key in
        (
          key,
          Presentation(
            of: key, in: session, conditions: conditions, availability: availability)
        )
      })
  }

  /// - Parameter primaries: the applications' primary sessions.
  private func reason(
    for id: SessionReference, among primaries: some Sequence<SessionReference>
  ) -> String {
    if promotedForSystem == id { return "It was promoted for the system." }
    let eligible = ranked
    if eligible.count == 1 {
      return sessions.count == 1 ? "It is the only session." : "It is the only eligible session."
    }
    let candidates = promoted.isEmpty ? eligible : Array(primaries)
    let choice =
      if promoted[id.application] == id {
        "Its application promoted it, and of the applications' primary sessions"
      } else if promoted.isEmpty { "Of all sessions" } else {
        "Of the applications' primary sessions"
      }
    return switch rank(of: id) {
    case 0 where candidates.allSatisfy({ $0 == id || rank(of: $0) > 0 }):
      "\(choice), only this one plays or buffers."
    case 0: "\(choice) that play or buffer, it started last."
    case 1: "\(choice) with content, it appeared or started last; none plays or buffers."
    default: "\(choice), it appeared or started last; none has content."
    }
  }
}
