/// One session among those of all applications. The names of sessions are scoped by application: two players may both call
/// theirs `main`.
public struct SessionReference: Sendable, Hashable, Codable {
  public var application: String
  public var id: SessionID

  public init(_ application: String, _ id: SessionID) {
    self.application = application
    self.id = id
  }
}

extension SessionReference: CustomStringConvertible {
  public var description: String { "\(id) of \(application)" }
}

extension StoreError {
  package static func unknownSession(
    _ id: SessionID, of application: String? = nil
  ) -> StoreError {
    let name = application.map { "\(SessionReference($0, id))" } ?? "\(id)"
    return StoreError(.unknownSession, "no session \(name): publish it first")
  }

  package static func owned(_ session: SessionReference) -> StoreError {
    StoreError(
      .owned,
      "another client owns \(session): choose an ID of your own, or take it over with If-Match")
  }

  package static func ambiguousSession(
    _ id: SessionID, of applications: [String]
  ) -> StoreError {
    StoreError(
      .ambiguousSession,
      "\(applications.count) applications have a session \(id) "
        + "(\(applications.sorted().joined(separator: ", "))); name its application")
  }
}
