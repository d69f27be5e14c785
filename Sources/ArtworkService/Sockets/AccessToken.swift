import ArtworkModel
import ArtworkPipeline
import SystemPackage

/// The secret that a client over TCP needs, in a file that only this user can read. New at each start.
package struct AccessToken: Sendable, CustomStringConvertible {
  /// 256 random bits as 64 hexadecimal digits.
  package let text: String

  init() {
    var random = SystemRandomNumberGenerator()
    text = (0..<32).map { _ in UInt8.random(in: .min ... .max, using: &random) }.hexadecimal
  }

  /// Replaces the token file, with mode 0600.
  func write(to path: FilePath) throws(StartError) {
    let temporary = path.suffixed(".new")
    // A service that was killed may have left it.
    DurableFiles.remove(temporary)
    do throws(Errno) {
      try DurableFiles.replace(path, Array("\(text)\n".utf8), temporary: temporary)
    } catch {
      throw .failed("write \(path)", error)
    }
  }

  // Keeps the secret out of logs.
  package var description: String { "a token" }

  /// Takes the same time for all wrong texts of one length.
  func matches(_ other: some StringProtocol) -> Bool {
    let (own, given) = (text.utf8, other.utf8)
    guard own.count == given.count else { return false }
    return zip(own, given).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
  }
}
