/* Makes one call of artworkd.h for test_c.py: drive SOCKET TIMEOUT CALL ARGUMENT...
 * It prints what comes of it: "ok", the path, or "error STATUS CODE MESSAGE". */
#define _POSIX_C_SOURCE 200809L

#include "../c/artworkd.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static artworkd_client client;
static artworkd_error error;

static void say(int result, const char *text) {
  if (result == 0) printf("%s\n", text);
  else printf("error %d %s %s\n", error.status, error.code, error.message);
  fflush(stdout);
}

/* An empty argument is an absent text. */
static const char *text(const char *argument) { return *argument ? argument : NULL; }

/* ID APPLICATION KIND TITLE SUBTITLE COLLECTION 1x1 3x4 STATE ELAPSED DURATION RATE PROCESS COMMANDS [COVER] */
static artworkd_session session_of(char **a) {
  return (artworkd_session){
      .id = text(a[0]), .application = a[1], .kind = text(a[2]), .title = text(a[3]), .subtitle = text(a[4]),
      .collection = text(a[5]), .artwork_1x1 = text(a[6]), .artwork_3x4 = text(a[7]),
      .playback = {.state = text(a[8]), .elapsed_seconds = strtod(a[9], NULL), .duration_seconds = strtod(a[10], NULL),
                   .rate = strtod(a[11], NULL), .json = getenv("PLAYBACK")},
      .owner_process = strtol(a[12], NULL, 10), .commands = text(a[13]), .cover = a[14], .video_codecs = getenv("CODECS"),
      .eligibility = getenv("ELIGIBILITY"), .mixes_with_others = getenv("MIXES") != NULL, .content = getenv("CONTENT")};
}

/* Says each command, and answers it with success; "stop" has failed. */
static void carry_out(artworkd_hold *held, const artworkd_session *session) {
  artworkd_command command;
  while (artworkd_hold_command(held, &command)) {
    char line[1200];
    bool is_stop = !strcmp(command.name, "stop");
    snprintf(line, sizeof line, "command %s %g %s", command.name, command.value, command.text);
    say(0, line);
    int result = artworkd_answer(
        &client, session->application, session->id, command.number, is_stop ? "failed" : "success",
        is_stop ? "it is stuck" : NULL, &error);
    if (result < 0) say(-1, "");
  }
}

/* Says each event until there were as many as context points to. */
static int see(void *context, const char *name, const char *data) {
  printf("%s %s\n", name, data);
  fflush(stdout);
  return --*(int *)context == 0;
}

/* Says the state whenever it changes, and takes lines: "STATE ELAPSED", "title TITLE", "free". */
static int hold(char **arguments) {
  artworkd_session session = session_of(arguments);
  artworkd_hold *held = artworkd_hold_new(&client, &session, &error);
  char said[64] = "", line[4096];
  if (!held) return say(-1, ""), 0;
  for (;;) {
    static const char *const names[] = {"held", "waiting", "ended"};
    char now[64];
    artworkd_state state = artworkd_hold_step(held, &error);
    snprintf(now, sizeof now, "%s %s", names[state], error.code);
    if (strcmp(now, said)) say(0, strcpy(said, now));
    int changes = artworkd_hold_changes(held);
    if (changes & ARTWORKD_PRIMARY_CHANGED) {
      snprintf(line, sizeof line, "primary %d", artworkd_hold_primary(held));
      say(0, line);
    }
    if (changes & ARTWORKD_ARTWORK_CHANGED) say(0, "artwork");
    carry_out(held, &session);
    if (state == ARTWORKD_ENDED) break;
    struct pollfd watch[2] = {{.fd = 0, .events = POLLIN}};
    poll(watch, 2, artworkd_hold_watch(held, &watch[1]));
    if (!(watch[0].revents & (POLLIN | POLLHUP))) continue;
    /* One line at a time: the test waits for the answer. */
    ssize_t size = read(0, line, sizeof line - 1);
    if (size <= 0 || !strncmp(line, "free", 4)) break;
    line[size - 1] = 0;
    if (!strncmp(line, "title ", 6)) {
      session.title = line + 6;
      if (artworkd_hold_update(held, &session, &error) < 0) say(-1, "");
    } else {
      char *space = strchr(line, ' ');
      *space = 0;
      artworkd_playback playback = {.state = line, .elapsed_seconds = strtod(space + 1, NULL)};
      if (artworkd_hold_set_playback(held, &playback, &error) < 0) say(-1, "");
    }
    strcpy(said, "");
  }
  artworkd_hold_free(held);
  return 0;
}

