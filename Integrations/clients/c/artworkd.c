/* See artworkd.h. In order: errors, one request and its answer, JSON that is sent, the calls, holding. Every answer has a
 * limit; what is longer is an error. */
#ifndef _POSIX_C_SOURCE
#define _POSIX_C_SOURCE 200809L
#endif
#ifndef _DEFAULT_SOURCE
#define _DEFAULT_SOURCE /* SO_PEERCRED or getpeereid */
#endif

#include "artworkd.h"

#include <curl/curl.h>
#include <errno.h>
#include <fcntl.h>
#include <jansson.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

enum {
  LONGEST_ID = 1024,          /* bytes, as the service allows */
  LONGEST_APPLICATION = 4096, /* 1024 characters */
  LONGEST_URL = 20 << 10,     /* has both, percent-encoded */
  LONGEST_BODY = 1 << 20,     /* of a session, as the service allows */
  LONGEST_HEAD = 64 << 10,
  LONGEST_ANSWER = 2 << 20,
  LONGEST_DOCUMENT = 64 << 20, /* of what is shown, with all sessions */
  LONGEST_PREVIEW = 64 << 20,
  LONGEST_LINE = 128 << 10, /* of an event that matters here: it names a session */
  MORE_FOR_WORK = 30000,    /* ms: the service answers within 30 s */
  SILENCE = 45000,          /* ms: the service sends something to each stream every 15 s */
  PATIENCE = 5000,          /* ms in which the service waits for the answer to a command */
  MOST_COMMANDS = 32,       /* that wait for one player; the service sends no more */
  SHORTEST_PAUSE = 100,     /* ms before another attempt */
  LONGEST_PAUSE = 5000,
  STEP_PAUSE = 100,         /* ms between the steps during a request, whose descriptor is watched instead of the stream's */
};

/* Errors */

/* Fills an error, and returns -1 for the caller to return. */
static int fail(artworkd_error *error, long status, const char *code, const char *format, ...) {
  if (!error) return -1;
  error->status = (int)status;
  snprintf(error->code, sizeof error->code, "%s", code);
  va_list values;
  va_start(values, format);
  int size = vsnprintf(error->message, sizeof error->message, format, values);
  va_end(values);
  if (size >= (int)sizeof error->message) { /* The last character may be cut in its middle, so it goes as a whole. */
    char *last = error->message + strlen(error->message) - 1;
    while (last > error->message && ((unsigned char)*last & 0xC0) == 0x80) last--;
    *last = 0;
  }
  return -1;
}

static int bad_request(artworkd_error *error, const char *message) { return fail(error, 0, "bad-request", "%s", message); }

static int not_understood(artworkd_error *error, const char *message) {
  return fail(error, 0, "not-understood", "%s", message);
}

static double now_ms(clockid_t clock) {
  struct timespec time;
  clock_gettime(clock, &time);
  return (double)time.tv_sec * 1e3 + (double)time.tv_nsec / 1e6;
}

/* One request and its answer, on a connection of its own */

static const char sessions[] = "/v1/sessions/";

/* METHOD FOLDER<id>MORE?application=<application>; the last three may be NULL. A session without an ID is that of the
 * process. */
struct request {
  const char *method, *folder, *id, *more, *application;
  json_t *body; /* `begin` takes it; PUT, PATCH and POST need one */
  long more_time;
  size_t limit; /* of the answer; 0: LONGEST_ANSWER */
};

struct exchange {
  CURL *curl; /* NULL: none */
  const artworkd_client *client;
  CURLcode result;
  int fd;            /* of the connection */
  int connect_error; /* errno of connecting; 0 if it connected */
  long foreign_user; /* who listens there instead of this user; 0: nobody */
  long status;
  bool has_head;
  char *body;
  size_t head_size, size, limit;
  json_t *document; /* NULL if the body is not JSON */
  /* Of a hold: */
  CURLM *multi;
  artworkd_hold *hold;        /* receives the body as events, if it is set */
  struct listener *listener; /* as well */
  struct pollfd watch; /* what libcurl waits for */
  double deadline;
};

static size_t receive_events(artworkd_hold *hold, const char *bytes, size_t size);
static size_t listen_to(struct listener *listener, const char *bytes, size_t size);

static size_t receive_head(char *line, size_t one, size_t count, void *context) {
  struct exchange *exchange = context;
  exchange->head_size += one * count;
  if (*line == '\r' || *line == '\n') {
    curl_easy_getinfo(exchange->curl, CURLINFO_RESPONSE_CODE, &exchange->status);
    exchange->has_head = exchange->status >= 200; /* another head follows an early one */
    if (exchange->hold && exchange->has_head) exchange->deadline = now_ms(CLOCK_MONOTONIC) + SILENCE;
  }
  return exchange->head_size <= LONGEST_HEAD ? one * count : 0;
}

static size_t receive_body(char *bytes, size_t one, size_t count, void *context) {
  struct exchange *exchange = context;
  size_t size = one * count;
  if (exchange->hold) return receive_events(exchange->hold, bytes, size);
  if (exchange->listener && exchange->status == 200) return listen_to(exchange->listener, bytes, size);
  char *bigger = size <= exchange->limit - exchange->size ? realloc(exchange->body, exchange->size + size + 1) : NULL;
  if (!bigger) return 0;
  memcpy(bigger + exchange->size, bytes, size);
  exchange->body = bigger;
  exchange->size += size;
  return size;
}

/* The user of the process that listens at the other end; -1 if the system does not say. */
static long peer_user(int fd) {
#ifdef __linux__
  struct { int process; unsigned user, group; } peer; /* struct ucred, which needs _GNU_SOURCE; unix(7) */
  socklen_t size = sizeof peer;
  return getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &size) < 0 ? -1 : (long)peer.user;
#else
  uid_t user;
  gid_t group;
  return getpeereid(fd, &user, &group) < 0 ? -1 : (long)user;
#endif
}

/* Why nothing can connect to the socket; 0 if something can. EAGAIN: as many clients wait there as may. */
static int reason_at(const char *path) {
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  snprintf(address.sun_path, sizeof address.sun_path, "%s", path);
  int fd = socket(AF_UNIX, SOCK_STREAM, 0), reason = 0;
  if (fd < 0 || fcntl(fd, F_SETFL, O_NONBLOCK) < 0 || connect(fd, (struct sockaddr *)&address, sizeof address) < 0)
    reason = errno;
  if (fd >= 0) close(fd);
  return reason;
}

/* libcurl 7.88 leaves sockets open in programs that the player starts, which would keep the session. */
static curl_socket_t open_socket(void *context, curlsocktype purpose, struct curl_sockaddr *address) {
  struct exchange *exchange = context;
  (void)purpose;
  exchange->fd = socket(address->family, address->socktype, address->protocol);
  if (exchange->fd >= 0 && fcntl(exchange->fd, F_SETFD, FD_CLOEXEC) == 0) return exchange->fd;
  exchange->connect_error = errno;
  if (exchange->fd >= 0) close(exchange->fd);
  return CURL_SOCKET_BAD;
}

