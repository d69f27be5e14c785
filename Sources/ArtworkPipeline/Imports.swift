// The modules that every file of this target may use, and users of the product.
@_exported public import ArtworkJudging
@_exported public import ArtworkMedia
