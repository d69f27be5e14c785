// What every file of a test may use.
@_exported public import ArtworkPipeline
@_exported public import Fixtures
@_exported public import Foundation
@_exported public import Synchronization
@_exported public import Testing
