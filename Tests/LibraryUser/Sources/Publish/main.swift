import ArtworkClients
import ArtworkModel

// Asks a service what it shows.
guard let address = ServiceAddress(url: CommandLine.arguments[1]) else { fatalError("no address") }
let client = ArtworkClient(address)
print(try await client.nowPlaying().sessions.count)
