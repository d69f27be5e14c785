/// The result of looking at a file, in the form that is kept.
enum KeptOutcome: Equatable {
  case inspection(Inspection)
  case still(StillPicture)
  /// The pictures of an inspection that is kept as well.
  case exhibit(Exhibit)
  case refusal(InspectionError)

  /// A letter that names the case, then the record. `nil` for what a record cannot hold.
  var bytes: [UInt8]? {
    switch self {
    case .inspection(let inspection): Self.bytes("i", inspection)
    case .still(let picture): Self.bytes("s", picture)
    case .exhibit(let exhibit): Self.bytes("e", KeptExhibit(exhibit))
    case .refusal(let error): Self.bytes("r", error)
    }
  }

  /// `nil` for damaged bytes.
  init?(bytes: [UInt8]) {
    let record = bytes.dropFirst()
    do {
      switch bytes.first.map(UnicodeScalar.init) {
      case "i": self = .inspection(try RecordDecoder.decode(Inspection.self, from: record))
      case "s": self = .still(try RecordDecoder.decode(StillPicture.self, from: record))
      case "e":
        guard let exhibit = try RecordDecoder.decode(KeptExhibit.self, from: record).exhibit else {
          return nil
        }
        self = .exhibit(exhibit)
      case "r": self = .refusal(try RecordDecoder.decode(InspectionError.self, from: record))
      default: return nil
      }
    } catch {
      return nil
    }
  }

  private static func bytes(_ letter: UnicodeScalar, _ value: some Encodable) -> [UInt8]? {
    (try? RecordEncoder.encode(value)).map { [UInt8(ascii: letter)] + $0 }
  }
}

private struct KeptExhibit: Codable {
  private var form: ExhibitForm
  private var bytes: [UInt8]

  init(_ exhibit: Exhibit) { (form, bytes) = (ExhibitForm(exhibit), exhibit.bytes) }

  var exhibit: Exhibit? { form.exhibit(from: bytes) }
}
