import FoundationEssentials

extension Baseline {
  private static let version = 1
  /// Bytes: some 500,000 findings.
  static let maxBytes = 64 << 20

  /// The JSON file: one finding a line, in order, so that a change of one is a change of one line.
  package var document: String {
    let lines = entries.map { entry in
      var fields: [(String, JSONText)] = [("path", .text(entry.path))]
      if let key = entry.key { fields.append(("key", .text(key))) }
      if let profile = entry.profile { fields.append(("profile", .text(profile))) }
      fields += [("rule", .text(entry.rule)), ("severity", .text(entry.severity.rawValue))]
      return "    " + JSONText.object(fields).line
    }
    let list = lines.isEmpty ? "[]" : "[\n" + lines.joined(separator: ",\n") + "\n  ]"
    return "{\n  \"version\": \(Self.version),\n  \"findings\": \(list)\n}\n"
  }

  package static func isThere(_ file: FilePath) -> Bool { file.exists }

  /// Reads a baseline.
  ///
  /// - Throws: ``ConfigurationError`` with advice.
  package static func load(_ file: FilePath) throws(ConfigurationError) -> Baseline {
    let bytes: [UInt8]
    do throws(Errno) {
      bytes = try file.contents(atMost: maxBytes)
    } catch .noSuchFileOrDirectory {
      throw ConfigurationError(
        file, "no such baseline; create it with --write-baseline \(file.string)")
    } catch {
      throw ConfigurationError(file, "cannot read the baseline: \(error.description.lowercased())")
    }
    struct Head: Decodable { var version: Int }
    struct File: Decodable { var findings: [Entry] }
    do {
      let data = Data(bytes)
      let head = try JSONDecoder().decode(Head.self, from: data)
      guard head.version == version else {
        throw ConfigurationError(
          file,
          "baseline version \(head.version) is not supported, only \(version); "
            + "use the artworkd that wrote it, or remove it and recreate it with --write-baseline")
      }
      return Baseline(try JSONDecoder().decode(File.self, from: data).findings)
    } catch let error as ConfigurationError {
      throw error
    } catch {
      throw ConfigurationError(
        file, "not a baseline: \(reason(error)); remove it and recreate it with --write-baseline")
    }
  }

  private static func reason(_ error: any Error) -> String {
    func place(_ context: DecodingError.Context) -> String {
      context.codingPath.map { key in key.intValue.map { "[\($0)]" } ?? ".\(key.stringValue)" }
        .joined()
    }
    switch error {
    case DecodingError.keyNotFound(let key, let context):
      return "`\(key.stringValue)` is missing"
        + (place(context).isEmpty ? "" : " at \(place(context))")
    case DecodingError.typeMismatch(_, let context), DecodingError.valueNotFound(_, let context):
      return "\(place(context)) has the wrong type"
    case DecodingError.dataCorrupted(let context) where !context.codingPath.isEmpty:
      return "\(place(context)) has an unknown value"
    default: return "it is not JSON"
    }
  }
}
