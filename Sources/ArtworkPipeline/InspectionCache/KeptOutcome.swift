import ArtworkModel

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// What a look at a file came to, in the form that is kept.
enum KeptOutcome: Codable, Equatable {
  case inspection(Inspection)
  case still(StillPicture)
  case refusal(InspectionError)

  /// `nil` for what JSON cannot say (numbers that are none) or does not say (damaged bytes).
  var bytes: [UInt8]? { (try? JSONEncoder().encode(self)).map { Array($0) } }

  init?(bytes: [UInt8]) {
    guard let outcome = try? JSONDecoder().decode(Self.self, from: Data(bytes)) else { return nil }
    self = outcome
  }
}