/* Looks at who listens there before anything is said, which libcurl does not. */
static int check_peer(void *context, char *to, char *from, int port, int own_port) {
  struct exchange *exchange = context;
  (void)to, (void)from, (void)port, (void)own_port;
  long user = peer_user(exchange->fd);
  if (user == 0 || user == (long)geteuid()) return CURL_PREREQFUNC_OK;
  /* libcurl may take a socket for connected that waits for its turn. */
  if (user < 0 || user == (long)(unsigned)-1) exchange->connect_error = EAGAIN;
  else exchange->foreign_user = user;
  return CURL_PREREQFUNC_ABORT;
}

/* Refuses a default folder that another user may have made: everyone may make one in the temporary folder. */
static int check_folder(const artworkd_client *client, artworkd_error *error) {
  struct stat found;
  char folder[sizeof client->socket];
  snprintf(folder, sizeof folder, "%s", client->socket);
  char *slash = client->is_default ? strrchr(folder, '/') : NULL;
  if (!slash) return 0;
  *slash = 0;
  if (lstat(folder, &found) < 0) return 0; /* then there is no service */
  if (S_ISDIR(found.st_mode) && found.st_uid == geteuid() && !(found.st_mode & 077)) return 0;
  return fail(error, 0, "untrusted", "%s is not a folder of this user alone", folder);
}

static void end(struct exchange *exchange) {
  if (exchange->multi) curl_multi_remove_handle(exchange->multi, exchange->curl);
  curl_easy_cleanup(exchange->curl);
  json_decref(exchange->document);
  free(exchange->body);
  *exchange = (struct exchange){.watch.fd = -1};
}

/* The text of a body, which it takes; NULL with an error. */
static char *text_of(json_t *body, artworkd_error *error) {
  char *text = body ? json_dumps(body, JSON_COMPACT) : NULL;
  json_decref(body);
  if (!text) bad_request(error, "the request cannot be sent: a text is not UTF-8 or no JSON, or there is no memory");
  if (!text || strlen(text) <= LONGEST_BODY) return text;
  free(text);
  bad_request(error, "the request cannot be sent: it is too long");
  return NULL;
}

/* The ID of the sessions of this process that have none: its number, and that of the system of processes that it is in. */
static void name_session(char *id, size_t size) {
  struct stat space = {0};
  (void)stat("/proc/self/ns/pid", &space);
  snprintf(id, size, "%ld-%lu", (long)getpid(), (unsigned long)space.st_ino);
}

/* Prepares a request. The exchange is to be ended also after an error. */
static int begin(
    struct exchange *exchange, const artworkd_client *client, const struct request *request, artworkd_error *error) {
  /* Otherwise libcurl declares a form, and older versions wait for permission to send it. */
  static struct curl_slist no_wait = {"Expect:", NULL}, fields = {"Content-Type: application/json", &no_wait};
  *exchange = (struct exchange){
      .client = client, .limit = request->limit ? request->limit : LONGEST_ANSWER, .watch.fd = -1};
  if (check_folder(client, error) < 0) {
    json_decref(request->body);
    return -1;
  }
  char *body = NULL;
  if (*request->method == 'P' && !(body = text_of(request->body, error))) return -1;
  CURL *curl = exchange->curl = curl_easy_init();
  char own[64] = "";
  if (request->folder == sessions) name_session(own, sizeof own);
  char *id = curl_easy_escape(curl, request->id ? request->id : own, 0);
  char *application = curl_easy_escape(curl, request->application ? request->application : "", 0);
  char url[LONGEST_URL];
  bool has_query = strchr(request->folder, '?') || (request->more && strchr(request->more, '?'));
  const char *parameter = !request->application ? "" : has_query ? "&application=" : "?application=";
  int result = 0, size = snprintf(
      url, sizeof url, "http://localhost%s%s%s%s%s", request->folder, id ? id : "", request->more ? request->more : "",
      parameter, application ? application : "");
  if (!curl || !id || !application) result = fail(error, 0, "no-memory", "there is no memory");
  else if (size >= (int)sizeof url) result = bad_request(error, "the application's name is too long");
  curl_easy_setopt(curl, CURLOPT_URL, url);
  curl_easy_setopt(curl, CURLOPT_PATH_AS_IS, 1L); /* an ID may be .. */
  curl_easy_setopt(curl, CURLOPT_UNIX_SOCKET_PATH, client->socket);
  curl_easy_setopt(curl, CURLOPT_OPENSOCKETFUNCTION, open_socket);
  curl_easy_setopt(curl, CURLOPT_OPENSOCKETDATA, exchange);
  curl_easy_setopt(curl, CURLOPT_PREREQFUNCTION, check_peer);
  curl_easy_setopt(curl, CURLOPT_PREREQDATA, exchange);
  curl_easy_setopt(curl, CURLOPT_FORBID_REUSE, 1L);
  curl_easy_setopt(curl, CURLOPT_NOSIGNAL, 1L);
  curl_easy_setopt(curl, CURLOPT_CUSTOMREQUEST, request->method);
  if (body) curl_easy_setopt(curl, CURLOPT_HTTPHEADER, &fields);
  if (body) curl_easy_setopt(curl, CURLOPT_COPYPOSTFIELDS, body);
  curl_easy_setopt(curl, CURLOPT_HEADERFUNCTION, receive_head);
  curl_easy_setopt(curl, CURLOPT_HEADERDATA, exchange);
  curl_easy_setopt(curl, CURLOPT_WRITEFUNCTION, receive_body);
  curl_easy_setopt(curl, CURLOPT_WRITEDATA, exchange);
  curl_easy_setopt(curl, CURLOPT_PRIVATE, exchange);
  curl_free(id);
  curl_free(application);
  free(body);
  return result;
}

/* A member of an object that is a text; empty without one. */
static const char *member(const json_t *object, const char *name) {
  const char *text = json_string_value(json_object_get(object, name));
  return text ? text : "";
}

/* Fails with the code and message of an object, or with others if it has none. */
static int fail_for(artworkd_error *error, long status, const json_t *reason, const char *code, const char *message) {
  const char *own_code = member(reason, "code"), *own_message = member(reason, "message");
  return fail(error, status, *own_code ? own_code : code, "%s", *own_message ? own_message : message);
}

