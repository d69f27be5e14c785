import FoundationEssentials

/// The stored form of an inspection's result: JSON.
enum CachedOutcome: Equatable, Codable {
  case inspection(Inspection)
  case still(StillPicture)
  /// The pictures of an inspection that is kept as well.
  case reportImages(ReportImages)
  case refusal(InspectionError)

  /// `nil` if JSON cannot represent it, such as a number that is not finite.
  var bytes: [UInt8]? { (try? JSONEncoder().encode(self)).map { Array($0) } }

  /// `nil` for damaged bytes.
  init?(bytes: [UInt8]) {
    guard let outcome = try? JSONDecoder().decode(CachedOutcome.self, from: Data(bytes)) else {
      return nil
    }
    self = outcome
  }
}
