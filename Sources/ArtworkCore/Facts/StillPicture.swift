/// A still beside videos: a cover, or a supplied preview.
package struct StillPicture: Sendable, Equatable, Codable {
  /// `png` or `jpeg`: the name of a ``StillFormat``.
  package var format: String
  /// Displayed width in pixels, upright.
  package var width: Int
  package var height: Int
  package var signature: PictureSignature
  /// See ``MediaFacts/contentIdentifier``; for a JPEG, the one in its maker note.
  package var contentIdentifier: String?

  /// Why its colours are not read as browsers show them, in words; `nil` if they are.
  package var colorCaveat: String?

  /// Width over height.
  package var aspect: Double { Double(width) / Double(max(1, height)) }
  package var size: String { "\(width)x\(height)" }

  package init(
    format: String, width: Int, height: Int, signature: PictureSignature,
    contentIdentifier: String? = nil
  ) {
    self.format = format
    self.width = width
    self.height = height
    self.signature = signature
    self.contentIdentifier = contentIdentifier
  }

  /// The ``colorCaveat`` of a picture that starts with these bytes.
  package static func colorCaveat(_ header: [UInt8]) -> String? {
    func end(of mark: String) -> Int? { header.firstRange(of: Array(mark.utf8))?.upperBound }
    // The colour space is 16 bytes into a profile, of which two bytes count the parts in JPEG (ICC.1:2022, 7.2 and B.4).
    if let profile = end(of: "ICC_PROFILE\0"),
      header.dropFirst(profile + 18).starts(with: "CMYK".utf8)
    {
      return "it is CMYK with a profile"
    }
    // The transfer of PQ is 16 and that of HLG 18 (ITU-T H.273), in the chunk of a PNG or the box of an AVIF picture.
    let transfer = end(of: "cICP").map { $0 + 1 } ?? end(of: "colrnclx").map { $0 + 3 }
    guard let transfer, header.indices.contains(transfer), [16, 18].contains(header[transfer])
    else {
      return nil
    }
    return "it is HDR"
  }
}
