"""The labelled set of how clips look: flashes, bars beside the picture, blank first frames."""
