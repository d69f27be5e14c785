/// The part of SARIF 2.1.0 (OASIS, Static Analysis Results Interchange Format) that is written here.
struct SARIFDocument: Encodable {
  struct Run: Encodable {
    var tool: Tool
    var originalUriBaseIds: [String: ArtifactLocation]?
    var invocations: [Invocation]
    var results: [Result]
  }

  struct Tool: Encodable { var driver: Driver }

  struct Driver: Encodable {
    var name = "artworkd"
    var version: String
    var rules: [Descriptor]
  }

  struct Descriptor: Encodable {
    var id: String
    var name: String
    var shortDescription: Message
    var fullDescription: Message?
    var help: Message?
  }

  /// A message or a description as text, and as Markdown if that differs.
  struct Message: Encodable {
    var text: String
    var markdown: String?
  }

  struct ArtifactLocation: Encodable {
    var uri: String
    var uriBaseId: String?
  }

  struct Location: Encodable {
    struct Physical: Encodable { var artifactLocation: ArtifactLocation }

    var physicalLocation: Physical
  }

  struct Invocation: Encodable {
    var executionSuccessful: Bool
    var toolExecutionNotifications: [Notification]
  }

  struct Notification: Encodable {
    struct Rule: Encodable {
      var id: String
      var index: Int
    }

    var level = "error"
    var message: Message
    var locations: [Location]
    var associatedRule: Rule
  }

  struct Result: Encodable {
    struct Suppression: Encodable {
      var kind = "external"
      var justification = "known finding in the baseline"
    }

    struct Properties: Encodable { var profiles: [String] }

    var ruleId: String
    var ruleIndex: Int
    var level: String
    var message: Message
    var locations: [Location]
    var partialFingerprints: [String: String]
    var baselineState: String?
    var suppressions: [Suppression]?
    var properties: Properties?
  }

  enum CodingKeys: String, CodingKey {
    case schema = "$schema"
    case version, runs
  }

  var schema =
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
  var version = "2.1.0"
  var runs: [Run]
}
