import FoundationEssentials

/// The output of `artworkd repair` for machines; docs/json.md describes it.
package enum RepairDocument {
  /// One indented document with a final newline.
  ///
  /// - Parameter repairs: each with the path of its new file, `nil` for none.
  package static func render(_ repairs: [(ClipRepair, FilePath?)]) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes, .prettyPrinted]
    let document = Document(results: repairs.map { Entry($0, to: $1) })
    return String(decoding: try encoder.encode(document), as: UTF8.self) + "\n"
  }

  private struct Document: Encodable {
    var schemaVersion = 1
    var results: [Entry]
  }

  private struct Entry: Encodable {
    enum Status: String, Encodable {
      case nothing, planned, repaired, done, refused, error
    }

    var path: String
    var pathBytes: String?
    var output: String?
    var outputBytes: String?
    var status: Status
    var reason: String?
    var error: ResultDocument.Failure?
    var repaired: [Finding]
    var left: [Finding]
    /// Remaining findings of repaired rules that do not count against the new file.
    var remarks: [Finding]
    /// Durations of the clip and of the new file, in seconds.
    var durationSeconds: Double?
    var newDurationSeconds: Double?
    var framesCompared: Int?
    var framesDiffering: Int?
    /// How they were compared: by the packets that they are decoded from, or by their samples.
    var comparison: String?
    var assumptions: [String]
    /// How the new file is made: by a copy of the packets, or by encoding.
    var method: String?
    /// The effects of encoding on the picture.
    var changes: [String]
    var dimming: FlashDimming.Report?
    var flashesStay: String?
    /// Findings that only `--unsafe` would fix.
    var unsafe: [Finding]
    /// Always true for a new file.
    var needsNewArtworkID: Bool?

    init(_ repair: ClipRepair, to target: FilePath?) {
      path = repair.candidate.path.string
      pathBytes = repair.candidate.path.percentEncodedUnlessText
      output = target?.string
      outputBytes = target?.percentEncodedUnlessText
      switch repair.status {
      case .nothingToRepair: status = .nothing
      case .planned: status = .planned
      case .repaired:
        status = .repaired
      case .done: status = .done
      case .refused(let why):
        status = .refused
        reason = why
      case .failed(let why):
        status = .error
        error = ResultDocument.Failure(why)
      }
      repaired = repair.repaired
      needsNewArtworkID = repair.isRepaired ? true : nil
      left = repair.isRepaired ? repair.leftWithoutRemarks : repair.findings
      remarks = repair.isRepaired ? repair.remarks : []
      durationSeconds = repair.inspection?.facts.durationSeconds
      newDurationSeconds = status == .repaired ? repair.newFacts?.durationSeconds : nil
      framesCompared = repair.frames?.compared
      framesDiffering = repair.frames?.differing
      comparison = repair.comparison?.rawValue
      assumptions = repair.assumptions
      changes = repair.changes
      dimming = repair.dimming
      flashesStay = repair.flashesStay
      unsafe = repair.unsafe
      method =
        repair.candidateRecipes.first.map { $0.encoding == nil ? "copy" : "encode" }
    }
  }
}
