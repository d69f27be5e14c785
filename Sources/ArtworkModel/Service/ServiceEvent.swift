/// A change that the store notices and the service reports. Most events carry only names: request details when you need
/// them.
public enum ServiceEvent: Sendable, Equatable {
  /// The first event of every stream.
  case nowPlaying(NowPlaying)
  case session(SessionID, application: String?, ended: Bool)
  /// A variant or a static cover has changed.
  ///
  /// - Parameter status: `nil` if it was removed, and for a status that only a newer service knows.
  case artwork(ArtworkReference, status: ArtworkStatus?)
  /// - Parameters:
  ///   - session: `nil` if no session is left, or none of the application is eligible any more.
  ///   - application: of the session; `nil` if no session is left.
  case primary(session: SessionID?, application: String?, SessionRegistry.Scope)
  case conditions(DeviceConditions)
  /// A session got a file, or lost it.
  ///
  /// - Parameter rendition: the size of a smaller version; `nil` for the video itself.
  case lease(
    SessionID, application: String?, ArtworkReference, rendition: PixelSize? = nil, released: Bool)
  /// A command for the owner of the session, which answers it. Only a stream that holds the session receives it.
  case command(DeliveredCommand)
  /// Another client has taken over the session that this stream held.
  case replaced(SessionReference)
  /// Events were dropped; request everything again.
  case missed
  /// An event of a newer service, or one with a word that only a newer service knows.
  case unknown(name: String)
}

extension ServiceEvent {
  package static func session(_ session: SessionReference, ended: Bool) -> Self {
    .session(session.id, application: session.application, ended: ended)
  }

  package static func primary(_ session: SessionReference?, _ scope: SessionRegistry.Scope) -> Self {
    .primary(session: session?.id, application: session?.application, scope)
  }

  package static func lease(
    _ session: SessionReference, _ reference: ArtworkReference, rendition: PixelSize? = nil,
    released: Bool
  ) -> Self {
    .lease(
      session.id, application: session.application, reference, rendition: rendition,
      released: released)
  }
}
