/// The result of inspecting a candidate.
package struct InspectedCandidate: Sendable {
  package var inspection: Inspection
  /// The bytes of a file in the format of the request; `nil` if the request has none.
  package var preview: [UInt8]?
  /// `nil` if the request has none.
  package var reportImages: ReportImages?
  /// The resources that the worker used; `nil` in this process.
  package var cost: Cost?

  package struct Cost: Sendable, Equatable {
    /// Processor time, user and system.
    package var cpuMicroseconds: Int64
    /// The most memory that was resident at once, in bytes.
    package var peakBytes: Int64
  }

  package init(
    inspection: Inspection, preview: [UInt8]? = nil, reportImages: ReportImages? = nil,
    cost: Cost? = nil
  ) {
    self.inspection = inspection
    self.preview = preview
    self.reportImages = reportImages
    self.cost = cost
  }
}
