package import Foundation
import Synchronization
import Testing

/// The tool, or another program, while it runs; it ends with this object.
package final class RunningTool {
  package let process = Process()
  private let scratch: TemporaryFolder
  private let folder: TemporaryFolder?

  /// - Parameters:
  ///   - program: what runs the tool, and is followed by it.
  ///   - output: in place of a file that ``output`` reads.
  package init(
    _ arguments: [String], in folder: TemporaryFolder? = nil, environment: [String: String] = [:],
    through program: [String] = [], input: Pipe? = nil, output: Pipe? = nil
  ) throws {
    self.folder = folder
    scratch = try TemporaryFolder()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = program + [try BuiltTool.find().path] + arguments
    process.currentDirectoryURL = folder?.root
    process.environment = ProcessInfo.processInfo.environment.merging([
      "ARTWORKD_CACHE_DIR": scratch.url("cache").path
    ]) { $1 }.merging(environment) { $1 }
    for name in ["out", "err"] { try scratch.write("", to: name) }
    process.standardInput = input ?? FileHandle.nullDevice
    process.standardOutput = try output ?? FileHandle(forWritingTo: scratch.url("out"))
    process.standardError = try FileHandle(forWritingTo: scratch.url("err"))
    try process.run()
  }

  deinit { if process.isRunning { process.terminate() } }

  package var output: String { (try? scratch.text("out")) ?? "" }
  package var error: String { (try? scratch.text("err")) ?? "" }

  /// Waits until it prints `text` to standard error; records an issue if it never does.
  package func prints(_ text: String) -> Bool {
    for _ in 0..<3000 {
      let hasEnded = !process.isRunning
      if error.contains(text) { return true }
      if hasEnded { break }
      Thread.sleep(forTimeInterval: 0.02)
    }
    Issue.record("it prints: \(error)")
    return false
  }

  package func send(_ signal: Int32) { kill(process.processIdentifier, signal) }

  /// Sends a signal, and waits for the end.
  ///
  /// - Returns: the exit code.
  @discardableResult package func end(_ signal: Int32) -> Int32 {
    send(signal)
    return status
  }

  /// Its exit code, once it has ended.
  package var status: Int32 {
    process.waitUntilExit()
    return process.terminationStatus
  }
}

/// Waits until something is so, for a minute at most, on a thread that may block.
package func soon(_ isSo: () throws -> Bool) rethrows -> Bool {
  for _ in 0..<3000 {
    if try isSo() { return true }
    Thread.sleep(forTimeInterval: 0.02)
  }
  return false
}
