// The modules that every file of this target may use.
@_exported public import ArtworkMeasuring
