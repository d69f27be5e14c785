/// Text inside an XML 1.0 document.
enum XMLText {
  /// For attributes in double quotes and for elements. Characters that XML 1.0 forbids (2.2, `Char`), and all
  /// other control characters, are shown as `\u{1b}`: a reader must not take them, nor a terminal.
  static func escaped(_ text: String) -> String {
    var result = ""
    for scalar in text.printable.unicodeScalars {
      switch scalar {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      // Also of `]]>`, which may not stand in text (2.4).
      case ">": result += "&gt;"
      case "\"": result += "&quot;"
      case "'": result += "&apos;"
      // Not characters of XML.
      case "\u{fffe}", "\u{ffff}": result += "\\u{\(String(scalar.value, radix: 16))}"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }
}
