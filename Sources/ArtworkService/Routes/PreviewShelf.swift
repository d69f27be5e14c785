import NIOCore
import Synchronization

/// Previews that were asked for lately, ready to be sent, by their tags: a tag names the very bytes, so that nothing
/// here is ever out of date.
final class PreviewShelf: Sendable {
  private struct Entry {
    var png: ByteBuffer
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

  subscript(_ tag: String) -> ByteBuffer? {
    state.withLock { state in
      state.uses += 1
      state.entries[tag]?.lastUse = state.uses
      return state.entries[tag]?.png
    }
  }

  /// Keeps a preview in the place of those that were used least recently. One that is larger than a quarter of the
  /// shelf is not worth it.
  func keep(_ png: ByteBuffer, _ tag: String) {
    state.withLock { state in
      guard state.entries[tag] == nil, png.readableBytes <= byteLimit / 4 else { return }
      while state.bytes + png.readableBytes > byteLimit || state.entries.count >= entryLimit {
        guard let oldest = state.entries.min(by: { $0.value.lastUse < $1.value.lastUse }) else {
          break
        }
        state.entries[oldest.key] = nil
        state.bytes -= oldest.value.png.readableBytes
      }
      state.uses += 1
      state.bytes += png.readableBytes
      state.entries[tag] = Entry(png: png, lastUse: state.uses)
    }
  }
}
