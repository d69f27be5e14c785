import TestSupport

@testable import ArtworkCompanion

/// The name and the icon of an application on the desktop.
@Suite struct DesktopFileTests {
  private let folder: TemporaryFolder
  private var environment: [String: String] {
    ["XDG_DATA_HOME": folder.url("home").path, "XDG_DATA_DIRS": folder.url("shared").path]
  }

  init() throws { folder = try TemporaryFolder() }

  @Test func `the name is that of the entry, and the user's own file goes first`() throws {
    try folder.write(
      "[Desktop Action Next]\nName=Next\n[Desktop Entry]\nName[de]=Spieler\nName = Player \nIcon=x\n",
      to: "shared/applications/org.example.Player.desktop")
    let found = try #require(DesktopFile(of: "org.example.Player", environment: environment))
    #expect(found.entry == "org.example.Player" && found.name == "Player")
    try folder.write(
      "[Desktop Entry]\nName=Mine\n", to: "home/applications/org.example.Player.desktop")
    #expect(DesktopFile(of: "org.example.Player", environment: environment)?.name == "Mine")
    var state = ExportedState(application: "org.example.Player")
    #expect(state.root["Identity"] == .string("org.example.Player"))
    #expect(state.root["DesktopEntry"] == nil)
    state.desktopFile = found
    #expect(state.root["Identity"] == .string("Player"))
    #expect(state.root["DesktopEntry"] == .string("org.example.Player"))
  }

  @Test(arguments: ["", ".", "../shared/applications/a", "a/b", "nothing", "a\u{7f}", "\u{e9}"])
  func `an application that no file is named after has none`(application: String) {
    #expect(DesktopFile(of: application, environment: environment) == nil)
  }
}
