import ArgumentParser
import ArtworkModel
import ArtworkPipeline

/// `--limit NAME=VALUE`.
struct LimitArgument {
  let apply: @Sendable (inout Limits) -> Void

  /// - Throws: `ValidationError` that describes the expected form.
  init(_ argument: String) throws {
    let parts = argument.split(separator: "=", maxSplits: 1).map(String.init)
    let name = parts.first ?? ""
    guard let setting = Limits.settings.first(where: { $0.name == name }) else {
      let names = Limits.settings.map(\.name)
      throw ValidationError(
        "Unknown limit '\(name)'; limits: \(names.joined(separator: ", "))."
      )
    }
    guard parts.count == 2, let change = setting.change(to: parts[1]) else {
      throw ValidationError(
        "--limit \(name) takes \(setting.expected), not '\(parts.dropFirst().first ?? "")'.")
    }
    apply = change
  }
}
