/// The files of a bundle as resources of a DDEX message (Electronic Release Notification 4), to be placed in the
/// `ResourceList` of the message.
///
/// Not a message, and not validated against DDEX's schema: it has the known properties of the files, but no
/// identifiers, titles or rights. No value of the standard names an animated cover, so the type of a video is a
/// user-defined value.
enum DDEXSnippet {
  static let name = "resources.ddex.xml"

  static func text(_ files: [BundledFile]) -> String {
    let resources = files.compactMap { file -> (kind: String, type: String, file: BundledFile)? in
      if file.name.hasSuffix(".mp4") { return ("Video", videoType, file) }
      // A preview belongs to its video.
      return ["cover.jpg", "cover.png"].contains(file.name)
        ? ("Image", "<Type>FrontCoverImage</Type>", file) : nil
    }
    let elements = resources.enumerated().map { index, resource in
      element(resource.kind, resource.type, resource.file, number: index + 1)
    }
    return """
      <?xml version="1.0" encoding="UTF-8"?>
      <!-- Resources for the ResourceList of a DDEX ERN 4 message; identifiers, titles and rights are for its sender to add. -->
      <ResourceList>
      \(elements.joined(separator: "\n"))
      </ResourceList>

      """
  }

  private static let videoType =
    #"<Type Namespace="artworkd" UserDefinedValue="AnimatedCover">UserDefined</Type>"#

  private static func element(
    _ kind: String, _ type: String, _ file: BundledFile, number: Int
  ) -> String {
    func side(_ name: String, _ length: Int?) -> String {
      length.map { #"<\#(kind)\#(name) UnitOfMeasure="Pixel">\#($0)</\#(kind)\#(name)>"# } ?? ""
    }
    return """
        <\(kind)>
          <ResourceReference>A\(number)</ResourceReference>
          \(type)
          <TechnicalDetails>
            <TechnicalResourceDetailsReference>T\(number)</TechnicalResourceDetailsReference>
            \(side("Height", file.height))\(side("Width", file.width))
            <File>
              <URI>\(XMLText.escaped(file.name))</URI>
              <HashSum><Algorithm>SHA-256</Algorithm><HashSumValue>\(file.sha256)</HashSumValue></HashSum>
              <FileSize>\(file.bytes)</FileSize>
            </File>
          </TechnicalDetails>
        </\(kind)>
      """
  }
}