/* Reads the answer once libcurl has a result. A problem without a valid document has the code of its status. */
static int finish(struct exchange *exchange, artworkd_error *error) {
  const char *socket = exchange->client->socket;
  int number = exchange->connect_error;
  if (number == 0 && exchange->result == CURLE_COULDNT_CONNECT) number = exchange->connect_error = reason_at(socket);
  if (exchange->foreign_user > 0)
    return fail(error, 0, "untrusted", "the service at %s is that of user %ld", socket, exchange->foreign_user);
  if (number == EAGAIN || (number == 0 && exchange->result == CURLE_COULDNT_CONNECT))
    return fail(error, 0, "busy", "too many clients wait at %s", socket);
  switch (exchange->result == CURLE_OK && !exchange->has_head ? CURLE_GOT_NOTHING : exchange->result) {
    case CURLE_OK: break;
    case CURLE_COULDNT_CONNECT:
      return fail(
          error, 0, "no-service", "no service at %s (start it with: artworkd serve): %s", socket,
          number == ENOENT         ? "there is no such file"
          : number == EACCES       ? "access is not allowed"
          : number == ECONNREFUSED ? "nothing listens there"
                                   : "it takes no connection");
    case CURLE_OPERATION_TIMEDOUT: return fail(error, 0, "late", "the service did not answer in time");
    case CURLE_GOT_NOTHING:
    case CURLE_PARTIAL_FILE:
    case CURLE_SEND_ERROR:
    case CURLE_RECV_ERROR: return fail(error, 0, "lost", "the service closed the connection");
    case CURLE_WRITE_ERROR: return not_understood(error, "the answer is too long");
    default: return fail(error, 0, "not-understood", "the answer is not HTTP: %s", curl_easy_strerror(exchange->result));
  }
  if (exchange->size > 0) exchange->document = json_loadb(exchange->body, exchange->size, 0, NULL);
  if (exchange->status / 100 == 2) return 0;
  char status[32];
  snprintf(status, sizeof status, "status-%ld", exchange->status);
  const char *detail = member(exchange->document, "detail");
  return fail_for(error, exchange->status, exchange->document, status, *detail ? detail : status);
}

/* Sends a request and waits for the answer. The exchange is to be ended also after an error. */
static int call(
    struct exchange *exchange, const artworkd_client *client, const struct request *request, artworkd_error *error) {
  if (begin(exchange, client, request, error) < 0) return -1;
  double end = now_ms(CLOCK_MONOTONIC) + client->timeout_ms + request->more_time;
  for (long pause = 5;; pause = pause < 100 ? pause * 2 : 200) {
    double left = end - now_ms(CLOCK_MONOTONIC);
    curl_easy_setopt(exchange->curl, CURLOPT_TIMEOUT_MS, left > 1 ? (long)left : 1); /* 0 is no limit */
    exchange->result = curl_easy_perform(exchange->curl);
    artworkd_error problem = {0};
    int result = finish(exchange, &problem);
    bool is_crowded = problem.status == 0 && !strcmp(problem.code, "busy");
    if (error && result < 0) *error = problem;
    if (!is_crowded || left <= pause) return result;
    exchange->connect_error = 0;
    nanosleep(&(struct timespec){.tv_nsec = pause * 1000000}, NULL);
  }
}

/* Sends a request whose answer has no document to read. */
static int tell(const artworkd_client *client, const struct request *request, artworkd_error *error) {
  struct exchange exchange;
  int result = call(&exchange, client, request, error);
  end(&exchange);
  return result;
}

/* JSON that is sent. Jansson refuses texts that are not UTF-8: then there is no object. */

static bool is_number(double value) { return value >= -1e11 && value <= 1e11; }

static int check_playback(const artworkd_playback *playback, artworkd_error *error) {
  bool fits = is_number(playback->elapsed_seconds) && is_number(playback->duration_seconds) && is_number(playback->rate) &&
              is_number(playback->timestamp);
  return fits ? 0 : bad_request(error, "the playback cannot be sent: a number is too large");
}

/* Adds the members of the text of an object to another, which it takes. NULL if that is none, or the text is none. */
static json_t *with_more(json_t *object, const char *text) {
  json_t *more = text ? json_loads(text, 0, NULL) : NULL;
  bool is_good = !text || (json_is_object(more) && json_object_update(object, more) == 0);
  json_decref(more);
  if (is_good) return object;
  json_decref(object);
  return NULL;
}

static json_t *playback_json(const artworkd_playback *playback) {
  if (!playback->state && !playback->json) return json_null();
  json_t *result = json_pack(
      "{s:s*,s:f,s:f,s:o*,s:o*}", "state", playback->state, "elapsedSeconds", playback->elapsed_seconds, "timestamp",
      playback->timestamp == 0 ? now_ms(CLOCK_REALTIME) / 1e3 : playback->timestamp, "durationSeconds",
      playback->duration_seconds > 0 ? json_real(playback->duration_seconds) : NULL, "rate",
      playback->rate != 0 ? json_real(playback->rate) : NULL);
  return with_more(result, playback->json);
}

static json_t *content_json(const artworkd_session *session) {
  if (!session->kind && !session->content) return json_null();
  json_t *result = json_pack(
      "{s:s*,s:s,s:s*,s:s*}", "kind", session->kind, "title", session->title ? session->title : "", "subtitle",
      session->subtitle, "collection", session->collection);
  return with_more(result, session->content);
}

/* An array of the words of a text; null without any. */
static json_t *words_json(const char *text) {
  json_t *result = json_array();
  for (size_t size; text && *(text += strspn(text, " ,")); text += size) {
    size = strcspn(text, " ,");
    if (json_array_append_new(result, json_stringn(text, size)) < 0) {
      json_decref(result);
      return NULL;
    }
  }
  if (json_array_size(result) > 0) return result;
  json_decref(result);
  return json_null();
}

/* NULL with an error for a session that cannot be sent. */
static json_t *session_json(const artworkd_session *session, artworkd_error *error) {
  if (check_playback(&session->playback, error) < 0) return NULL;
  json_t *commands = session->commands ? json_loads(session->commands, 0, NULL) : json_null();
  if (!commands) {
    bad_request(error, "the session cannot be sent: its commands are not JSON");
    return NULL;
  }
  json_int_t process = session->owner_process;
  json_t *owner = process > 0 ? json_pack("{s:I}", "process", process) : json_null();
  json_t *result = json_pack(
      "{s:s,s:o,s:{s:s*,s:s*},s:s*,s:o,s:o,s:o,s:o,s:s*,s:b}", "application", session->application, "content", content_json(session),
      "artwork", "1x1", session->artwork_1x1, "3x4", session->artwork_3x4, "cover", session->cover, "commands", commands,
      "owner", owner, "playback", playback_json(&session->playback), "videoCodecs", words_json(session->video_codecs),
      "eligibility", session->eligibility, "mixesWithOthers", session->mixes_with_others != 0);
  char *text = text_of(json_incref(result), error);
  free(text);
  if (text) return result;
  json_decref(result);
  return NULL;
}

