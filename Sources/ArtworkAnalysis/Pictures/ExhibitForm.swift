import FoundationEssentials

/// An exhibit without its pictures, which are sent as plain bytes.
package struct ExhibitForm: Codable {
  package var previewBytes: Int
  package var stripBytes: Int
  var heatMapBytes: Int
  package var framesBeforeSeam: Int
  package var steps: [Double]
  package var seamStep: Double?

  /// All pictures together: several times the size of noise at their dimensions.
  package static let mostBytes = 2 << 20

  package init(_ exhibit: Exhibit) {
    previewBytes = exhibit.preview.count
    stripBytes = exhibit.strip.count
    heatMapBytes = exhibit.heatMap.count
    framesBeforeSeam = exhibit.framesBeforeSeam
    steps = exhibit.steps
    seamStep = exhibit.seamStep
  }

  /// The exhibit whose pictures `bytes` start with; `nil` for one that ``ExhibitMaker`` would not make. Does not
  /// check the compressed data.
  package func exhibit(from bytes: [UInt8]) -> Exhibit? {
    let lengths = [previewBytes, stripBytes, heatMapBytes]
    guard lengths.allSatisfy({ (0...Self.mostBytes).contains($0) }),
      lengths.reduce(0, +) <= bytes.count, (0...64).contains(framesBeforeSeam),
      steps.count <= Exhibit.mostSteps
    else { return nil }
    let exhibit = Exhibit(
      preview: Array(bytes[..<previewBytes]),
      strip: Array(bytes[previewBytes..<previewBytes + stripBytes]),
      framesBeforeSeam: framesBeforeSeam,
      heatMap: Array(bytes[(previewBytes + stripBytes)...].prefix(heatMapBytes)), steps: steps,
      seamStep: seamStep)
    guard Self.isJPEG(exhibit.preview), exhibit.strip.isEmpty || Self.isJPEG(exhibit.strip),
      exhibit.heatMap.isEmpty || Self.isJPEG(exhibit.heatMap)
    else { return nil }
    return exhibit
  }

  /// Whether the bytes run from a start of image to an end of image.
  private static func isJPEG(_ bytes: [UInt8]) -> Bool {
    bytes.count >= 4 && bytes.starts(with: [0xff, 0xd8, 0xff]) && bytes.suffix(2) == [0xff, 0xd9]
  }
}

extension Exhibit {
  /// The pictures one after the other.
  package var bytes: [UInt8] { preview + strip + heatMap }
}

extension Exhibit: Codable {
  private enum CodingKeys: CodingKey { case form, pictures }

  package init(from decoder: any Decoder) throws {
    let fields = try decoder.container(keyedBy: CodingKeys.self)
    let form = try fields.decode(ExhibitForm.self, forKey: .form)
    guard let exhibit = form.exhibit(from: Array(try fields.decode(Data.self, forKey: .pictures)))
    else {
      throw DecodingError.dataCorruptedError(
        forKey: .pictures, in: fields, debugDescription: "these are not the pictures")
    }
    self = exhibit
  }

  package func encode(to encoder: any Encoder) throws {
    var fields = encoder.container(keyedBy: CodingKeys.self)
    try fields.encode(ExhibitForm(self), forKey: .form)
    try fields.encode(Data(bytes), forKey: .pictures)
  }
}
