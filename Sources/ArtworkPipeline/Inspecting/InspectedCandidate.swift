/// What an inspection of a candidate gives.
public struct InspectedCandidate: Sendable {
  public var inspection: Inspection
  /// The bytes of a file in the format of the request; `nil` when the request asks for none.
  public var preview: [UInt8]?
  /// `nil` when the request asks for none.
  public var exhibit: Exhibit?
  /// What the worker used; `nil` in this process.
  public var cost: Cost?

  public struct Cost: Sendable, Equatable {
    /// Processor time, user and system.
    public var cpuMicroseconds: Int64
    /// The most memory that was resident at once, in bytes.
    public var peakBytes: Int64
  }

  public init(
    inspection: Inspection, preview: [UInt8]? = nil, exhibit: Exhibit? = nil, cost: Cost? = nil
  ) {
    self.inspection = inspection
    self.preview = preview
    self.exhibit = exhibit
    self.cost = cost
  }
}
