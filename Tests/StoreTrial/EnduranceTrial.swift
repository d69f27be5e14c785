import ArgumentParser
import ArtworkPipeline
import Foundation
import SystemPackage

/// A random life of a store and its sessions, compared after each step with what should be.
struct EnduranceTrial: AsyncParsableCommand {
  static let configuration = CommandConfiguration(commandName: "endure")

  @Argument(help: "An empty folder.") var folder: String
  @Option(help: "How many steps.") var steps = 20_000
  @Option(help: "What the steps are drawn from.") var seed: UInt64 = 1

  func run() async throws {
    var life = try await RandomLife(FilePath(folder), seed: seed)
    for step in 1...max(1, steps) {
      let action = life.draw()
      do {
        try await life.act(action)
        try life.checkAffected()
        if step % 1000 == 0 { try life.checkEverything() }
        // A run that is ended early has still shown so many.
        if step % 10_000 == 0 { FileHandle.standardError.write(Data("\(step) steps agree\n".utf8)) }
      } catch {
        print("step \(step) of seed \(seed), \(action): \(error)")
        throw ExitCode.failure
      }
    }
    try life.checkEverything()
    let counts = life.counts.sorted { "\($0.key)" < "\($1.key)" }.map { "\($0.key) \($0.value)" }
    print("\(steps) steps of seed \(seed) agree with the oracle: \(counts.joined(separator: ", "))")
  }
}

/// SplitMix64 (Steele, Lea and Flood, 2014): the same steps for the same seed.
struct SplitMix: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}
