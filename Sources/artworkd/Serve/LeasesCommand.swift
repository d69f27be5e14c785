import ArgumentParser
import ArtworkModel
import ArtworkPipeline
import ArtworkService
import SystemPackage

struct LeasesCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "leases",
    abstract: "List the videos that sessions hold, with their paths.",
    discussion: """
      Also works while the service runs. When the owner of a lease ends, the service releases the \
      lease within seconds. Without a service, artworkd cache gc releases it.

      \(ExitStatus.words)
      """)

  @OptionGroup var store: StoreOptions

  @Option(help: "The output format.")
  var format: OutputFormat = .text

  func run() throws {
    let listing = try StoreAccess.reportingErrors { () throws(StoreError) in
      try StoreListing(of: store.folder)
    }
    let lost = listing.leases.filter { !$0.opens }
    switch format {
    case .json: try StoreDocument(listing).write()
    case .text:
      for lease in listing.leases {
        let state =
          lost.contains(lease) ? "  LOST: run artworkd cache verify" : owner(of: lease)
        Terminal.emit {
          "\(lease.session.id.text.printable)  \(lease.reference.artworkID.text.printable)  "
            + "\(lease.reference.part)  \(lease.rendition.map { "\($0)  " } ?? "")\(ByteCount(lease.bytes))"
            + "  \(lease.session.application.printable)\(state)\n"
            + "  \(lease.file.string.printable)\n"
        }
      }
      let count = listing.leases.count
      Terminal.emit { "\(counted(count, "lease"))\n" }
    }
    if !lost.isEmpty { throw ExitStatus.findings.code }
  }

  private func owner(of lease: Lease) -> String {
    guard let process = lease.owner.process else { return "" }
    return "  process \(process.identifier)\(process.isAlive ? "" : ", which has ended")"
  }
}
