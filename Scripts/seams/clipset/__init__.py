"""The labelled set of looping clips that Scripts/seams/make-clips makes."""