/* The calls */

int artworkd_init(artworkd_client *client, const char *socket, artworkd_error *error) {
  const char *runtime = getenv("XDG_RUNTIME_DIR"), *path = socket && *socket ? socket : getenv("ARTWORKD_SOCKET");
  *client = (artworkd_client){.timeout_ms = 15000};
  client->is_default = !path || !*path;
  char *to = client->socket;
  int size = path && *path                ? snprintf(to, sizeof client->socket, "%s", path)
             : runtime && *runtime == '/' ? snprintf(to, sizeof client->socket, "%s/artworkd/artworkd.sock", runtime)
                                          : snprintf(to, sizeof client->socket, "/tmp/artworkd-%lu/artworkd.sock",
                                                     (unsigned long)geteuid());
  return size < (int)sizeof client->socket ? 0 : bad_request(error, "the socket's path is longer than 107 bytes");
}

static int need_id(const char *id, artworkd_error *error) {
  return id && *id && strlen(id) <= LONGEST_ID ? 0 : bad_request(error, "an ID has 1 to 1024 bytes");
}

static int need_session(const char *id, artworkd_error *error) { return id ? need_id(id, error) : 0; }

static int need_key(const char *key, bool may_be_cover, artworkd_error *error) {
  if (key && (!strcmp(key, "1x1") || !strcmp(key, "3x4") || (may_be_cover && !strcmp(key, "cover")))) return 0;
  return bad_request(error, may_be_cover ? "a key is 1x1, 3x4 or cover" : "a key is 1x1 or 3x4");
}

static int check_session(const artworkd_session *session, artworkd_error *error) {
  if (need_session(session->id, error) < 0) return -1;
  size_t size = session->application ? strlen(session->application) : 0;
  return size > 0 && size <= LONGEST_APPLICATION ? 0 : bad_request(error, "an application has 1 to 1024 characters");
}

/* Names a file whose path need not be UTF-8, which JSON must be. */
static json_t *source_json(const char *path) {
  json_t *result = json_pack("{s:{s:s}}", "source", "path", path);
  CURLU *url = result ? NULL : curl_url();
  char *encoded = NULL;
  if (url && !curl_url_set(url, CURLUPART_PATH, path, CURLU_URLENCODE) &&
      !curl_url_get(url, CURLUPART_PATH, &encoded, 0))
    result = json_pack("{s:{s:s+}}", "source", "url", "file://", encoded);
  curl_free(encoded);
  curl_url_cleanup(url);
  return result;
}

/* Takes the body. */
static int register_artwork(
    const artworkd_client *client, const char *artwork_id, const char *key, json_t *body, artworkd_error *error) {
  char more[32];
  snprintf(more, sizeof more, "/%s?report=0&wait=28", key); /* as long as the service lets it wait for a worker */
  struct request request = {"PUT", "/v1/artworks/", artwork_id, more, .body = body, .more_time = MORE_FOR_WORK};
  struct exchange exchange;
  int result = call(&exchange, client, &request, error);
  if (result == 0) {
    const char *status = member(exchange.document, "status");
    const json_t *reason = json_object_get(exchange.document, "error");
    if (!*status) result = not_understood(error, "the service sent an artwork without its status");
    else if (!strcmp(status, "refused")) result = fail_for(error, exchange.status, reason, status, "the file cannot be used");
  }
  end(&exchange);
  return result;
}

int artworkd_put_artwork(
    const artworkd_client *client, const char *artwork_id, const char *key, const char *path, artworkd_error *error) {
  if (need_id(artwork_id, error) < 0 || need_key(key, true, error) < 0) return -1;
  if (!path || *path != '/') return bad_request(error, "a path begins with /");
  return register_artwork(client, artwork_id, key, source_json(path), error);
}

int artworkd_register(
    const artworkd_client *client, const char *artwork_id, const char *key, const char *registration, artworkd_error *error) {
  if (need_id(artwork_id, error) < 0 || need_key(key, true, error) < 0) return -1;
  json_t *body = registration ? json_loads(registration, 0, NULL) : NULL;
  return body ? register_artwork(client, artwork_id, key, body, error) : bad_request(error, "the registration is not JSON");
}

int artworkd_publish(const artworkd_client *client, const artworkd_session *session, artworkd_error *error) {
  if (check_session(session, error) < 0) return -1;
  struct request request = {"PUT", sessions, session->id, .body = session_json(session, error)};
  return request.body ? tell(client, &request, error) : -1;
}

int artworkd_set_playback(
    const artworkd_client *client, const char *application, const char *session_id, const artworkd_playback *playback,
    artworkd_error *error) {
  if (need_session(session_id, error) < 0 || check_playback(playback, error) < 0) return -1;
  json_t *body = json_pack("{s:o}", "playback", playback_json(playback));
  return tell(
      client, &(struct request){"PATCH", sessions, session_id, .application = application, .body = body}, error);
}

int artworkd_make_primary(
    const artworkd_client *client, const char *application, const char *session_id, int is_for_system, artworkd_error *error) {
  if (need_session(session_id, error) < 0) return -1;
  json_t *body = json_pack("{s:s}", "scope", is_for_system ? "system" : "application");
  return tell(
      client, &(struct request){"POST", sessions, session_id, "/primary", .application = application, .body = body},
      error);
}

int artworkd_resign_primary(
    const artworkd_client *client, const char *application, const char *session_id, int is_for_system, artworkd_error *error) {
  if (need_session(session_id, error) < 0) return -1;
  const char *more = is_for_system ? "/primary?scope=system" : "/primary?scope=application";
  return tell(client, &(struct request){"DELETE", sessions, session_id, more, .application = application}, error);
}

/* Gives the text of a document to the caller. */
static int get_document(const artworkd_client *client, const char *path, char **json, artworkd_error *error) {
  struct exchange exchange;
  *json = NULL;
  int result = call(&exchange, client, &(struct request){"GET", path, .limit = LONGEST_DOCUMENT}, error);
  if (result == 0 && !exchange.document) {
    result = not_understood(error, "the service sent something other than JSON");
  } else if (result == 0) {
    exchange.body[exchange.size] = 0; /* there is room for it */
    *json = exchange.body;
    exchange.body = NULL;
  }
  end(&exchange);
  return result;
}

int artworkd_now_playing(const artworkd_client *client, char **json, artworkd_error *error) {
  return get_document(client, "/v1/now-playing", json, error);
}

int artworkd_conditions(const artworkd_client *client, char **json, artworkd_error *error) {
  return get_document(client, "/v1/conditions", json, error);
}

