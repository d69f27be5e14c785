#if DEBUG
  import Glibc

  /// A misbehaving decoder, in debug builds only: a file that starts with `ARTWORKD-FAULT` and a word makes its
  /// inspection do what the word names.
  package struct DecoderFault {
    package let word: Substring

    package init?(askedForBy file: InputFile) {
      let words = String(decoding: file.bytes(at: 0, count: 64), as: UTF8.self)
        .split(whereSeparator: \.isWhitespace)
      guard words.count >= 2, words[0] == "ARTWORKD-FAULT" else { return nil }
      word = words[1]
    }

    private static let signals: [Substring: Int32] = [
      "segv": SIGSEGV, "ill": SIGILL, "bus": SIGBUS, "fpe": SIGFPE,
      "trap": SIGTRAP, "kill": SIGKILL, "stop": SIGSTOP,
    ]

    package func inject() throws(InspectionError) {
      if let number = Self.signals[word] { raise(number) }
      switch word {
      case "abort": abort()
      case "spin": while true {}
      case "sleep": while true { sleep(1000) }
      case "allocate":
        Self.allocate()
        throw InspectionError(.outOfMemory, "out of memory")
      case "overflow":
        if Self.recurse(1) == 0 { throw InspectionError(.decodeFailed, "no stack") }
      default: throw InspectionError(.decodeFailed, "no such fault: \(word)")
      }
    }

    /// Writes to all available memory, then frees it.
    private static func allocate() {
      var blocks: [UnsafeMutableRawPointer] = unsafe []
      unsafe blocks.reserveCapacity(1 << 20)
      while let block = unsafe malloc(1 << 20) {
        unsafe memset(block, 1, 1 << 20)
        unsafe blocks.append(block)
      }
      for index in unsafe blocks.indices { unsafe free(blocks[index]) }
    }

    private static func recurse(_ depth: Int) -> Int {
      depth == 0 ? 0 : recurse(depth + 1) &+ depth
    }
  }
#endif
