import TestSupport

@testable import ArtworkModel

@Suite struct RationalTests {
  @Test(
    "fractions are kept in lowest terms with a positive denominator",
    arguments: [
      ((6, 4), (3, 2)), ((-6, 4), (-3, 2)), ((6, -4), (-3, 2)), ((-6, -4), (3, 2)),
      ((0, 7), (0, 1)),
      ((0, -7), (0, 1)), ((60000, 1001), (60000, 1001)), ((24000, 1000), (24, 1)),
      ((.max, .max), (1, 1)), ((.max, 1), (.max, 1)), ((.min + 1, .max), (-1, 1)),
      ((1, .max), (1, .max)),
    ] as [((Int64, Int64), (Int64, Int64))])
  func reduction(given: (Int64, Int64), reduced: (Int64, Int64)) throws {
    let value = try #require(Rational(given.0, given.1))
    #expect(value.numerator == reduced.0)
    #expect(value.denominator == reduced.1)
  }

  @Test(
    "what is no fraction, or cannot change its sign in 64 bits, is refused",
    arguments: [(1, 0), (0, 0), (.min, 1), (1, .min), (.min, .min), (0, .min)] as [(Int64, Int64)])
  func refused(numerator: Int64, denominator: Int64) {
    #expect(Rational(numerator, denominator) == nil)
  }

  /// Pairs that `Double` holds for equal: the smaller first.
  @Test(
    "comparison is exact where Double is not",
    arguments: [
      ((9_007_199_254_740_992, 1), (9_007_199_254_740_993, 1)),
      ((.max - 1, .max), (1, 1)), ((.max - 2, .max - 1), (.max - 1, .max)),
      ((-9_007_199_254_740_993, 1), (-9_007_199_254_740_992, 1)), ((.min + 1, 1), (.min + 2, 1)),
      ((1, .max), (1, .max - 1)),
    ] as [((Int64, Int64), (Int64, Int64))])
  func exactOrder(small: (Int64, Int64), large: (Int64, Int64)) throws {
    let (a, b) = (
      try #require(Rational(small.0, small.1)), try #require(Rational(large.0, large.1))
    )
    #expect(a.value == b.value, "Double would have told them apart: the pair proves nothing")
    #expect(a < b)
    #expect(!(b < a))
    #expect(a != b)
  }

  @Test(
    "signs and different denominators are ordered",
    arguments: [
      ((-1, 2), (1, 2)), ((-1, 2), (-1, 3)), ((1, 3), (1, 2)), ((60000, 1001), (60, 1)),
      ((60, 1), (60001, 1000)), ((-3, 1), (0, 1)), ((-1, .max), (1, .max)),
    ] as [((Int64, Int64), (Int64, Int64))])
  func order(small: (Int64, Int64), large: (Int64, Int64)) throws {
    let (a, b) = (
      try #require(Rational(small.0, small.1)), try #require(Rational(large.0, large.1))
    )
    #expect(a < b)
    #expect(!(b < a))
    #expect(!(a < a))
  }

  @Test("products are reduced crosswise before they are multiplied")
  func product() throws {
    let huge = try #require(Rational(.max, 3))
    let inverse = try #require(Rational(3, .max))
    #expect(huge.multiplied(by: inverse) == .one)
    let half = try #require(Rational(-1, 2))
    #expect(half.multiplied(by: half) == Rational(1, 4))
    #expect(half.multiplied(by: Rational(0)) == Rational(0))
  }

  @Test("a product that does not fit is nil, never a trap")
  func overflow() throws {
    #expect(Rational(.max).multiplied(by: Rational(2)) == nil)
    let tiny = try #require(Rational(1, .max))
    let smaller = try #require(Rational(1, 2))
    #expect(tiny.multiplied(by: smaller) == nil)
    // -2^63 fits in 64 bits, but not as a numerator.
    #expect(Rational(1 << 62).multiplied(by: Rational(-2)) == nil)
  }

  @Test("zero has no inverse, everything else has")
  func inverse() {
    #expect(Rational(0).inverse == nil)
    #expect(Rational(-4).inverse == Rational(-1, 4))
    #expect(Rational(.max).inverse == Rational(1, .max))
  }

  @Test("JSON holds two numbers, and refuses what is no fraction")
  func coding() throws {
    let rate = try #require(Rational(30000, 1001))
    let json = try JSONEncoder().encode([rate])
    #expect(String(decoding: json, as: UTF8.self) == "[[30000,1001]]")
    #expect(try JSONDecoder().decode([Rational].self, from: json) == [rate])
    #expect(throws: DecodingError.self) {
      try JSONDecoder().decode([Rational].self, from: Data("[[1,0]]".utf8))
    }
    // A fraction that is not reduced equals the one that is.
    #expect(
      try JSONDecoder().decode([Rational].self, from: Data("[[2,4]]".utf8)) == [Rational(1, 2)])
  }

  @Test("whole numbers are written without a denominator")
  func description() {
    #expect(Rational(60).description == "60")
    #expect(Rational(60000, 1001)?.description == "60000/1001")
  }
}
