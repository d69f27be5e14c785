import ArtworkClients
import TestSupport

/// A socket for fake services, and a client of them.
struct FakePlace {
  private let folder: TemporaryFolder
  private let path: String
  let client: ArtworkClient

  init() throws {
    folder = try TemporaryFolder()
    path = folder.url("a.sock").path
    client = ArtworkClient(.socket(path: path))
  }

  func start() async throws -> FakeService { try FakeService(at: path) }
}

/// Waits until something that happens elsewhere has happened; what never does ends the test after a minute.
func until(
  _ comment: Comment, _ location: SourceLocation = #_sourceLocation,
  isolation: isolated (any Actor)? = #isolation, _ isSo: () async throws -> Bool
) async throws {
  for _ in 0..<3000 {
    if try await isSo() { return }
    try await Task.sleep(for: .milliseconds(20))
  }
  Issue.record(comment, sourceLocation: location)
}

/// What a request to a service throws.
func failure(
  isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> some Any
) async -> ClientError? {
  do { _ = try await body() } catch { return error as? ClientError }
  return nil
}

extension ClientError {
  /// What happened, other than a refusal.
  var kind: String? {
    switch self {
    case .noService: "no service"
    case .lost: "lost"
    case .notUnderstood: "not understood"
    default: nil
    }
  }
}
