/// The result of inspecting a candidate.
package struct InspectedCandidate: Sendable {
  package var inspection: Inspection
  /// The bytes of a file in the format of the request; `nil` if the request has none.
  package var preview: [UInt8]?
  /// `nil` if the request has none.
  package var reportImages: ReportImages?

  package init(
    inspection: Inspection, preview: [UInt8]? = nil, reportImages: ReportImages? = nil
  ) {
    self.inspection = inspection
    self.preview = preview
    self.reportImages = reportImages
  }
}
