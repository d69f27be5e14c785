#!/bin/sh
# What somebody writes who measured the plain script: nothing is counted, the end is found by seeking, and the last
# frame, which nobody keeps, is not compressed.
# usage: tuned.sh OUTPUT_DIR FILE
set -eu
file=$2
out=$1/$(basename "${file%.*}")

ffprobe -v error -show_format -show_streams -of json "$file" > "$out.json"
ffmpeg -nostdin -v error -y -i "$file" -frames:v 1 "$out.png"
ffmpeg -nostdin -v error -y -sseof -0.5 -i "$file" -an -update 1 "$out.last.bmp"
ffmpeg -nostdin -hide_banner -i "$out.png" -i "$out.last.bmp" -lavfi ssim -f null - 2>&1 | grep -o 'All:[0-9.]*'
rm "$out.last.bmp"