int main(int count, char **arguments) {
  if (count < 4 || artworkd_init(&client, arguments[1], &error) < 0) return say(-1, ""), 0;
  client.timeout_ms = atoi(arguments[2]);
  const char *call = arguments[3];
  char **a = arguments + 4, path[4096];
  if (!strcmp(call, "put")) {
    say(artworkd_put_artwork(&client, a[0], a[1], a[2], &error), "ok");
  } else if (!strcmp(call, "register")) {
    say(artworkd_register(&client, a[0], a[1], a[2], &error), "ok");
  } else if (!strcmp(call, "primary")) {
    /* SESSION APPLICATION IS_FOR_SYSTEM IS_RESIGNED */
    say((*a[3] == '1' ? artworkd_resign_primary : artworkd_make_primary)(&client, text(a[1]), a[0], *a[2] == '1', &error), "ok");
  } else if (!strcmp(call, "now-playing") || !strcmp(call, "conditions")) {
    char *json;
    if (count > 4 && artworkd_set_conditions(&client, a[0], &error) < 0) return say(-1, ""), 0;
    int result = (*call == 'n' ? artworkd_now_playing : artworkd_conditions)(&client, &json, &error);
    say(result, json);
    free(json);
  } else if (!strcmp(call, "events")) {
    int left = atoi(a[0]);
    say(artworkd_events(&client, see, &left, &error), "ok");
  } else if (!strcmp(call, "publish")) {
    artworkd_session session = session_of(a);
    say(artworkd_publish(&client, &session, &error), "ok");
  } else if (!strcmp(call, "playback")) {
    artworkd_playback playback = {
        .state = text(a[1]), .elapsed_seconds = strtod(a[2], NULL), .rate = strtod(a[3], NULL)};
    say(artworkd_set_playback(&client, NULL, a[0], &playback, &error), "ok");
  } else if (!strcmp(call, "end")) {
    say(artworkd_end(&client, count > 5 ? a[1] : NULL, a[0], &error), "ok");
  } else if (!strcmp(call, "videos")) {
    /* ID KEY SIZE TIMES: the time of inspection is left out, because the server of the test has none. */
    client.timeout_ms -= 30000;
    for (int i = atoi(a[3]); i > 0; i--)
      say(artworkd_video(&client, NULL, a[0], a[1], 9, 9, path, (size_t)atoi(a[2]), &error), path);
  } else if (!strcmp(call, "size")) {
    artworkd_size made;
    char said[64];
    int result = artworkd_video_and_size(&client, NULL, a[0], a[1], 9, 9, path, sizeof path, &made, &error);
    snprintf(said, sizeof said, "%d %d", made.width, made.height);
    say(result, said);
  } else if (!strcmp(call, "preview")) {
    unsigned char *bytes;
    size_t size;
    int result = artworkd_preview(&client, a[0], a[1], atoi(a[2]), atoi(a[3]), &bytes, &size, &error);
    /* Bytes 16 to 23 of a PNG file are its size. */
    snprintf(path, sizeof path, "%zu %d %d", size, size > 24 ? bytes[19] : 0, size > 24 ? bytes[23] : 0);
    say(result, path);
    free(bytes);
  } else if (!strcmp(call, "prepare")) {
    /* ID KEY WIDTH HEIGHT CODECS */
    artworkd_size made;
    char said[64];
    int result = artworkd_prepare(&client, a[0], a[1], atoi(a[2]), atoi(a[3]), text(a[4]), &made, &error);
    snprintf(said, sizeof said, "%d %d", made.width, made.height);
    say(result, said);
  } else if (!strcmp(call, "ask")) {
    /* SESSION APPLICATION COMMAND */
    say(artworkd_ask(&client, text(a[1]), text(a[0]), a[2], &error), "ok");
  } else if (!strcmp(call, "hold")) {
    return hold(a);
  } else if (!strcmp(call, "socket")) {
    say(artworkd_init(&client, NULL, &error), client.socket);
  }
  return 0;
}
