/* A client of artworkd, the service that serves animated cover art to players.
 *
 * Add artworkd.h and artworkd.c to a player. They are C11, need POSIX.1-2008, libcurl and Jansson, talk to the service's Unix
 * socket, have no state of their own, and raise no signal. Calls from several threads need no lock, except on the same hold;
 * with a libcurl older than 7.84, call curl_global_init before the first thread. Texts are UTF-8 that ends with NUL; a player
 * may free them after the call.
 *
 * A session ends with its owner, which may be a hold (a connection, below) or a process (owner_process, the simplest way).
 * Without an owner it stays until artworkd_end. The ID NULL is that of this process's own session, so that two windows of a
 * player have two. A session of another process that lives is not replaced (owned).
 */
#ifndef ARTWORKD_H
#define ARTWORKD_H

#include <poll.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Why a call failed, or why there is no video. Every function that takes one fills it on failure; it may be NULL.
 *
 * code is stable: a code of the service (docs/service.md), such as conflict, or one of no-service, untrusted (another user
 * has the socket or its folder), busy (too many clients wait there), lost (the connection broke), late (no answer in time),
 * not-understood (an answer of another form), bad-request (found before it was sent), no-memory. message is a sentence, cut
 * to fit. status is that of the HTTP answer, 0 without one. */
typedef struct artworkd_error {
  int status;
  char code[48];
  char message[512];
} artworkd_error;

/* The service. timeout_ms is the time for a call that needs no inspection, 15000 by default; artworkd_put_artwork,
 * artworkd_video and artworkd_preview have 30 s more, because the service answers them within 30 s. */
typedef struct artworkd_client {
  int timeout_ms;
  char socket[108];
  int is_default; /* whether nobody named the socket: then its folder must be this user's alone */
} artworkd_client;

/* Fills a client; connects to nothing. Without a path (NULL) it is $ARTWORKD_SOCKET, else artworkd/artworkd.sock in
 * $XDG_RUNTIME_DIR, else /tmp/artworkd-<uid>/artworkd.sock. Returns 0, or -1 if the path is too long. */
int artworkd_init(artworkd_client *client, const char *socket, artworkd_error *error);

/* The state of playback. All zero is: no playback. */
typedef struct artworkd_playback {
  const char *state;       /* playing, paused, buffering or interrupted; NULL: nothing is said about playback */
  double elapsed_seconds;  /* from the beginning */
  double duration_seconds; /* 0 if it is unknown */
  double rate;             /* while playing; 0 means 1 */
  double timestamp;        /* to which elapsed_seconds belongs, in seconds since 1970; 0 means now */
  const char *json;        /* more of it, as in {"durationKind":"live","adBreaks":[{"startSeconds":0,"durationSeconds":15}]} */
} artworkd_playback;

/* What a player shows. All but application may be NULL or 0. */
typedef struct artworkd_session {
  const char *id;          /* NULL: the process's own */
  const char *application; /* for example org.example.player */
  const char *kind;        /* music, podcast, movie, tv-show, book, radio, home-media or generic; NULL: nothing is loaded */
  const char *title;
  const char *subtitle;    /* artist, show or author */
  const char *collection;  /* album, season or series */
  const char *artwork_1x1; /* the ID of an artwork */
  const char *artwork_3x4;
  artworkd_playback playback;
  long owner_process; /* whose end ends the session, for example getpid() */
  const char *cover;  /* the ID of the artwork whose static cover is shown; NULL: that of artwork_1x1 or artwork_3x4 */
  const char *commands; /* what the player carries out, as JSON: {"pause":{},"next":{"enabled":false}} (docs/now-playing.md);
                           they reach a hold alone */
  const char *video_codecs; /* what the player plays, as in "h264 vp9": other videos are made one of them, where that can be
                               done; NULL: what Apple's systems play */
  const char *eligibility;  /* with-commands keeps a session without commands from being shown; NULL: always */
  int mixes_with_others;    /* whether its audio mixes with that of others; then it is not shown */
  const char *content; /* more of the content, or all of it, as JSON: {"genre":"Jazz","chapters":[{"title":"I","startSeconds":0}]}
                          (docs/now-playing.md) */
} artworkd_session;

/* Calls. They block for at most the client's timeout (see above), and return 0, or -1 with an error.
 *
 * Applications name their sessions apart. application says whose session is meant; NULL is enough while only one has a
 * session of that ID (ambiguous-session). */

