/// The owner of a session, whose end ends the session.
package struct SessionOwner: Sendable, Hashable, Codable {
  /// A process of this machine, with its start time: a later process may get the same number.
  package struct Process: Sendable, Hashable, Codable {
    package var identifier: Int32
    /// The start of the process in ticks since the system started; `nil` if the system does not report it.
    package var start: UInt64?

    package init(identifier: Int32, start: UInt64? = nil) {
      self.identifier = identifier
      self.start = start
    }
  }

  /// `nil` for a session that ends on request, or when the connection that holds it closes.
  package var process: Process?

  package init(process: Process? = nil) { self.process = process }
}
