"""The labelled set of looping clips that Scripts/accuracy/seams/make-clips.py makes."""
