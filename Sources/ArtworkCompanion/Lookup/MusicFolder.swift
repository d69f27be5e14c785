import FoundationEssentials
package import SystemPackage

/// The music folder of a desktop (xdg-user-dirs).
package enum MusicFolder {
  /// `XDG_MUSIC_DIR` in the environment, else in `user-dirs.dirs`, else `Music` in the home folder. `nil` without a home.
  package static func standard(_ environment: [String: String]) -> FilePath? {
    guard let home = environment["HOME"], home.hasPrefix("/") else { return nil }
    if let stated = environment["XDG_MUSIC_DIR"], stated.hasPrefix("/") { return FilePath(stated) }
    let configuration = environment["XDG_CONFIG_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
    let file = "\(configuration ?? "\(home)/.config")/user-dirs.dirs"
    let text = (try? String(contentsOfFile: file, encoding: .utf8)) ?? ""
    return FilePath(stated(in: text, home: home) ?? "\(home)/Music")
  }

  /// A line such as `XDG_MUSIC_DIR="$HOME/Music"`.
  static func stated(in text: String, home: String) -> String? {
    for line in text.split(separator: "\n") where line.hasPrefix("XDG_MUSIC_DIR=\"") {
      let value = line.dropFirst("XDG_MUSIC_DIR=\"".count).prefix { $0 != "\"" }
      if value.hasPrefix("$HOME/") { return home + value.dropFirst("$HOME".count) }
      if value.hasPrefix("/") { return String(value) }
    }
    return nil
  }
}
