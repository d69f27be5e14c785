/// Pseudorandom numbers that are the same for a seed on every machine (SplitMix64).
struct SeededNumbers: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt32) { state = UInt64(seed) &* 0x9E37_79B9_7F4A_7C15 }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }

  /// Returns a number from 0 to below 1.
  mutating func fraction() -> Double { Double(next() >> 11) / Double(1 << 53) }

  /// An angle in a whole turn.
  mutating func angle() -> Double { 2 * .pi * fraction() }

  /// About normal, with mean 0 and deviation 1: twelve numbers added up.
  mutating func normal() -> Double {
    var sum = -6.0
    for _ in 0..<12 { sum += fraction() }
    return sum
  }
}
