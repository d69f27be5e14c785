import Glibc

/// The certificates by which HTTPS servers are trusted.
enum CertificateBundle {
  /// Where distributions have them. A libcurl that was built on another one knows only the place of its own.
  static let places = [
    // Debian, Ubuntu, Arch; Fedora and RHEL; openSUSE; Alpine.
    "/etc/ssl/certs/ca-certificates.crt", "/etc/pki/tls/certs/ca-bundle.crt",
    "/etc/ssl/ca-bundle.pem", "/etc/ssl/cert.pem",
  ]

  /// `$SSL_CERT_FILE`, as for OpenSSL, or the first place that exists; `nil` leaves the choice to libcurl.
  static func path(
    named: String? = getenv("SSL_CERT_FILE").map { String(cString: $0) },
    exists: (String) -> Bool = { access($0, R_OK) == 0 }
  ) -> String? {
    if let named, !named.isEmpty { return named }
    return places.first(where: exists)
  }
}
