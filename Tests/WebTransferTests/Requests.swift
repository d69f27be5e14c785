import TestSupport

@testable import ArtworkClients

/// Sends a request to a server and collects the response.
func transfer(
  _ path: String = "/", from server: LoopbackServer, method: String = "GET",
  limit: Int = 64 << 20, _ change: (inout TransferRequest) -> Void = { _ in }
) async throws(TransferError) -> (response: TransferResponse, body: [UInt8]) {
  let response = try await open(path, from: server, method: method, change)
  return (response, try await response.body.collect(upTo: limit))
}

func open(
  _ path: String = "/", from server: LoopbackServer, method: String = "GET",
  _ change: (inout TransferRequest) -> Void = { _ in }
) async throws(TransferError) -> TransferResponse {
  var request = TransferRequest(method, "http://127.0.0.1:\(server.port)\(path)")
  change(&request)
  return try await TransferLoop.shared.send(request)
}

func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

extension TransferError {
  /// The connection was lost, whatever the reason.
  var isLost: Bool { if case .lost = self { true } else { false } }
}
