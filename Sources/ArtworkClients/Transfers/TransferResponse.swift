/// The response to a request: its head, and a body that is read as it arrives.
package struct TransferResponse: Sendable {
  package var status: Int
  /// Header fields in the order in which they arrived, with names as the server wrote them.
  package var headers: [(name: String, value: String)]
  package var body: TransferBody

  /// The value of the first header with this name, in any case.
  package func header(_ name: String) -> String? {
    headers.first { $0.name.lowercased() == name.lowercased() }?.value
  }
}

/// The bytes of a response, for one reader at a time. About ``Transfer/backlogLimit`` bytes wait in memory; then the
/// connection is paused. Releasing the last copy ends the transfer.
package struct TransferBody: AsyncSequence, Sendable {
  private let owner: Owner

  /// Ends the transfer when the last copy of the body is released.
  fileprivate final class Owner: Sendable {
    let transfer: Transfer
    init(_ transfer: Transfer) { self.transfer = transfer }
    deinit { transfer.cancel() }
  }

  init(_ transfer: Transfer) { owner = Owner(transfer) }

  /// Whether no more bytes arrive; some may still be unread.
  package var isFinished: Bool { owner.transfer.isFinished }

  package struct AsyncIterator: AsyncIteratorProtocol {
    fileprivate let owner: Owner

    /// - Throws: ``TransferError``.
    package func next() async throws -> [UInt8]? { try await owner.transfer.next() }
  }

  package func makeAsyncIterator() -> AsyncIterator { AsyncIterator(owner: owner) }

  /// The whole body.
  ///
  /// - Throws: `tooLong` beyond `limit` bytes.
  package func collect(upTo limit: Int) async throws(TransferError) -> [UInt8] {
    var bytes: [UInt8] = []
    while let part = try await owner.transfer.next() {
      guard bytes.count + part.count <= limit else { throw .tooLong }
      bytes += part
    }
    return bytes
  }
}
