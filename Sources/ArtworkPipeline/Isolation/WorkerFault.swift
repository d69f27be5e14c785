#if DEBUG
  import SystemPackage

  #if canImport(Darwin)
    import Darwin
  #else
    import Glibc
  #endif

  /// A decoder that misbehaves, in debug builds only: a file that starts with `ARTWORKD-FAULT` and one of
  /// the words below makes its worker do that, behind all walls.
  struct WorkerFault {
    private let word: Substring

    init?(askedForBy file: InputFile) {
      let words = String(decoding: file.bytes(at: 0, count: 64), as: UTF8.self)
        .split(whereSeparator: \.isWhitespace)
      guard words.count >= 2, words[0] == "ARTWORKD-FAULT" else { return nil }
      word = words[1]
    }

    private static let signals: [Substring: Int32] = [
      "segv": SIGSEGV, "ill": SIGILL, "abort": SIGABRT, "bus": SIGBUS, "fpe": SIGFPE,
      "trap": SIGTRAP, "kill": SIGKILL, "stop": SIGSTOP,
    ]

    func strike(_ exchange: WorkerExchange) throws {
      if let number = Self.signals[word] {
        raise(number)
        return
      }
      switch word {
      case "spin": while true {}
      case "sleep": while true { sleep(1000) }
      case "allocate":
        Self.allocate()
        throw InspectionError(.outOfMemory, "out of memory")
      case "overflow": print(Self.recurse(1))
      case "leave": _exit(0)
      case "fail": _exit(1)
      case "vanish":
        close(WorkerDescriptors.life)
        while true { sleep(1000) }
      case "garbage":
        try exchange.file.resize(to: 0)
        try exchange.file.writeAll(toAbsoluteOffset: 0, Self.noise)
        _exit(0)
      case "half":
        try exchange.write(
          WorkerReply.refusal(InspectionError(.notAMovie, "half")), preview: Self.noise)
        try exchange.file.resize(to: 40)
        _exit(0)
      case "flood":
        var offset: Int64 = 0
        while (try? exchange.file.writeAll(toAbsoluteOffset: offset, Self.noise)) != nil {
          offset += Int64(Self.noise.count)
        }
        _exit(0)
      default: throw InspectionError(.decodeFailed, "no such fault: \(word)")
      }
    }

    private static let noise = (0..<65_536).map { UInt8(truncatingIfNeeded: $0 &* 151) }

    /// Writes to as much memory as there is, then gives it back.
    private static func allocate() {
      var blocks: [UnsafeMutableRawPointer] = []
      while let block = malloc(1 << 20) {
        memset(block, 1, 1 << 20)
        blocks.append(block)
      }
      for block in blocks { free(block) }
    }

    private static func recurse(_ depth: Int) -> Int {
      depth == 0 ? 0 : recurse(depth + 1) &+ depth
    }
  }
#endif
