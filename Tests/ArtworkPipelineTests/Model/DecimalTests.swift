@Suite struct DecimalTests {
  @Test(
    arguments: [
      (0, 2, "0"), (1, 0, "1"), (1.5, 0, "2"), (1.25, 1, "1.3"), (29.97002997, 3, "29.97"), (59.94005994, 3, "59.94"),
      (0.05, 1, "0.1"), (0.04, 1, "0"), (-0.04, 1, "0"), (-1.5, 1, "-1.5"), (1.005, 3, "1.005"), (1.05, 3, "1.05"),
      (100, 2, "100"), (0.001, 3, "0.001"), (999.9996, 3, "1000"), (-999.9996, 3, "-1000"), (1e14, 2, "100000000000000"),
    ] as [(Double, Int, String)])
  func `numbers have no trailing zeros`(value: Double, places: Int, text: String) {
    #expect(decimal(value, places: places) == text)
  }

  @Test(arguments: [Double.infinity, -.infinity, .nan, .greatestFiniteMagnitude, -1e15, 1e18, .leastNonzeroMagnitude])
  func `infinite, undefined and huge values are written without a trap`(value: Double) {
    let text = decimal(value, places: 4)
    if value.isFinite, abs(value) >= 1 {
      #expect(Double(text) == value)
    } else {
      #expect(text == (abs(value) < 1 ? "0" : "\(value)"))
    }
  }

  @Test func `agrees with Foundation's formatting on many values`() {
    var noise = Noise(seed: 7)
    for _ in 0..<2000 {
      let value = (Double(noise.next() >> 11) / Double(1 << 53) - 0.5) * 20000
      let places = Int(noise.next() >> 60 & 3) + 1
      var reference = String(format: "%.\(places)f", value)
      while reference.last == "0" { reference.removeLast() }
      if reference.last == "." { reference.removeLast() }
      if reference == "-0" { reference = "0" }
      #expect(decimal(value, places: places) == reference)
    }
  }
}
