import FoundationEssentials
import Synchronization

/// The file with the service's token, which is a new one after each start.
package final class TokenFile: Sendable {
  private let path: String
  private let latest: Mutex<String?>

  /// - Parameter token: the initial token; `nil` reads the file when the service requires a token.
  init(_ path: String, token: String?) {
    self.path = path
    latest = Mutex(token)
  }

  var token: String? { latest.withLock(\.self) }

  /// Reads the file again.
  ///
  /// - Returns: `nil` if it contains no token other than the refused one.
  func token(insteadOf refused: String?) -> String? {
    guard let token = try? Self.read(path), token != refused else { return nil }
    latest.withLock { $0 = token }
    return token
  }

  /// - Returns: `nil` for a file whose text is not a single word.
  /// - Throws: for a file that cannot be read.
  package static func read(_ path: String) throws -> String? {
    let words = try String(contentsOfFile: path, encoding: .utf8).split(
      whereSeparator: \.isWhitespace)
    return words.count == 1 ? String(words[0]) : nil
  }
}
