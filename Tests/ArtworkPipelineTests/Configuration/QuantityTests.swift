@testable import ArtworkJudging
@testable import ArtworkMeasuring

@Suite struct QuantityTests {
  @Test(
    arguments: [
      ("4", "s", 4), ("4.5 s", "s", 4.5), ("4s", "s", 4), ("4 ms", "s", nil), ("0.5 %", "%", 0.005), ("0.005", "%", 0.005),
      ("1", "%", 1), ("2", "%", nil),
    ] as [(String, String, Double?)])
  func `numbers are read with their units`(text: String, unit: String, number: Double?) {
    #expect(Quantity.number(text, unit: unit) == number)
  }

  @Test(arguments: ["", ".", "4.", ".5", "1e3", "-1", "+1", "inf", "nan", "0x10", "1,5", "٤", "1.2.3"])
  func `other notations are no numbers`(text: String) { #expect(Quantity.number(text) == nil) }

  @Test(
    arguments: [
      ("50000000", "B", 50_000_000), ("400MB", "B", 400_000_000), ("400 MiB", "B", 419_430_400),
      ("1.5 GiB", "B", 1_610_612_736), ("20 Mbit/s", "bit/s", 20_000_000), ("500 Mpx/s", "px/s", 500_000_000),
      ("0.0001 kB", "B", 0), ("400 mB", "B", nil), ("400 M", "B", nil), ("20 Mbit", "bit/s", nil),
      ("999999999999999999TB", "B", nil),
    ] as [(String, String, Int64?)])
  func `factors are decimal, and binary with an i`(text: String, unit: String, number: Int64?) {
    #expect(Quantity.large(text, unit: unit) == number)
  }

  @Test(
    arguments: [
      ("60", (60, 1)), ("12.5", (25, 2)), ("23.976", (24_000, 1001)), ("23.98", (24_000, 1001)), ("29.97", (30_000, 1001)),
      ("59.94", (60_000, 1001)), ("30000/1001", (30_000, 1001)), ("0", nil), ("0/1", nil), ("1/0", nil), ("-1", nil),
      ("30/", nil), ("a", nil), ("1/2/3", nil), ("0.0000001", nil),
    ] as [(String, (Int64, Int64)?)])
  func `rates are exact`(text: String, rate: (Int64, Int64)?) {
    #expect(Quantity.rate(text) == rate.flatMap { Rational($0.0, $0.1) })
  }

  @Test(arguments: [
    ("file-size", ["4GiB", "400MB", "1.5M", "8K"], ["1.2.3M", ".5M", "0.1", "1e3", "9000000000GiB"]),
    ("pixels", ["3840x3840", "100"], ["8192x", "1x1x1", "0", "1000000x1000001"]),
    ("duration", ["10m", "90", "1h"], ["10 m", "1.5m", "0"]), ("frames", ["20000"], ["", "+5", "0", "none", "1000000000001"]),
    ("streams", ["64"], ["-1"]), ("cpu", ["20s"], ["1h2", "99999999999999999999s", "999999999999h"]),
    ("memory", ["1GiB", "128MiB", "1.5GiB"], ["127MiB", "0", "-1"]),
  ])
  func `limits are read with their units`(name: String, good: [String], bad: [String]) throws {
    let setting = try #require(Limits.settings.first { $0.name == name })
    for text in good { #expect(setting.change(to: text) != nil, "\(text)") }
    for text in bad { #expect(setting.change(to: text) == nil, "\(text)") }
  }

  @Test func `the limits that init writes are the defaults but for the processor time`() throws {
    let line = try #require(TemplateLines.all.first { $0.hasPrefix("#limits:") })
    let configuration = try MadeConfiguration.read(String(line.dropFirst()))
    var limits = Limits()
    configuration.apply(to: &limits)
    (limits.cpuSeconds, limits.cpuSecondsForEverything) = (20, 120)
    #expect(limits == Limits())
  }

  @Test(arguments: Profile.all.map(\.name))
  func `what a limit has is shown as it is read`(_ name: String) throws {
    let profile = try #require(Profile.all.first { $0.name == name })
    for rule in Rules.catalogue {
      for setting in rule.settings {
        let text = setting.value(in: profile)
        let configuration = try MadeConfiguration.read("rules: {\(rule.id): {\(setting.name): \(text)}}")
        let changed = try #require(configuration.profiles(for: "a.mp4", named: [name]).first)
        #expect(changed == profile, "\(rule.id) \(setting.name): \(text)")
      }
    }
  }
}
