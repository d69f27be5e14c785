#!/bin/sh
# The script people write first: count the frames, extract the first and the last one, compare them.
# usage: plain.sh OUTPUT_DIR FILE
set -eu
file=$2
out=$1/$(basename "${file%.*}")

ffprobe -v error -show_format -show_streams -of json "$file" > "$out.json"
ffmpeg -nostdin -v error -y -i "$file" -frames:v 1 "$out.png"
count=$(ffprobe -v error -count_frames -select_streams v:0 -show_entries stream=nb_read_frames -of csv=p=0 "$file")
ffmpeg -nostdin -v error -y -i "$file" -vf "select=eq(n\,$((count - 1)))" -frames:v 1 "$out.last.png"
ffmpeg -nostdin -hide_banner -i "$out.png" -i "$out.last.png" -lavfi ssim -f null - 2>&1 | grep -o 'All:[0-9.]*'
