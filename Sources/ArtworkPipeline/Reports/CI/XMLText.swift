/// Text inside an XML 1.0 document.
package enum XMLText {
  /// Escapes text for attributes in double quotes and for elements. Characters that XML 1.0 forbids (2.2, `Char`),
  /// and all other control characters, appear as `\u{1b}`, because neither readers nor terminals may receive them.
  package static func escaped(_ text: String) -> String {
    text.printable.escaping { scalar in
      switch scalar {
      case "&": "&amp;"
      case "<": "&lt;"
      // For `]]>`, too, which must not appear in text (2.4).
      case ">": "&gt;"
      case "\"": "&quot;"
      case "'": "&apos;"
      // Not characters of XML.
      case "\u{fffe}", "\u{ffff}": scalar.shown
      default: nil
      }
    }
  }
}