int artworkd_set_conditions(const artworkd_client *client, const char *conditions, artworkd_error *error) {
  json_t *body = conditions ? json_loads(conditions, 0, NULL) : NULL;
  if (!body) return bad_request(error, "the conditions are not JSON");
  return tell(client, &(struct request){"PUT", "/v1/conditions", .body = body}, error);
}

/* Whoever sees all events. */
struct listener {
  int (*see)(void *context, const char *name, const char *data);
  void *context;
  bool is_done;
  char name[32];
  char *line;
  size_t size;
};

/* Adds a byte to the line, of which the last is left free for its end. */
static bool add_byte(struct listener *listener, char byte) {
  if ((listener->size & (listener->size + 1)) == 0) { /* at 2^n - 1: twice the room */
    char *bigger = listener->size < LONGEST_DOCUMENT ? realloc(listener->line, 2 * (listener->size + 1)) : NULL;
    if (!bigger) return false;
    listener->line = bigger;
  }
  listener->line[listener->size++] = byte;
  return true;
}

static size_t listen_to(struct listener *listener, const char *bytes, size_t size) {
  for (size_t i = 0; i < size; i++) {
    if (bytes[i] != '\n') {
      if (!add_byte(listener, bytes[i])) return 0;
      continue;
    }
    if (listener->size > 0) listener->line[listener->size] = 0;
    if (listener->size > 7 && !memcmp(listener->line, "event: ", 7))
      snprintf(listener->name, sizeof listener->name, "%s", listener->line + 7);
    else if (listener->size > 6 && !memcmp(listener->line, "data: ", 6))
      listener->is_done = listener->see(listener->context, listener->name, listener->line + 6) != 0;
    listener->size = 0;
    if (listener->is_done) return 0;
  }
  return size;
}

int artworkd_events(
    const artworkd_client *client, int (*see)(void *context, const char *name, const char *data), void *context,
    artworkd_error *error) {
  struct listener listener = {.see = see, .context = context};
  struct exchange exchange;
  int result = begin(&exchange, client, &(struct request){.method = "GET", .folder = "/v1/events"}, error);
  if (result == 0) {
    exchange.listener = &listener;
    curl_easy_setopt(exchange.curl, CURLOPT_CONNECTTIMEOUT_MS, (long)client->timeout_ms);
    curl_easy_setopt(exchange.curl, CURLOPT_LOW_SPEED_LIMIT, 1L);
    curl_easy_setopt(exchange.curl, CURLOPT_LOW_SPEED_TIME, (long)SILENCE / 1000);
    exchange.result = curl_easy_perform(exchange.curl);
    if (listener.is_done) result = 0;
    else if ((result = finish(&exchange, error)) == 0) result = fail(error, 0, "lost", "the service ended the stream");
  }
  free(listener.line);
  end(&exchange);
  return result;
}

int artworkd_end(
    const artworkd_client *client, const char *application, const char *session_id, artworkd_error *error) {
  if (need_session(session_id, error) < 0) return -1;
  artworkd_error problem;
  if (tell(client, &(struct request){"DELETE", sessions, session_id, .application = application}, &problem) == 0 ||
      !strcmp(problem.code, "unknown-session"))
    return 0;
  if (error) *error = problem;
  return -1;
}

int artworkd_ask(
    const artworkd_client *client, const char *application, const char *session_id, const char *command,
    artworkd_error *error) {
  if (session_id && need_id(session_id, error) < 0) return -1;
  const char *folder = session_id ? sessions : application ? "/v1/applications/" : "/v1/now-playing";
  struct request request = {
      "POST", folder, session_id ? session_id : application, "/commands", .application = session_id ? application : NULL,
      .body = command ? json_loads(command, 0, NULL) : NULL};
  if (!request.body) return bad_request(error, "the command is not JSON");
  struct exchange exchange;
  int result = call(&exchange, client, &request, error);
  if (result == 0) {
    const char *status = member(exchange.document, "status"), *message = member(exchange.document, "message");
    if (!*status) result = not_understood(error, "the service sent the end of a command without its status");
    else if (strcmp(status, "success"))
      result = fail(error, exchange.status, status, "%s", *message ? message : "the player did not do it");
  }
  end(&exchange);
  return result;
}

int artworkd_answer(
    const artworkd_client *client, const char *application, const char *session_id, unsigned long long number,
    const char *status, const char *message, artworkd_error *error) {
  if (need_session(session_id, error) < 0) return -1;
  char more[48];
  snprintf(more, sizeof more, "/commands/%llu", number);
  json_t *body = json_pack("{s:s,s:s*}", "status", status ? status : "", "message", message);
  struct request request = {"POST", sessions, session_id, more, .application = application, .body = body};
  return tell(client, &request, error);
}

/* Copies the path of file:///...; not-understood if it is none. */
static int copy_path(const char *url, char *path, size_t size, artworkd_error *error) {
  int length = 0;
  char *decoded = strncmp(url, "file:///", 8) ? NULL : curl_easy_unescape(NULL, url + 7, 0, &length);
  int result = 0;
  if (!decoded || strlen(decoded) != (size_t)length) result = not_understood(error, "the service sent no URL of a file");
  else if ((size_t)length >= size) result = bad_request(error, "the buffer for the path is too small");
  else memcpy(path, decoded, (size_t)length + 1);
  curl_free(decoded);
  return result;
}

int artworkd_video(
    const artworkd_client *client, const char *application, const char *session_id, const char *key, int width, int height,
    char *path, size_t size, artworkd_error *error) {
  artworkd_size rendition;
  return artworkd_video_and_size(client, application, session_id, key, width, height, path, size, &rendition, error);
}

int artworkd_video_and_size(
    const artworkd_client *client, const char *application, const char *session_id, const char *key, int width, int height,
    char *path, size_t size, artworkd_size *rendition, artworkd_error *error) {
  if (need_session(session_id, error) < 0 || need_key(key, false, error) < 0) return -1;
  if (!path || size == 0) return bad_request(error, "there is no buffer for the path");
  path[0] = 0;
  *rendition = (artworkd_size){0};
  char more[32];
  snprintf(more, sizeof more, "/artwork/%s/video?wait=28", key);
  json_t *body = json_pack("{s:i,s:i}", "width", width, "height", height);
  struct request request = {
      "POST", sessions, session_id, more, .application = application, .body = body, .more_time = MORE_FOR_WORK};
  struct exchange exchange;
  int result = call(&exchange, client, &request, error);
  if (result == 0) {
    const char *url = member(exchange.document, "url");
    const json_t *reason = json_object_get(exchange.document, "reason");
    const json_t *made = json_object_get(exchange.document, "rendition");
    rendition->width = (int)json_integer_value(json_object_get(made, "width"));
    rendition->height = (int)json_integer_value(json_object_get(made, "height"));
    if (*url || !*member(reason, "code")) result = copy_path(url, path, size, error);
    else result = fail_for(error, exchange.status, reason, "", "there is no video");
  }
  end(&exchange);
  return result;
}