/* Registers a file as the video of an artwork for a key, 1x1 or 3x4, or a PNG or JPEG file as its static cover (cover). New
 * content needs a new ID (conflict). A file that cannot be used is an error here; error has the reason and the status 200 or 201. */
int artworkd_put_artwork(
    const artworkd_client *client, const char *artwork_id, const char *key, const char *path, artworkd_error *error);

/* As artworkd_put_artwork, with the registration as JSON: {"source":{"url":"https://media.example/1x1.mp4"}}, or
 * {"source":{"path":"/cover.mp4","immutable":true},"prepare":false}. */
int artworkd_register(
    const artworkd_client *client, const char *artwork_id, const char *key, const char *registration, artworkd_error *error);

/* Adds or replaces a session. */
int artworkd_publish(const artworkd_client *client, const artworkd_session *session, artworkd_error *error);

/* Makes a session the one that its application (is_for_system is 0) or the system shows, or takes that back. */
int artworkd_make_primary(
    const artworkd_client *client, const char *application, const char *session_id, int is_for_system, artworkd_error *error);
int artworkd_resign_primary(
    const artworkd_client *client, const char *application, const char *session_id, int is_for_system, artworkd_error *error);

/* What is shown, and the device's conditions, as the JSON of the service. The caller frees *json. */
int artworkd_now_playing(const artworkd_client *client, char **json, artworkd_error *error);
int artworkd_conditions(const artworkd_client *client, char **json, artworkd_error *error);

/* Replaces the conditions: {"lowPower":true} */
int artworkd_set_conditions(const artworkd_client *client, const char *conditions, artworkd_error *error);

/* Calls see for each change (docs/service.md, events), first with now-playing, until it returns another number than 0; then
 * the result is 0. It is -1 when the stream ends or is silent for too long. data is JSON; both texts last for the call. Blocks:
 * it needs a thread of its own, and a hold does not need it. */
int artworkd_events(
    const artworkd_client *client, int (*see)(void *context, const char *name, const char *data), void *context,
    artworkd_error *error);

/* Changes only the playback of a session: pauses it, for example. A duration or rate of 0 stays as it was; without a state
 * the session has no playback afterwards. */
int artworkd_set_playback(
    const artworkd_client *client, const char *application, const char *session_id, const artworkd_playback *playback,
    artworkd_error *error);

/* Ends a session and removes its files. It is not an error if there is none. */
int artworkd_end(
    const artworkd_client *client, const char *application, const char *session_id, artworkd_error *error);

/* Writes the path of the file to play, which stays while the session publishes the artwork. size is that of the buffer;
 * 4096 is enough on Linux. width and height are the wanted size; the video may have any other. If there is no video, error
 * has the reason and the status 200; if its code is late, ask again. */
int artworkd_video(
    const artworkd_client *client, const char *application, const char *session_id, const char *key, int width, int height,
    char *path, size_t size, artworkd_error *error);

typedef struct artworkd_size {
  int width, height; /* pixels */
} artworkd_size;

/* As artworkd_video; rendition also gets the size of the version that the service has made, 0 for the video itself. */
int artworkd_video_and_size(
    const artworkd_client *client, const char *application, const char *session_id, const char *key, int width, int height,
    char *path, size_t size, artworkd_size *rendition, artworkd_error *error);

/* Asks a session to carry out a command, as JSON: {"command":"seekToPosition","position":90}. Without session_id that is the
 * primary session of application, and without both the one that is shown. Waits for the player, which has 5 s. If it did not
 * do it, error has the status 200 and as code what it said: no-such-content, not-supported or failed; or timed-out,
 * owner-gone or session-ended. */
int artworkd_ask(
    const artworkd_client *client, const char *application, const char *session_id, const char *command,
    artworkd_error *error);

/* Answers a command that artworkd_hold_command gave, with success, no-such-content, not-supported or failed, and a message
 * for the one who asked, or NULL. Its error unknown-command says that nobody waits any more. */
int artworkd_answer(
    const artworkd_client *client, const char *application, const char *session_id, unsigned long long number,
    const char *status, const char *message, artworkd_error *error);

/* Makes ready what a session will ask for, before it is published: fetches a URL, and makes the version that a session with
 * these video_codecs (as in artworkd_session; NULL for none) gets in this size (0 and 0 for none). Nothing keeps it from being
 * evicted before a session has it. rendition may be NULL; it gets the size of the version that was made, 0 for the video
 * itself. */
