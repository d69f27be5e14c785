/* A player of one clip: example CLIP [TITLE [SECONDS]]
 *
 *     cc -std=c11 -o example example.c artworkd.c $(pkg-config --cflags --libs libcurl jansson)
 *
 * Publishes the clip as the cover of a song, shows its file, pauses half way, and ends. Its own loop watches the hold, as
 * that of a player with a window would. Needs a running `artworkd serve`. */
#define _XOPEN_SOURCE 700

#include "artworkd.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

static double seconds_now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

/* Runs the loop until the time is there, or until `until` is reached. */
static artworkd_state run(artworkd_hold *hold, double end, artworkd_state until, artworkd_error *error) {
  for (;;) {
    artworkd_state state = artworkd_hold_step(hold, error);
    double left = end - seconds_now();
    if (state == ARTWORKD_ENDED || state == until || left <= 0) return state;
    struct pollfd watch;
    int wait = artworkd_hold_watch(hold, &watch);
    if (wait < 0 || wait > left * 1000) wait = (int)(left * 1000) + 1;
    poll(&watch, 1, wait);
  }
}

int main(int count, char **arguments) {
  artworkd_client client;
  artworkd_error error = {0};
  char clip[4096], artwork_id[96], path[4096];
  struct stat file;
  double length = 10;
  if (count < 2 || count > 4) {
    fprintf(stderr, "example: usage: example CLIP [TITLE [SECONDS]]\n");
    return 64;
  }
  if (count > 3) {
    char *end;
    length = strtod(arguments[3], &end);
    if (end == arguments[3] || *end || !(length >= 0 && length <= 1e6)) {
      fprintf(stderr, "example: SECONDS must be a number from 0 to 1000000, not '%s'\n", arguments[3]);
      return 64;
    }
  }
  if (!realpath(arguments[1], clip) || stat(clip, &file) < 0) {
    fprintf(stderr, "example: cannot read %s: %s\n", arguments[1], strerror(errno));
    return 2;
  }
  /* Other content needs another ID. A player would use that of its album, or a digest. */
  snprintf(artwork_id, sizeof artwork_id, "%lld-%lld", (long long)file.st_ino, (long long)file.st_mtime);

  if (artworkd_init(&client, NULL, &error) < 0) goto failed;
  if (artworkd_put_artwork(&client, artwork_id, "1x1", clip, &error) < 0) {
    if (error.status == 0 || error.status >= 300) goto failed;
    printf("only a still cover: %s\n", error.message);
  }
  artworkd_session session = {
      .application = "org.example.player",
      .kind = "music",
      .title = count > 2 ? arguments[2] : arguments[1],
      .artwork_1x1 = artwork_id,
      .playback = {.state = "playing", .duration_seconds = length},
  };
  artworkd_hold *hold = artworkd_hold_new(&client, &session, &error);
  if (!hold) goto failed;
  double start = seconds_now();
  if (run(hold, start + 10, ARTWORKD_HELD, &error) != ARTWORKD_HELD) {
    artworkd_hold_free(hold);
    goto failed;
  }
  /* A player with a window asks on another thread: the first request for a video may take long. */
  if (artworkd_video(&client, session.application, session.id, "1x1", 1080, 1080, path, sizeof path, &error) == 0)
    printf("loop this file: %s\n", path);
  else
    printf("show the cover: %s\n", error.message);

  run(hold, start + length / 2, ARTWORKD_ENDED, &error);
  session.playback.state = "paused";
  session.playback.elapsed_seconds = length / 2;
  artworkd_hold_set_playback(hold, &session.playback, &error);
  if (run(hold, seconds_now() + 5, ARTWORKD_HELD, &error) == ARTWORKD_HELD) printf("paused\n");
  run(hold, start + length, ARTWORKD_ENDED, &error);
  artworkd_hold_free(hold);
  printf("ended\n");
  return 0;

failed:
  fprintf(stderr, "example: %s: %s\n", error.code, error.message);
  return 1;
}
