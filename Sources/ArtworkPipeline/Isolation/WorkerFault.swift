#if DEBUG
  import SystemPackage

  import Glibc

  /// A worker that gives bad answers, in debug builds only; see ``DecoderFault``, which handles all other words.
  enum WorkerFault {
    static func inject(_ fault: DecoderFault, _ exchange: WorkerExchange) throws {
      switch fault.word {
      case "leave": _exit(0)
      case "fail": _exit(1)
      case "vanish":
        close(WorkerDescriptors.life)
        while true { sleep(1000) }
      case "garbage":
        try exchange.file.resize(to: 0)
        try exchange.file.writeAll(toAbsoluteOffset: 0, noise)
        _exit(0)
      case "half":
        try exchange.write(JobAnswer(value: InspectionError(.notAMovie, "half"), bytes: noise))
        try exchange.file.resize(to: 40)
        _exit(0)
      case "flood":
        var offset: Int64 = 0
        while (try? exchange.file.writeAll(toAbsoluteOffset: offset, noise)) != nil {
          offset += Int64(noise.count)
        }
        _exit(0)
      default: try fault.inject()
      }
    }

    private static let noise = (0..<65_536).map { UInt8(truncatingIfNeeded: $0 &* 151) }
  }
#endif