int artworkd_prepare(
    const artworkd_client *client, const char *artwork_id, const char *key, int width, int height, const char *video_codecs,
    artworkd_size *rendition, artworkd_error *error) {
  if (rendition) *rendition = (artworkd_size){0};
  if (need_id(artwork_id, error) < 0 || need_key(key, false, error) < 0) return -1;
  char more[32];
  snprintf(more, sizeof more, "/%s/prepare?wait=28", key);
  json_t *body = json_pack("{s:o}", "videoCodecs", words_json(video_codecs));
  if (body && (width != 0 || height != 0)) {
    json_object_set_new(body, "width", json_integer(width));
    json_object_set_new(body, "height", json_integer(height));
  }
  struct request request = {"POST", "/v1/artworks/", artwork_id, more, .body = body, .more_time = MORE_FOR_WORK};
  struct exchange exchange;
  int result = call(&exchange, client, &request, error);
  if (result == 0 && rendition) {
    const json_t *made = json_object_get(exchange.document, "rendition");
    rendition->width = (int)json_integer_value(json_object_get(made, "width"));
    rendition->height = (int)json_integer_value(json_object_get(made, "height"));
  }
  end(&exchange);
  return result;
}

int artworkd_preview(
    const artworkd_client *client, const char *artwork_id, const char *key, int width, int height, unsigned char **bytes,
    size_t *size, artworkd_error *error) {
  *bytes = NULL;
  *size = 0;
  if (need_id(artwork_id, error) < 0 || need_key(key, true, error) < 0) return -1;
  char more[96], wide[32] = "", high[32] = "";
  if (width != 0) snprintf(wide, sizeof wide, "&width=%d", width);
  if (height != 0) snprintf(high, sizeof high, "&height=%d", height);
  snprintf(more, sizeof more, "/%s/preview?wait=28%s%s", key, wide, high);
  struct request request = {
      "GET", "/v1/artworks/", artwork_id, more, .more_time = MORE_FOR_WORK, .limit = LONGEST_PREVIEW};
  struct exchange exchange;
  int result = call(&exchange, client, &request, error);
  if (result == 0 && (exchange.size < 8 || memcmp(exchange.body, "\x89PNG\r\n\x1A\n", 8))) {
    result = not_understood(error, "the preview is not a PNG file");
  } else if (result == 0) {
    *bytes = (unsigned char *)exchange.body;
    *size = exchange.size;
    exchange.body = NULL;
  }
  end(&exchange);
  return result;
}

/* Holding */

enum { WANTS_CHECK = 1, WANTS_PUT = 2, WANTS_PATCH = 4 };

struct artworkd_hold {
  artworkd_client client;
  char id[LONGEST_ID + 1], application[LONGEST_APPLICATION + 1];
  char filter[3 * LONGEST_ID + 16]; /* the query for the events of this session alone */
  json_t *session;
  CURLM *multi;
  struct exchange stream;  /* of events; its end ends the session */
  struct exchange request; /* beside it */
  int wants;               /* what is to be sent */
  int sends;               /* what the request is */
  bool is_published;       /* the service has accepted the session on this stream */
  bool is_ended;
  int primary;     /* ARTWORKD_APPLICATION_PRIMARY, ARTWORKD_SYSTEM_PRIMARY */
  int changes;     /* that the player has not taken */
  double lead;     /* s by which the wall clock was ahead of the steady one when the playback got its time */
  artworkd_error trouble; /* its code is empty if there is none */
  double next_attempt;
  int pause;                                /* before the attempt after that */
  artworkd_command commands[MOST_COMMANDS]; /* that the player has not taken */
  int command_count;
  char name[32];           /* of the event */
  char line[LONGEST_LINE]; /* its beginning */
  size_t line_size;
};

/* One that is not understood is not answered, so the service gives it up. */
static void read_command(artworkd_hold *hold, json_t *data) {
  static const char *const numbers[] = {"position", "interval", "rate", "rating"};
  static const char *const texts[] = {"phase", "mode", "option"};
  const char *name = member(data, "command");
  const json_t *number = json_object_get(data, "number"), *active = json_object_get(data, "active");
  artworkd_command command = {
      .number = (unsigned long long)json_integer_value(number), .value = json_is_true(active),
      .sent = json_number_value(json_object_get(data, "sent"))};
  if (hold->command_count == MOST_COMMANDS || !*name || strlen(name) >= sizeof command.name || !json_is_integer(number) ||
      json_integer_value(number) < 0)
    return;
  strcpy(command.name, name);
  for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
    const json_t *value = json_object_get(data, numbers[i]);
    if (json_is_number(value)) command.value = json_number_value(value);
  }
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
    const char *text = member(data, texts[i]);
    if (strlen(text) >= sizeof command.text) return;
    if (*text) strcpy(command.text, text);
  }
  hold->commands[hold->command_count++] = command;
}

static void set_primary(artworkd_hold *hold, int bit, bool is_primary) {
  int now = is_primary ? hold->primary | bit : hold->primary & ~bit;
  if (now != hold->primary) hold->changes |= ARTWORKD_PRIMARY_CHANGED;
  hold->primary = now;
}

/* Notes what an event says of who is primary, and of an artwork that the session publishes. */
static void read_change(artworkd_hold *hold, const json_t *data) {
  bool is_own = !strcmp(member(data, "application"), hold->application);
  bool is_this = is_own && !strcmp(member(data, "sessionID"), hold->id);
  if (!strcmp(hold->name, "primary")) {
    if (!strcmp(member(data, "scope"), "system")) set_primary(hold, ARTWORKD_SYSTEM_PRIMARY, is_this);
    else if (is_own) set_primary(hold, ARTWORKD_APPLICATION_PRIMARY, is_this);
  } else if (!strcmp(hold->name, "artwork") && !strcmp(member(data, "status"), "ready")) {
    const char *published = member(json_object_get(hold->session, "artwork"), member(data, "key"));
    if (*published && !strcmp(published, member(data, "artworkID"))) hold->changes |= ARTWORKD_ARTWORK_CHANGED;
  }
}

/* An end may be among events that were missed or too long, and may be that of an earlier session of this name. So the
 * service is asked whether the session is there. */
static void read_event(artworkd_hold *hold, const char *bytes, size_t size) {
  if (!hold->is_published && hold->sends != WANTS_PUT) return;
  json_t *data = size > 0 ? json_loadb(bytes, size, 0, NULL) : NULL; /* NULL also if it was too long */
  bool is_own_end = !strcmp(member(data, "sessionID"), hold->id) && json_is_true(json_object_get(data, "ended"));
  if (!strcmp(hold->name, "command")) read_command(hold, data);
  if (!strcmp(hold->name, "replaced")) hold->is_ended = true;
  read_change(hold, data);
  if (!strcmp(hold->name, "missed") || (!strcmp(hold->name, "session") && (!data || is_own_end)))
    hold->wants |= WANTS_CHECK;
  json_decref(data);
}

