import Foundation

/// The catalogue of releases in which faults are planted.
package enum PlantedFaults {
  package static let script = Checkout.root.appendingPathComponent(
    "Scripts/fixtures/catalogue/make-catalogue.py")

  /// The rules that it breaks; `nil` if the script does not run.
  package static func rules() throws -> Set<String>? {
    let printed = try run("/usr/bin/python3", [script.path, "--rules"])
    return printed.status == 0
      ? Set(String(decoding: printed.output, as: UTF8.self).split(separator: "\n").map(String.init))
      : nil
  }
}
