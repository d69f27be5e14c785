/// Whose end ends a session.
package struct SessionOwner: Sendable, Hashable, Codable {
  /// A process of this machine. Kept with its start time, so that another process that gets its number later is not
  /// taken for it.
  package struct Process: Sendable, Hashable, Codable {
    package var identifier: Int32
    /// As the system counts it since it started; `nil` where it does not say.
    package var start: UInt64?

    package init(identifier: Int32, start: UInt64? = nil) {
      self.identifier = identifier
      self.start = start
    }
  }

  /// `nil` for a session that ends when it is ended, or when a connection that holds it closes.
  package var process: Process?

  package init(process: Process? = nil) { self.process = process }
}