/* Reads a line of the stream (HTML Living Standard, 9.2.6). The service ends lines with a line feed, and writes the data of
 * an event into one. */
static void read_line(artworkd_hold *hold) {
  const char *line = hold->line;
  size_t size = hold->line_size;
  bool is_cut = size == sizeof hold->line;
  if (size > 0 && line[size - 1] == '\r') size--;
  if (size == 0) hold->name[0] = 0;
  else if (size > 6 && !memcmp(line, "event:", 6))
    snprintf(hold->name, sizeof hold->name, "%.*s", (int)size - 6 - (line[6] == ' '), line + 6 + (line[6] == ' '));
  else if (size > 5 && !memcmp(line, "data:", 5)) read_event(hold, line + 5, is_cut ? 0 : size - 5);
  hold->line_size = 0;
}

static size_t receive_events(artworkd_hold *hold, const char *bytes, size_t size) {
  hold->stream.deadline = now_ms(CLOCK_MONOTONIC) + SILENCE;
  for (size_t i = 0; i < size; i++) {
    if (bytes[i] == '\n') read_line(hold);
    else if (hold->line_size < sizeof hold->line) hold->line[hold->line_size++] = bytes[i];
  }
  return size;
}

/* Notes what libcurl waits for. */
static int watch_socket(CURL *curl, curl_socket_t fd, int what, void *context, void *unused) {
  struct exchange *exchange = NULL;
  (void)context, (void)unused;
  curl_easy_getinfo(curl, CURLINFO_PRIVATE, &exchange);
  if (!exchange) return 0; /* a handle of libcurl's own */
  exchange->watch.fd = what == CURL_POLL_REMOVE ? -1 : fd;
  exchange->watch.events = (short)((what & CURL_POLL_IN ? POLLIN : 0) | (what & CURL_POLL_OUT ? POLLOUT : 0));
  return 0;
}

static int start(artworkd_hold *hold, struct exchange *exchange, const struct request *request, artworkd_error *error) {
  if (begin(exchange, &hold->client, request, error) < 0) return -1;
  exchange->deadline = now_ms(CLOCK_MONOTONIC) + hold->client.timeout_ms;
  exchange->multi = hold->multi;
  if (curl_multi_add_handle(hold->multi, exchange->curl) == CURLM_OK) return 0;
  return fail(error, 0, "no-memory", "libcurl cannot start a request");
}

/* Seconds by which the wall clock is ahead of a clock that nobody sets. */
static double lead_now(void) {
#ifdef CLOCK_BOOTTIME
  return (now_ms(CLOCK_REALTIME) - now_ms(CLOCK_BOOTTIME)) / 1e3;
#else
  return (now_ms(CLOCK_REALTIME) - now_ms(CLOCK_MONOTONIC)) / 1e3;
#endif
}

/* A playback that is sent later belongs to the same moment, though the wall clock was set meanwhile. */
static void follow_clock(artworkd_hold *hold) {
  json_t *playback = json_object_get(hold->session, "playback"), *timestamp = json_object_get(playback, "timestamp");
  double lead = lead_now(), step = lead - hold->lead;
  if (!timestamp || (step < 0.25 && step > -0.25)) return;
  json_object_set_new(playback, "timestamp", json_real(json_number_value(timestamp) + step));
  hold->lead = lead;
}

static int start_request(artworkd_hold *hold, artworkd_error *error) {
  follow_clock(hold);
  struct request request = {"GET", sessions, hold->id, .application = hold->application};
  if ((hold->wants & WANTS_CHECK) && hold->is_published) {
    hold->sends = WANTS_CHECK;
  } else if ((hold->wants & WANTS_PUT) || !hold->is_published) {
    hold->wants &= ~WANTS_PATCH; /* the session has the playback, too */
    hold->sends = WANTS_PUT;
    request = (struct request){"PUT", sessions, hold->id, .body = json_incref(hold->session)};
  } else {
    hold->sends = WANTS_PATCH;
    request.method = "PATCH";
    request.body = json_pack("{s:O}", "playback", json_object_get(hold->session, "playback"));
  }
  hold->wants &= ~hold->sends;
  return start(hold, &hold->request, &request, error);
}

static void pause_attempts(artworkd_hold *hold) {
  hold->next_attempt = now_ms(CLOCK_MONOTONIC) + hold->pause;
  hold->pause = hold->pause * 2 < LONGEST_PAUSE ? hold->pause * 2 : LONGEST_PAUSE;
}

/* Whether the same request would be refused again: the service is neither busy nor away. */
static bool is_final(const artworkd_error *error) {
  return error->status / 100 == 4 && error->status != 408 && error->status != 429;
}

static void finish_request(artworkd_hold *hold) {
  artworkd_error problem = {0};
  int result = finish(&hold->request, &problem), sent = hold->sends;
  json_t *session = result == 0 ? json_incref(hold->request.document) : NULL;
  end(&hold->request);
  if (json_is_object(session)) {
    set_primary(hold, ARTWORKD_APPLICATION_PRIMARY, json_is_true(json_object_get(session, "isApplicationPrimary")));
    set_primary(hold, ARTWORKD_SYSTEM_PRIMARY, json_is_true(json_object_get(session, "isSystemPrimary")));
  }
  json_decref(session);
  hold->sends = 0;
  if (result == 0) {
    if (sent != WANTS_CHECK || !is_final(&hold->trouble)) hold->trouble = problem;
    if (sent == WANTS_PUT) hold->is_published = true;
    hold->pause = SHORTEST_PAUSE;
  } else if (sent != WANTS_PUT && !strcmp(problem.code, "unknown-session")) {
    hold->is_ended = true;
  } else {
    hold->trouble = problem;
    if (!is_final(&problem)) {
      hold->wants |= sent;
      pause_attempts(hold);
    } else if (!hold->is_published) {
      hold->wants &= ~WANTS_CHECK; /* there is no session that could have ended */
    }
  }
}