int artworkd_prepare(
    const artworkd_client *client, const char *artwork_id, const char *key, int width, int height, const char *video_codecs,
    artworkd_size *rendition, artworkd_error *error);

/* The first frame of an artwork's video, or its static cover (the key is cover), as a PNG file in memory, for a player that
 * shows no video now. It fits inside width and height pixels and is never enlarged; 0 leaves one out. The caller frees
 * *bytes. */
int artworkd_preview(
    const artworkd_client *client, const char *artwork_id, const char *key, int width, int height, unsigned char **bytes,
    size_t *size, artworkd_error *error);

/* A hold publishes a session and keeps it as long as its connection lasts: until artworkd_hold_free, or the end of the
 * process. When the service restarts, it connects and publishes again, at least every 5 s. No function here blocks:
 *
 *     for (;;) {
 *       struct pollfd watch;
 *       int wait = artworkd_hold_watch(hold, &watch);
 *       poll(&watch, 1, wait);                       // or the player's own loop
 *       if (artworkd_hold_step(hold, &error) == ARTWORKD_ENDED) break;
 *     }
 */
typedef struct artworkd_hold artworkd_hold;

typedef enum artworkd_state {
  ARTWORKD_HELD,    /* the service has what was said last */
  ARTWORKD_WAITING, /* it does not have it yet; the error says why, if there was one */
  ARTWORKD_ENDED    /* another client ended the session or took it over; it is not published again */
} artworkd_state;

/* NULL without memory, and for a session that cannot be sent (bad-request). Nothing is sent before the first step. */
artworkd_hold *artworkd_hold_new(
    const artworkd_client *client, const artworkd_session *session, artworkd_error *error);

/* Replaces the session; its id and its application stay. Sent by the next steps. */
int artworkd_hold_update(artworkd_hold *hold, const artworkd_session *session, artworkd_error *error);

/* Changes only the playback, as artworkd_set_playback does. Sent by the next steps. */
int artworkd_hold_set_playback(artworkd_hold *hold, const artworkd_playback *playback, artworkd_error *error);

/* What to poll before the next step: a descriptor, which is -1 while there is none and may be another one after each step,
 * and the events. Returns the milliseconds after which a step is due without an event; -1 if none is. During a request the
 * descriptor is that of the request, and a step is due at least every 100 ms, which also reads the stream. */
int artworkd_hold_watch(const artworkd_hold *hold, struct pollfd *watch);

/* Sends and reads what is possible now. With ARTWORKD_WAITING, error says what is wrong; its code is empty if nothing is.
 * What the service was too busy for is sent again, at least every 5 s. What it refuses (status 400 to 499 but 408 and 429)
 * is not sent again until the next change. */
artworkd_state artworkd_hold_step(artworkd_hold *hold, artworkd_error *error);

enum {
  ARTWORKD_APPLICATION_PRIMARY = 1, /* its application shows it */
  ARTWORKD_SYSTEM_PRIMARY = 2,      /* the system shows it */
  ARTWORKD_PRIMARY_CHANGED = 1,
  ARTWORKD_ARTWORK_CHANGED = 2 /* an artwork that it publishes is ready, or a version that fits better: ask for the video */
};

/* Whether the session is primary, as far as the steps have told. */
int artworkd_hold_primary(const artworkd_hold *hold);

/* What has changed since the last call; 0 if nothing has. */
int artworkd_hold_changes(artworkd_hold *hold);

/* A command that somebody asks of a session. Of its argument, the number is in value (seconds, a rate, a rating; 1 or 0 for
 * active), and a word or an option's ID in text. */
typedef struct artworkd_command {
  unsigned long long number; /* for artworkd_answer */
  char name[32];             /* pause, seekToPosition, ... */
  double value;
  char text[1025];
  double sent;               /* when the service sent it, in seconds since 1970; 0 if it does not say */
} artworkd_command;

/* Takes the next command that the steps have brought: 1, or 0 if there is none. Those that the service has given up, after
 * 5 s, are left out. Publish what it changes, then answer it. */
int artworkd_hold_command(artworkd_hold *hold, artworkd_command *command);

/* Closes the connection, which ends the session. If the service is not there just then, the session may come back with it
 * and last as long as the process. NULL is fine. */
void artworkd_hold_free(artworkd_hold *hold);

#ifdef __cplusplus
}
#endif

#endif
