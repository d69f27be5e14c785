import ArtworkModel
import ArtworkPipeline
import ArtworkStore
import SystemPackage

/// What a client must know to change anything over TCP: whoever can read the file of this user. Made anew at each
/// start.
package struct WriteToken: Sendable, CustomStringConvertible {
  /// 64 hexadecimal digits of 256 random bits.
  package let text: String

  init() {
    var random = SystemRandomNumberGenerator()
    text = (0..<32).map { _ in UInt8.random(in: .min ... .max, using: &random) }.hexadecimal
  }

  /// Writes it with mode 0600 in the place of the one before.
  func write(to path: FilePath) throws(StartError) {
    let spare = FilePath(path.string + ".new")
    // One that was killed may have left it.
    DurableFiles.remove(spare)
    do throws(Errno) {
      try DurableFiles.replace(path, Array("\(text)\n".utf8), spare: spare)
    } catch {
      throw .failed("write \(path)", error)
    }
  }

  // Logs have none of it.
  package var description: String { "a token" }

  /// Takes as long for every wrong text of one length.
  func matches(_ other: some StringProtocol) -> Bool {
    let (own, given) = (Array(text.utf8), Array(other.utf8))
    guard own.count == given.count else { return false }
    return zip(own, given).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
  }
}