/* Lets libcurl send and read what it can without waiting, and acts on what is over. */
static int step(artworkd_hold *hold, artworkd_error *error) {
  struct exchange *stream = &hold->stream, *request = &hold->request;
  if (!stream->curl) {
    hold->wants = WANTS_PUT;
    struct request events = {"GET", "/v1/events?own=", hold->id, hold->filter, .application = hold->application};
    if (start(hold, stream, &events, error) < 0) return -1;
    stream->hold = hold;
  }
  int number;
  curl_multi_socket_action(hold->multi, CURL_SOCKET_TIMEOUT, 0, &number);
  if (stream->watch.fd >= 0) curl_multi_socket_action(hold->multi, stream->watch.fd, 0, &number);
  if (request->watch.fd >= 0) curl_multi_socket_action(hold->multi, request->watch.fd, 0, &number);
  if (stream->has_head && stream->status != 200) {
    const char *code = stream->status == 409 ? "owned" : "refused";
    return fail(error, stream->status, code, "the service refuses events: status %ld", stream->status);
  }
  bool has_stream_ended = false, has_answer = false;
  for (CURLMsg *message; (message = curl_multi_info_read(hold->multi, &number));) {
    bool is_stream = message->easy_handle == stream->curl;
    *(is_stream ? &has_stream_ended : &has_answer) = true;
    (is_stream ? stream : request)->result = message->data.result;
  }
  /* libcurl 7.88 may forget its own limit when it is asked less than 1 ms too early. */
  double now = now_ms(CLOCK_MONOTONIC);
  if (!has_stream_ended && now >= stream->deadline) {
    has_stream_ended = true;
    stream->result = CURLE_OPERATION_TIMEDOUT;
  }
  /* Before the answer: that of a service that was started again says nothing of this session. */
  if (has_stream_ended)
    return finish(stream, error) < 0 ? -1 : fail(error, 0, "lost", "the service closed the connection");
  if (!has_answer && request->curl && now >= request->deadline) {
    has_answer = true;
    request->result = CURLE_OPERATION_TIMEDOUT;
  }
  if (has_answer) finish_request(hold);
  bool may_start = stream->has_head && hold->wants && !hold->sends && !hold->is_ended && now >= hold->next_attempt;
  return may_start ? start_request(hold, error) : 0;
}

/* Ends the connections. The service gives up the commands of this stream. */
static void disconnect(artworkd_hold *hold) {
  end(&hold->stream);
  end(&hold->request);
  hold->is_published = false;
  hold->command_count = hold->sends = 0;
  hold->line_size = 0;
  hold->name[0] = 0;
}

artworkd_state artworkd_hold_step(artworkd_hold *hold, artworkd_error *error) {
  bool may_step = !hold->is_ended && (hold->stream.curl || now_ms(CLOCK_MONOTONIC) >= hold->next_attempt);
  if (may_step && step(hold, &hold->trouble) < 0) {
    disconnect(hold);
    pause_attempts(hold);
  }
  if (hold->is_ended) {
    disconnect(hold);
    hold->trouble = (artworkd_error){0};
  }
  if (error) *error = hold->trouble;
  if (hold->is_ended) return ARTWORKD_ENDED;
  return hold->stream.has_head && !hold->wants && !hold->sends && !hold->trouble.code[0] ? ARTWORKD_HELD : ARTWORKD_WAITING;
}

int artworkd_hold_watch(const artworkd_hold *hold, struct pollfd *watch) {
  const struct exchange *exchange = hold->request.curl ? &hold->request : &hold->stream;
  *watch = exchange->watch;
  if (hold->is_ended) return -1;
  double time = exchange->curl ? exchange->deadline : hold->next_attempt, now = now_ms(CLOCK_MONOTONIC);
  if (hold->stream.has_head && hold->wants && !hold->sends && hold->next_attempt < time) time = hold->next_attempt;
  double wait = time > now ? time - now : 0;
  if (hold->request.curl && wait > STEP_PAUSE) wait = STEP_PAUSE;
  long due = -1; /* for libcurl */
  if (exchange->curl) curl_multi_timeout(hold->multi, &due);
  if (due >= 0 && due < wait) wait = (double)due;
  return wait <= 0 ? 0 : wait < 3600000 ? (int)wait + 1 : 3600000;
}

int artworkd_hold_primary(const artworkd_hold *hold) { return hold->primary; }

int artworkd_hold_changes(artworkd_hold *hold) {
  int changes = hold->changes;
  hold->changes = 0;
  return changes;
}

int artworkd_hold_command(artworkd_hold *hold, artworkd_command *command) {
  bool is_wanted = false;
  while (hold->command_count > 0 && !is_wanted) {
    *command = hold->commands[0];
    hold->command_count--;
    memmove(hold->commands, hold->commands + 1, (size_t)hold->command_count * sizeof *hold->commands);
    is_wanted = command->sent == 0 || now_ms(CLOCK_REALTIME) - command->sent * 1e3 < PATIENCE;
  }
  return is_wanted;
}

int artworkd_hold_update(artworkd_hold *hold, const artworkd_session *session, artworkd_error *error) {
  if (!session->application || strcmp(session->application, hold->application))
    return bad_request(error, "the session of another application is another session");
  json_t *replacement = session_json(session, error);
  if (!replacement) return -1;
  json_decref(hold->session);
  hold->session = replacement;
  hold->lead = lead_now();
  hold->wants |= WANTS_PUT;
  return 0;
}

int artworkd_hold_set_playback(artworkd_hold *hold, const artworkd_playback *playback, artworkd_error *error) {
  if (check_playback(playback, error) < 0) return -1;
  json_t *replacement = playback_json(playback);
  if (json_is_object(replacement)) json_object_update_missing(replacement, json_object_get(hold->session, "playback"));
  if (json_object_set_new(hold->session, "playback", replacement) < 0)
    return bad_request(error, "the playback cannot be sent: its state is not UTF-8");
  hold->lead = lead_now();
  hold->wants |= WANTS_PATCH;
  return 0;
}

artworkd_hold *artworkd_hold_new(
    const artworkd_client *client, const artworkd_session *session, artworkd_error *error) {
  if (check_session(session, error) < 0) return NULL;
  artworkd_hold *hold = calloc(1, sizeof *hold);
  if (!hold || !(hold->multi = curl_multi_init())) {
    free(hold);
    fail(error, 0, "no-memory", "there is no memory");
    return NULL;
  }
  curl_multi_setopt(hold->multi, CURLMOPT_SOCKETFUNCTION, watch_socket);
  hold->client = *client;
  hold->stream.watch.fd = hold->request.watch.fd = -1;
  hold->pause = SHORTEST_PAUSE;
  if (session->id) strcpy(hold->id, session->id);
  else name_session(hold->id, sizeof hold->id);
  strcpy(hold->application, session->application);
  char *escaped = curl_easy_escape(NULL, hold->id, 0);
  if (escaped) snprintf(hold->filter, sizeof hold->filter, "&session=%s", escaped);
  curl_free(escaped);
  if (artworkd_hold_update(hold, session, error) < 0) {
    artworkd_hold_free(hold);
    return NULL;
  }
  return hold;
}

void artworkd_hold_free(artworkd_hold *hold) {
  if (!hold) return;
  disconnect(hold);
  curl_multi_cleanup(hold->multi);
  json_decref(hold->session);
  free(hold);
}
