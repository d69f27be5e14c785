import ArtworkModel
import TestSupport

@testable import ArtworkLottie

/// Small documents that cost rlottie minutes or gigabytes.
@Suite struct LottieLimitTests {
  private static func star(points: Int = 5, radius: String = "30") -> String {
    #"{"ty":"sr","sy":1,"d":1,"pt":{"a":0,"k":\#(points)},"p":{"a":0,"k":[50,50]},"r":{"a":0,"k":0},"#
      + #""ir":{"a":0,"k":10},"is":{"a":0,"k":0},"or":{"a":0,"k":\#(radius)},"os":{"a":0,"k":0}}"#
  }

  private static func repeater(_ copies: String) -> String {
    #"{"ty":"rp","c":{"a":0,"k":\#(copies)},"o":{"a":0,"k":0},"m":1,"tr":{"ty":"tr","p":{"a":0,"k":[1,0]}}}"#
  }

  private static func dashes(_ length: String) -> String {
    #"{"ty":"st","c":{"a":0,"k":[1,0,0,1]},"o":{"a":0,"k":100},"w":{"a":0,"k":2},"#
      + #""d":[{"n":"d","v":{"a":0,"k":\#(length)}},{"n":"g","v":{"a":0,"k":\#(length)}}]}"#
  }

  private static let square = Drawing.square
  private static let large = Drawing.rectangle(position: "[50,50]", size: "[32000,32000]")
  private static let animatedRadius =
    #"{"ty":"el","p":{"a":0,"k":[0,0]},"s":{"a":1,"k":[{"t":0,"s":[10,10]},{"t":9,"s":[1e9,10]}]}}"#
  private static let path =
    #"{"ty":"sh","ks":{"a":0,"k":{"c":true,"v":[[0,0],[1e9,0],[0,1e9]],"i":[[0,0],[0,0],[0,0]],"#
    + #""o":[[0,0],[0,0],[0,0]]}}}"#
  private static let scaled =
    #"{"ty":"gr","it":[\#(star()),{"ty":"tr","s":{"a":0,"k":[1e9,1e9]}}]}"#

  @Test(
    "stars, polygons, repeaters, dashes and sides beyond a limit are too large",
    arguments: [
      [star(radius: "1e9")], [star(points: 100_000)], [animatedRadius], [scaled], [path],
      [square, repeater("1000000")], [square, repeater("1000"), repeater("1000")],
      [large, dashes("0.005")], [star(points: 1000), repeater("100")],
    ])
  func beyond(shapes: [String]) throws {
    let document = Drawing.document(Drawing.layer((shapes + [Drawing.red]).joined(separator: ",")))
    let error = #expect(throws: InspectionError.self) { try Drawing.animation(document) }
    #expect(error?.code == .tooLarge)
  }

  @Test(
    "ordinary ones are not",
    arguments: [
      [star()], [star(points: 200, radius: "4000")], [square, repeater("100")],
      [square, repeater("20"), repeater("20")], [square, dashes("0.1")], [large, dashes("10")],
    ])
  func ordinary(shapes: [String]) throws {
    _ = try Drawing.animation(
      Drawing.document(Drawing.layer((shapes + [Drawing.red]).joined(separator: ","))))
  }
}
