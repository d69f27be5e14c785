@testable import ArtworkCore

@Suite struct QuantityTests {
  @Test("numbers are read with their units")
  func numbers() {
    #expect(Quantity.number("4", unit: "s") == 4)
    #expect(Quantity.number("4.5 s", unit: "s") == 4.5)
    #expect(Quantity.number("4s", unit: "s") == 4)
    #expect(Quantity.number("4 ms", unit: "s") == nil)
    #expect(Quantity.number("0.5 %", unit: "%") == 0.005)
    #expect(Quantity.number("0.005", unit: "%") == 0.005)
    #expect(Quantity.number("1", unit: "%") == 1)
    #expect(Quantity.number("2", unit: "%") == nil)
    for text in ["", ".", "4.", ".5", "1e3", "-1", "+1", "inf", "nan", "0x10", "1,5", "٤", "1.2.3"]
    {
      #expect(Quantity.number(text) == nil, "\(text)")
    }
  }

  @Test("factors are decimal, and binary with an i")
  func factors() {
    #expect(Quantity.large("50000000", unit: "B") == 50_000_000)
    #expect(Quantity.large("400MB", unit: "B") == 400_000_000)
    #expect(Quantity.large("400 MiB", unit: "B") == 419_430_400)
    #expect(Quantity.large("1.5 GiB", unit: "B") == 1_610_612_736)
    #expect(Quantity.large("20 Mbit/s", unit: "bit/s") == 20_000_000)
    #expect(Quantity.large("500 Mpx/s", unit: "px/s") == 500_000_000)
    #expect(Quantity.large("0.0001 kB", unit: "B") == 0)
    #expect(Quantity.large("400 mB", unit: "B") == nil)
    #expect(Quantity.large("400 M", unit: "B") == nil)
    #expect(Quantity.large("20 Mbit", unit: "bit/s") == nil)
    #expect(Quantity.large("999999999999999999TB", unit: "B") == nil)
  }

  @Test("rates are exact")
  func rates() {
    #expect(Quantity.rate("60") == Rational(60))
    #expect(Quantity.rate("12.5") == Rational(25, 2))
    #expect(Quantity.rate("23.976") == Rational(24_000, 1001))
    #expect(Quantity.rate("23.98") == Rational(24_000, 1001))
    #expect(Quantity.rate("29.97") == Rational(30_000, 1001))
    #expect(Quantity.rate("59.94") == Rational(60_000, 1001))
    #expect(Quantity.rate("30000/1001") == Rational(30_000, 1001))
    for text in ["0", "0/1", "1/0", "-1", "30/", "a", "1/2/3", "0.0000001"] {
      #expect(Quantity.rate(text) == nil, "\(text)")
    }
  }

  @Test(
    "limits are read with their units",
    arguments: [
      (
        "file-size", ["4GiB", "400MB", "1.5M", "8K"],
        ["1.2.3M", ".5M", "0.1", "1e3", "9000000000GiB"]
      ),
      ("pixels", ["3840x3840", "100"], ["8192x", "1x1x1", "0", "1000000x1000001"]),
      ("duration", ["10m", "90", "1h"], ["10 m", "1.5m", "0"]),
      ("frames", ["20000"], ["", "+5", "0", "none", "1000000000001"]), ("streams", ["64"], ["-1"]),
      ("cpu", ["20s"], ["1h2", "99999999999999999999s", "999999999999h"]),
      ("memory", ["1GiB", "128MiB", "1.5GiB"], ["127MiB", "0", "-1"]),
    ])
  func limits(name: String, good: [String], bad: [String]) throws {
    let setting = try #require(Limits.settings.first { $0.name == name })
    for text in good { #expect(setting.change(to: text) != nil, "\(text)") }
    for text in bad { #expect(setting.change(to: text) == nil, "\(text)") }
  }

  @Test("the limits that init writes are the defaults but for the processor time")
  func defaults() throws {
    let line = try #require(TemplateLines.all.first { $0.hasPrefix("#limits:") })
    let configuration = try MadeConfiguration.read(String(line.dropFirst()))
    var limits = Limits()
    configuration.apply(to: &limits)
    (limits.cpuSeconds, limits.cpuSecondsForEverything) = (20, 120)
    #expect(limits == Limits())
  }

  @Test("what a limit has is shown as it is read", arguments: Profile.all.map(\.name))
  func shown(_ name: String) throws {
    let profile = try #require(Profile.all.first { $0.name == name })
    for rule in Rules.catalogue {
      for setting in rule.settings {
        let text = setting.value(in: profile)
        let configuration = try MadeConfiguration.read(
          "rules: {\(rule.id): {\(setting.name): \(text)}}")
        let changed = try #require(configuration.profiles(for: "a.mp4", named: [name]).first)
        #expect(changed == profile, "\(rule.id) \(setting.name): \(text)")
      }
    }
  }
}
