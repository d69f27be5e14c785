import TestSupport

@testable import ArtworkCore
@testable import ArtworkModel
@testable import ArtworkPipeline

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
