import ArtworkPipeline
import ArtworkStore
import NIOCore
import NIOHTTP1
import Synchronization

/// Previews that were asked for lately, ready to be sent, by their tags: a tag names the very bytes, so that nothing
/// here is ever out of date.
final class PreviewShelf: Sendable {
  struct Preview: Equatable {
    /// What is sent with it, but for its length.
    var fields: HTTPHeaders
    var png: ByteBuffer
  }

  private struct Entry {
    var preview: Preview
    var bytes: Int
    var lastUse: UInt64
  }

  private struct State {
    var entries: [String: Entry] = [:]
    var bytes = 0
    var uses: UInt64 = 0
  }

  private let state = Mutex(State())
  private let byteLimit: Int
  /// Small previews must not become a large table.
  private let entryLimit: Int

  init(byteLimit: Int = 64 << 20, entryLimit: Int = 4096) {
    self.byteLimit = byteLimit
    self.entryLimit = entryLimit
  }

  var bytes: Int { state.withLock(\.bytes) }

  subscript(_ tag: String) -> Preview? {
    state.withLock { state in
      guard let index = state.entries.index(forKey: tag) else { return nil }
      state.uses += 1
      state.entries.values[index].lastUse = state.uses
      return state.entries.values[index].preview
    }
  }

  /// Keeps a preview in the place of those that were used least recently. One that is larger than a quarter of the
  /// shelf is not worth it.
  ///
  /// - Returns: whether it is here.
  @discardableResult
  func keep(_ preview: Preview, _ tag: String) -> Bool {
    let bytes = preview.png.readableBytes
    return state.withLock { state in
      if state.entries[tag] != nil { return true }
      guard bytes <= byteLimit / 4 else { return false }
      while state.bytes + bytes > byteLimit || state.entries.count >= entryLimit {
        guard let oldest = state.entries.min(by: { $0.value.lastUse < $1.value.lastUse }) else {
          break
        }
        state.entries[oldest.key] = nil
        state.bytes -= oldest.value.bytes
      }
      state.uses += 1
      state.bytes += bytes
      state.entries[tag] = Entry(preview: preview, bytes: bytes, lastUse: state.uses)
      return true
    }
  }
}
