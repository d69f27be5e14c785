// What every file of this target may use.
@_exported public import ArtworkRules
