"""What the scripts share: the built tool, a running service, ffmpeg, drawing, packages with pictures, labelled sets."""
