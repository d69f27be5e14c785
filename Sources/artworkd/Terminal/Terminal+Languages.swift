import ArtworkModel
import FoundationEssentials

extension Terminal {
  /// The languages of the environment, in the order of gettext: those of `LANGUAGE`, else of the first of `LC_ALL`,
  /// `LC_MESSAGES` and `LANG` that is set. None in the locales `C` and `POSIX`, even with `LANGUAGE`.
  static func languages(
    _ environment: [String: String] = ProcessInfo.processInfo.environment
  ) -> ReaderLanguages {
    let set = ["LC_ALL", "LC_MESSAGES", "LANG"].compactMap { environment[$0] }
    guard let locale = set.first(where: { !$0.isEmpty }).flatMap(language) else {
      return ReaderLanguages()
    }
    let listed = (environment["LANGUAGE"] ?? "").split(separator: ":")
      .compactMap { language(String($0)) }
    return ReaderLanguages(listed.isEmpty ? [locale] : listed)
  }

  /// The language tag of a locale such as `de_AT.UTF-8@euro`.
  private static func language(_ locale: String) -> LanguageTag? {
    let name = locale.prefix { $0 != "." && $0 != "@" }
    guard name != "C", name != "POSIX" else { return nil }
    return LanguageTag(String(name.map { $0 == "_" ? "-" : $0 }))
  }
}
