/* See artworkd.h. In order: errors, texts, JSON that is sent, JSON that is read, one request and its answer, the calls,
 * holding. Every buffer has a limit; what is longer is an error. */
#ifndef _POSIX_C_SOURCE
#define _POSIX_C_SOURCE 200809L
#endif

#include "artworkd.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

enum {
  LONGEST_ID = 1024,         /* bytes, as the service allows */
  LONGEST_APPLICATION = 4096, /* 1024 characters */
  LONGEST_REQUEST = 80 << 10, /* the service reads a body of 64 KiB; the head has two IDs, percent-encoded */
  LONGEST_HEAD = 64 << 10,
  LONGEST_ANSWER = 256 << 10,
  LONGEST_PREVIEW = 64 << 20,
  LONGEST_LINE = 128 << 10, /* of an event that matters here: it names a session */
  DEEPEST = 64,             /* levels of JSON */
  MORE_FOR_WORK = 30000,    /* ms: the service answers within 30 s */
  SILENCE = 45000,          /* ms: the service sends something to each stream every 15 s */
  PATIENCE = 5,             /* seconds in which the service waits for the answer to a command */
  MOST_COMMANDS = 32,       /* that wait for one player; the service sends no more */
  SHORTEST_PAUSE = 100,     /* ms before connecting again */
  LONGEST_PAUSE = 5000,
};

/* Errors */

static int fail(artworkd_error *error, int status, const char *code, const char *message) {
  if (error) {
    error->status = status;
    snprintf(error->code, sizeof error->code, "%s", code);
    snprintf(error->message, sizeof error->message, "%s", message);
    /* A character that was cut in its middle goes as a whole. */
    size_t length = strlen(error->message);
    if (length == sizeof error->message - 1) {
      while (length && ((unsigned char)error->message[length - 1] & 0xC0) == 0x80) length--;
      if (length && (unsigned char)error->message[length - 1] >= 0xC0) length--;
      error->message[length] = 0;
    }
  }
  return -1;
}

/* strerror is not for several threads, and its replacements differ between systems. */
static int fail_errno(artworkd_error *error, const char *code, const char *what) {
  char text[320];
  const char *why = errno == ENOENT         ? "there is no such file"
                    : errno == ECONNREFUSED ? "nothing listens there"
                    : errno == EACCES       ? "access is not allowed"
                    : errno == EAGAIN       ? "too many clients wait there"
                    : errno == ECONNRESET   ? "it was reset"
                    : errno == EMFILE       ? "too many files are open"
                                            : "";
  if (*why) snprintf(text, sizeof text, "%s: %s", what, why);
  else snprintf(text, sizeof text, "%s: errno %d", what, errno);
  return fail(error, 0, code, text);
}

static int bad_request(artworkd_error *error, const char *message) { return fail(error, 0, "bad-request", message); }

static int not_understood(artworkd_error *error, const char *message) {
  return fail(error, 0, "not-understood", message);
}

static long long now_ms(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec * 1000LL + time.tv_nsec / 1000000;
}

/* Texts */

/* The bytes of the UTF-8 character at text, 0 if there is none (RFC 3629: no surrogates, nothing longer than needed). */
static size_t character(const unsigned char *text, size_t size) {
  unsigned char first = text[0];
  if (first < 0x80) return 1;
  size_t length = first < 0xC2 ? 0 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : first < 0xF5 ? 4 : 0;
  if (length == 0 || length > size) return 0;
  for (size_t i = 1; i < length; i++)
    if ((text[i] & 0xC0) != 0x80) return 0;
  if ((first == 0xE0 && text[1] < 0xA0) || (first == 0xED && text[1] >= 0xA0)) return 0;
  if ((first == 0xF0 && text[1] < 0x90) || (first == 0xF4 && text[1] >= 0x90)) return 0;
  return length;
}

/* A text that grows up to a limit. After a failure it stays as it is. */
struct text {
  char *bytes;
  size_t size, capacity, limit;
  const char *failure; /* why it could not grow */
};

static void add_bytes(struct text *text, const char *bytes, size_t size) {
  if (text->failure || size == 0) return;
  if (size > text->limit - text->size) {
    text->failure = "it is too long";
    return;
  }
  if (size > text->capacity - text->size) {
    size_t capacity = 2 * (text->size + size);
    char *bigger = realloc(text->bytes, capacity);
    if (!bigger) {
      text->failure = "there is no memory";
      return;
    }
    text->bytes = bigger;
    text->capacity = capacity;
  }
  memcpy(text->bytes + text->size, bytes, size);
  text->size += size;
}

static void add(struct text *text, const char *string) { add_bytes(text, string, strlen(string)); }

/* All but unreserved characters (RFC 3986) and those of `kept`; . and .. as a whole. */
static void add_percent_encoded(struct text *text, const char *string, const char *kept) {
  static const char digits[] = "0123456789ABCDEF";
  bool is_dots = !strcmp(string, ".") || !strcmp(string, "..");
  for (; *string; string++) {
    unsigned char byte = (unsigned char)*string;
    bool is_plain = (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') || (byte >= '0' && byte <= '9') ||
                    byte == '-' || byte == '_' || byte == '~' || (byte == '.' && !is_dots) || strchr(kept, byte);
    char encoded[] = {'%', digits[byte >> 4], digits[byte & 15]};
    is_plain ? add_bytes(text, string, 1) : add_bytes(text, encoded, 3);
  }
}

static bool is_id(const char *id) {
  size_t size = id ? strlen(id) : 0;
  return size > 0 && size <= LONGEST_ID;
}

/* JSON that is sent */

static void add_json_string(struct text *text, const char *string) {
  const unsigned char *byte = (const unsigned char *)string;
  size_t size = strlen(string);
  add(text, "\"");
  while (size > 0) {
    size_t length = character(byte, size);
    if (length == 0) {
      if (!text->failure) text->failure = "it is not UTF-8";
      return;
    }
    if (*byte < 0x20 || *byte == '"' || *byte == '\\') {
      char escaped[8];
      snprintf(escaped, sizeof escaped, "\\u%04x", (unsigned)*byte);
      add(text, escaped);
    } else {
      add_bytes(text, (const char *)byte, length);
    }
    byte += length;
    size -= length;
  }
  add(text, "\"");
}

/* Adds ,"name":"value", or nothing without a value. The comma belongs to the member because another one is before it. */
static void add_member(struct text *text, const char *name, const char *value) {
  if (!value) return;
  add(text, ",\"");
  add(text, name);
  add(text, "\":");
  add_json_string(text, value);
}

/* With six decimals. printf would use the decimal separator of the player's locale. */
static void add_number(struct text *text, const char *name, double value) {
  double size = value < 0 ? -value : value;
  if (!(size <= 1e11)) { /* not a number, too */
    if (!text->failure) text->failure = "a number is too large";
    return;
  }
  long long millionths = (long long)(size * 1e6 + 0.5);
  char number[64];
  snprintf(
      number, sizeof number, ",\"%s\":%s%lld.%06lld", name, value < 0 ? "-" : "", millionths / 1000000,
      millionths % 1000000);
  add(text, number);
}

static double now_seconds(void) {
  struct timespec time;
  clock_gettime(CLOCK_REALTIME, &time);
  return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

/* Adds "playback":{...}, or null in place of the object. */
static void add_playback(struct text *text, const artworkd_playback *playback) {
  if (!playback->state) {
    add(text, "\"playback\":null");
    return;
  }
  add(text, "\"playback\":{\"state\":");
  add_json_string(text, playback->state);
  add_number(text, "elapsedSeconds", playback->elapsed_seconds);
  add_number(text, "timestamp", playback->timestamp == 0 ? now_seconds() : playback->timestamp);
  if (playback->duration_seconds > 0) add_number(text, "durationSeconds", playback->duration_seconds);
  if (playback->rate != 0) add_number(text, "rate", playback->rate);
  add(text, "}");
}

struct json {
  const char *at, *end;
};

static bool is_valid(struct json document);

/* The object without its end and its playback. */
static void add_session_start(struct text *text, const artworkd_session *session) {
  add(text, "{\"application\":");
  add_json_string(text, session->application ? session->application : "");
  if (session->kind) {
    add(text, ",\"content\":{\"kind\":");
    add_json_string(text, session->kind);
    add_member(text, "title", session->title ? session->title : "");
    add_member(text, "subtitle", session->subtitle);
    add_member(text, "collection", session->collection);
    add(text, "}");
  }
  const char *square = session->artwork_1x1, *tall = session->artwork_3x4;
  if (square || tall) {
    add(text, ",\"artwork\":{\"");
    add(text, square ? "1x1\":" : "3x4\":");
    add_json_string(text, square ? square : tall);
    if (square) add_member(text, "3x4", tall);
    add(text, "}");
  }
  add_member(text, "cover", session->cover);
  if (session->commands) {
    if (!is_valid((struct json){session->commands, session->commands + strlen(session->commands)}) && !text->failure)
      text->failure = "its commands are not JSON";
    add(text, ",\"commands\":");
    add(text, session->commands);
  }
  if (session->owner_process > 0) {
    char owner[64];
    snprintf(owner, sizeof owner, ",\"owner\":{\"process\":%ld}", session->owner_process);
    add(text, owner);
  }
}

static void add_session_end(struct text *text, const artworkd_playback *playback) {
  if (playback->state) {
    add(text, ",");
    add_playback(text, playback);
  }
  add(text, "}");
}

/* JSON that is read: strictly (RFC 8259), and only what is asked for. */

static void skip_space(struct json *json) {
  while (json->at < json->end && strchr(" \t\r\n", *json->at) && *json->at) json->at++;
}

static bool take(struct json *json, char byte) {
  if (json->at == json->end || *json->at != byte) return false;
  json->at++;
  return true;
}

static int hex_digit(char byte) {
  if (byte >= '0' && byte <= '9') return byte - '0';
  if (byte >= 'a' && byte <= 'f') return byte - 'a' + 10;
  if (byte >= 'A' && byte <= 'F') return byte - 'A' + 10;
  return -1;
}

/* Four hexadecimal digits; -1 if there are fewer. */
static long unit(struct json *json) {
  long value = 0;
  for (int i = 0; i < 4; i++) {
    int digit = json->at < json->end ? hex_digit(*json->at++) : -1;
    if (digit < 0) return -1;
    value = value << 4 | digit;
  }
  return value;
}

/* The character of an escape after its backslash; -1 for an invalid one. */
static long escape(struct json *json) {
  static const char names[] = "\"\\/bfnrt", values[] = "\"\\/\b\f\n\r\t";
  if (json->at == json->end) return -1;
  char name = *json->at++;
  const char *found = name ? strchr(names, name) : NULL;
  if (found) return values[found - names];
  if (name != 'u') return -1;
  long high = unit(json);
  if (high < 0xD800 || high > 0xDFFF) return high;
  if (high > 0xDBFF || !take(json, '\\') || !take(json, 'u')) return -1;
  long low = unit(json);
  return low < 0xDC00 || low > 0xDFFF ? -1 : 0x10000 + ((high - 0xD800) << 10) + (low - 0xDC00);
}

static size_t to_utf8(long code, char bytes[4]) {
  if (code < 0x80) return bytes[0] = (char)code, 1;
  size_t length = code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
  for (size_t i = length - 1; i > 0; i--, code >>= 6) bytes[i] = (char)(0x80 | (code & 0x3F));
  bytes[0] = (char)((length == 2 ? 0xC0 : length == 3 ? 0xE0 : 0xF0) | code);
  return length;
}

enum found { INVALID = -1, ABSENT, FOUND, TOO_LONG, HAS_NUL };

/* Reads a string into a buffer of size bytes, with a NUL at its end; without a buffer it is skipped. One that does not fit
 * is cut. */
static enum found string(struct json *json, char *buffer, size_t size) {
  enum found result = FOUND;
  size_t used = 0;
  if (!take(json, '"')) return INVALID;
  while (json->at < json->end) {
    char bytes[4];
    size_t length;
    unsigned char first = (unsigned char)*json->at;
    if (first == '"') {
      json->at++;
      if (buffer) buffer[used] = 0;
      return result;
    }
    if (first < 0x20) return INVALID;
    if (first == '\\') {
      json->at++;
      long code = escape(json);
      if (code < 0) return INVALID;
      length = to_utf8(code, bytes);
      if (code == 0) result = HAS_NUL;
    } else {
      length = character((const unsigned char *)json->at, (size_t)(json->end - json->at));
      if (length == 0) return INVALID;
      memcpy(bytes, json->at, length);
      json->at += length;
    }
    if (!buffer) continue;
    if (result == FOUND && length < size - used) {
      memcpy(buffer + used, bytes, length);
      used += length;
    } else if (result == FOUND) {
      result = TOO_LONG;
    }
  }
  return INVALID;
}

static bool digits(struct json *json) {
  const char *start = json->at;
  while (json->at < json->end && *json->at >= '0' && *json->at <= '9') json->at++;
  return json->at > start;
}

static bool number(struct json *json) {
  take(json, '-');
  if (!take(json, '0') && !digits(json)) return false;
  if (take(json, '.') && !digits(json)) return false;
  if (take(json, 'e') || take(json, 'E')) {
    if (!take(json, '+')) take(json, '-');
    return digits(json);
  }
  return true;
}

static bool word(struct json *json, const char *word) {
  size_t size = strlen(word);
  if ((size_t)(json->end - json->at) < size || memcmp(json->at, word, size)) return false;
  json->at += size;
  return true;
}

/* Goes behind a value; false if it is invalid. */
static bool skip_value(struct json *json, int depth) {
  skip_space(json);
  if (json->at == json->end || depth > DEEPEST) return false;
  char first = *json->at;
  if (first == '"') return string(json, NULL, 0) != INVALID;
  if (first != '{' && first != '[')
    return first == 't' ? word(json, "true") : first == 'f' ? word(json, "false") : first == 'n' ? word(json, "null")
                                                                                               : number(json);
  char last = first == '{' ? '}' : ']';
  json->at++;
  skip_space(json);
  if (take(json, last)) return true;
  do {
    if (first == '{') {
      skip_space(json);
      if (string(json, NULL, 0) == INVALID) return false;
      skip_space(json);
      if (!take(json, ':')) return false;
    }
    if (!skip_value(json, depth + 1)) return false;
    skip_space(json);
  } while (take(json, ','));
  return take(json, last);
}

static bool is_valid(struct json document) {
  if (!skip_value(&document, 0)) return false;
  skip_space(&document);
  return document.at == document.end;
}

/* The value of a member of a valid document, the last one of that name; ABSENT also if the document is not an object. */
static enum found member(struct json document, const char *name, struct json *value) {
  enum found result = ABSENT;
  skip_space(&document);
  if (!take(&document, '{')) return ABSENT;
  skip_space(&document);
  if (take(&document, '}')) return ABSENT;
  do {
    char key[32];
    skip_space(&document);
    bool is_it = string(&document, key, sizeof key) == FOUND && !strcmp(key, name);
    skip_space(&document);
    take(&document, ':');
    skip_space(&document);
    if (is_it) {
      *value = document;
      result = FOUND;
    }
    skip_value(&document, 0);
    skip_space(&document);
  } while (take(&document, ','));
  return result;
}

/* A string of a valid document. null is absent, and another value invalid. */
static enum found string_member(struct json document, const char *name, char *buffer, size_t size) {
  struct json value;
  buffer[0] = 0;
  if (member(document, name, &value) != FOUND || word(&value, "null")) return ABSENT;
  return string(&value, buffer, size);
}

/* A number of a valid document. strtod would use the decimal separator of the player's locale. */
static double number_value(struct json json) {
  bool is_negative = take(&json, '-'), is_fraction = false, is_small;
  double value = 0;
  int exponent = 0, more = 0;
  for (; json.at < json.end && ((*json.at >= '0' && *json.at <= '9') || *json.at == '.'); json.at++) {
    if (*json.at == '.') {
      is_fraction = true;
    } else {
      value = value * 10 + (*json.at - '0');
      if (is_fraction) exponent--;
    }
  }
  if (take(&json, 'e') || take(&json, 'E')) {
    is_small = take(&json, '-');
    take(&json, '+');
    for (; json.at < json.end && *json.at >= '0' && *json.at <= '9' && more < 400; json.at++)
      more = more * 10 + (*json.at - '0');
    exponent += is_small ? -more : more;
  }
  for (; exponent > 0 && value > 0 && value < 1e300; exponent--) value *= 10;
  for (; exponent < 0 && value > 0; exponent++) value /= 10;
  return is_negative ? -value : value;
}

/* One request and its answer, on a connection of its own that does not block. */

enum phase { STATUS_LINE, FIELDS, BODY_OF_LENGTH, BODY_TO_END, CHUNK_SIZE, CHUNK, CHUNK_END, TRAILER, COMPLETE };

struct exchange {
  int fd; /* -1: none */
  long long deadline;
  struct text request;
  size_t sent;
  enum phase phase;
  int status;
  bool has_length, is_chunked;
  unsigned long long left; /* bytes of the body or the chunk */
  size_t head_size;
  size_t line_size;
  char line[512]; /* its beginning */
  struct text body;
  /* Takes the body piece by piece instead, if it is set. */
  void (*receive)(void *receiver, const char *bytes, size_t size);
  void *receiver;
};

static void close_exchange(struct exchange *exchange) {
  if (exchange->fd >= 0) close(exchange->fd);
  free(exchange->request.bytes);
  free(exchange->body.bytes);
  memset(exchange, 0, sizeof *exchange);
  exchange->fd = -1;
}

/* The beginning of a request: PUT /v1/sessions/<id><more>?application=<application>. body is JSON. The last two may be
 * NULL. */
static void begin(
    struct exchange *exchange, const char *method, const char *folder, const char *id, const char *more,
    const char *application, const struct text *body) {
  memset(exchange, 0, sizeof *exchange);
  exchange->fd = -1;
  struct text *request = &exchange->request;
  request->limit = LONGEST_REQUEST;
  exchange->body.limit = LONGEST_ANSWER;
  add(request, method);
  add(request, folder);
  add_percent_encoded(request, id, "");
  add(request, more);
  if (application) {
    add(request, strchr(folder, '?') ? "&application=" : "?application=");
    add_percent_encoded(request, application, "");
  }
  add(request, " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n");
  if (body) {
    char fields[96];
    snprintf(
        fields, sizeof fields, "Content-Type: application/json\r\nContent-Length: %zu\r\n\r\n", body->size);
    add(request, fields);
    add_bytes(request, body->bytes, body->size);
    if (body->failure) request->failure = body->failure;
  } else {
    add(request, "\r\n");
  }
}

/* Connects. Does not block: a Unix socket is connected at once, or its queue is full. */
static int open_exchange(
    struct exchange *exchange, const artworkd_client *client, long long timeout, artworkd_error *error) {
  if (exchange->request.failure) {
    char message[128];
    snprintf(message, sizeof message, "the request cannot be sent: %s", exchange->request.failure);
    return bad_request(error, message);
  }
  exchange->deadline = now_ms() + timeout;
  struct sockaddr_un address;
  memset(&address, 0, sizeof address);
  address.sun_family = AF_UNIX;
  if (strlen(client->socket) >= sizeof address.sun_path) return bad_request(error, "the socket's path is too long");
  strcpy(address.sun_path, client->socket);
  int fd = socket(AF_UNIX, SOCK_STREAM, 0);
  if (fd < 0) return fail_errno(error, "no-service", "no socket");
  if (fcntl(fd, F_SETFD, FD_CLOEXEC) < 0 || fcntl(fd, F_SETFL, O_NONBLOCK) < 0 ||
      (connect(fd, (const struct sockaddr *)&address, sizeof address) < 0 && errno != EINPROGRESS && errno != EINTR)) {
    char what[200];
    snprintf(what, sizeof what, "no service at %s (start it with: artworkd serve)", client->socket);
    fail_errno(error, "no-service", what);
    close(fd);
    return -1;
  }
  exchange->fd = fd;
  return 0;
}

static bool is_field(const char *line, const char *name, const char **value) {
  size_t size = strlen(name);
  for (size_t i = 0; i < size; i++)
    if ((line[i] >= 'A' && line[i] <= 'Z' ? line[i] + 32 : line[i]) != name[i]) return false;
  if (line[size] != ':') return false;
  *value = line + size + 1;
  *value += strspn(*value, " \t");
  return true;
}

/* A number without a sign in base 10 or 16 that fits 63 bits; returns what follows it, NULL without one. */
static const char *whole_number(const char *text, unsigned base, unsigned long long *value) {
  const char *start = text;
  *value = 0;
  for (int digit; (digit = hex_digit(*text)) >= 0 && (unsigned)digit < base; text++) {
    if (*value > ((1ULL << 63) - 1 - (unsigned)digit) / base) return NULL;
    *value = *value * base + (unsigned)digit;
  }
  return text == start ? NULL : text;
}

/* Takes a whole line of the head or of the chunks. */
static int read_line(struct exchange *exchange, artworkd_error *error) {
  char *line = exchange->line;
  size_t size = exchange->line_size < sizeof exchange->line - 1 ? exchange->line_size : sizeof exchange->line - 1;
  if (size > 0 && line[size - 1] == '\r') size--;
  line[size] = 0;
  if (strlen(line) != size) return not_understood(error, "the answer's head has a NUL");
  exchange->line_size = 0;
  const char *value;
  switch (exchange->phase) {
    case STATUS_LINE:
      if (strncmp(line, "HTTP/1.", 7) || !strchr("01", line[7]) || size < 12 || line[8] != ' ' ||
          whole_number(line + 9, 10, &exchange->left) != line + 12 || (line[12] && line[12] != ' ') ||
          exchange->left < 100 || exchange->left > 599)
        return not_understood(error, "the answer is not HTTP");
      exchange->status = (int)exchange->left;
      exchange->left = 0;
      exchange->phase = FIELDS;
      return 0;
    case FIELDS:
      if (size > 0) {
        if (is_field(line, "content-length", &value)) {
          unsigned long long length;
          const char *end = whole_number(value, 10, &length);
          if (!end || end[strspn(end, " \t")] || (exchange->has_length && length != exchange->left))
            return not_understood(error, "the answer's length is not a number");
          exchange->has_length = true;
          exchange->left = length;
        } else if (is_field(line, "transfer-encoding", &value)) {
          if (strcmp(value, "chunked")) return not_understood(error, "the answer has an unknown encoding");
          exchange->is_chunked = true;
        }
        return 0;
      }
      if (exchange->has_length && exchange->is_chunked) return not_understood(error, "the answer has two lengths");
      if (exchange->status < 200) { /* an early answer; another one follows */
        exchange->phase = STATUS_LINE;
      } else if (exchange->status == 204 || exchange->status == 304) {
        exchange->phase = COMPLETE;
      } else if (exchange->is_chunked) {
        exchange->phase = CHUNK_SIZE;
      } else if (!exchange->has_length) {
        exchange->phase = BODY_TO_END;
      } else {
        exchange->phase = exchange->left > 0 ? BODY_OF_LENGTH : COMPLETE;
      }
      return 0;
    case CHUNK_SIZE:
      value = whole_number(line, 16, &exchange->left);
      if (!value || (value[strspn(value, " \t")] && value[strspn(value, " \t")] != ';'))
        return not_understood(error, "a chunk's length is not a number");
      exchange->phase = exchange->left > 0 ? CHUNK : TRAILER;
      exchange->head_size = 0;
      return 0;
    case CHUNK_END:
      if (size > 0) return not_understood(error, "a chunk is longer than its length");
      exchange->phase = CHUNK_SIZE;
      return 0;
    default: /* TRAILER */
      if (size == 0) exchange->phase = COMPLETE;
      return 0;
  }
}

/* Takes bytes of the answer. */
static int read_bytes(struct exchange *exchange, const char *bytes, size_t size, artworkd_error *error) {
  while (size > 0 && exchange->phase != COMPLETE) {
    bool is_body = exchange->phase == BODY_OF_LENGTH || exchange->phase == BODY_TO_END || exchange->phase == CHUNK;
    if (!is_body) {
      char byte = *bytes++;
      size--;
      if (++exchange->head_size > LONGEST_HEAD) return not_understood(error, "the answer's head is too long");
      if (byte == '\n') {
        if (read_line(exchange, error) < 0) return -1;
      } else {
        if (exchange->line_size < sizeof exchange->line - 1) exchange->line[exchange->line_size] = byte;
        exchange->line_size++;
      }
      continue;
    }
    bool has_end = exchange->phase != BODY_TO_END;
    size_t part = has_end && exchange->left < size ? (size_t)exchange->left : size;
    if (exchange->receive) {
      exchange->receive(exchange->receiver, bytes, part);
    } else {
      add_bytes(&exchange->body, bytes, part);
      if (exchange->body.failure) return not_understood(error, "the answer is too long");
    }
    bytes += part;
    size -= part;
    if (has_end && (exchange->left -= part) == 0) exchange->phase = exchange->phase == CHUNK ? CHUNK_END : COMPLETE;
  }
  return 0;
}

/* Sends and reads what is possible now. Returns 1 if the answer is complete, 0 if more is to come, -1 with an error. */
static int step_exchange(struct exchange *exchange, artworkd_error *error) {
  struct text *request = &exchange->request;
  while (exchange->sent < request->size) {
    ssize_t sent = send(exchange->fd, request->bytes + exchange->sent, request->size - exchange->sent, MSG_NOSIGNAL);
    if (sent < 0 && errno == EINTR) continue;
    if (sent < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) break;
    /* The service may have answered and closed before it read all. */
    if (sent < 0) {
      exchange->sent = request->size;
      break;
    }
    exchange->sent += (size_t)sent;
  }
  char bytes[16384];
  /* At most a megabyte, so that no service keeps a player's loop busy. */
  for (int i = 0; i < 64 && exchange->phase != COMPLETE; i++) {
    ssize_t size = recv(exchange->fd, bytes, sizeof bytes, 0);
    if (size < 0 && errno == EINTR) continue;
    if (size < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) break;
    if (size < 0) return fail_errno(error, "lost", "the connection to the service was lost");
    if (size == 0 && exchange->phase == BODY_TO_END) exchange->phase = COMPLETE;
    else if (size == 0) return fail(error, 0, "lost", "the service closed the connection");
    if (read_bytes(exchange, bytes, (size_t)size, error) < 0) return -1;
    if (exchange->receive && exchange->phase > FIELDS) exchange->deadline = now_ms() + SILENCE;
  }
  if (exchange->phase == COMPLETE) return 1;
  return now_ms() < exchange->deadline ? 0 : fail(error, 0, "late", "the service did not answer in time");
}

/* Milliseconds for poll until a time; not less than that. */
static int wait_until(long long time) {
  long long wait = time - now_ms() + 1;
  return wait < 0 ? 0 : wait > 3600000 ? 3600000 : (int)wait;
}

static void watch_exchange(const struct exchange *exchange, struct pollfd *watch) {
  watch->fd = exchange->fd;
  watch->events = exchange->sent < exchange->request.size ? POLLIN | POLLOUT : POLLIN;
  watch->revents = 0;
}

/* The document of an answer. Without a valid problem document, the status says what is known. */
static int check_status(const struct exchange *exchange, struct json *document, artworkd_error *error) {
  struct json body = {exchange->body.bytes, exchange->body.bytes + exchange->body.size};
  bool is_json = exchange->body.size > 0 && is_valid(body);
  if (document) *document = body;
  if (exchange->status < 300) {
    return document && !is_json ? not_understood(error, "the service sent something other than JSON") : 0;
  }
  artworkd_error problem;
  snprintf(problem.code, sizeof problem.code, "status-%d", exchange->status);
  snprintf(problem.message, sizeof problem.message, "status %d", exchange->status);
  if (is_json) {
    char code[sizeof problem.code], message[sizeof problem.message];
    enum found found = string_member(body, "code", code, sizeof code);
    if (found == FOUND && code[0]) strcpy(problem.code, code);
    found = string_member(body, "detail", message, sizeof message);
    if (found == FOUND || found == TOO_LONG) {
      message[sizeof message - 1] = 0;
      strcpy(problem.message, message);
    }
  }
  return fail(error, exchange->status, problem.code, problem.message);
}

/* Calls */

static void free_text(struct text *text) {
  free(text->bytes);
  text->bytes = NULL;
}

/* Sends the request and waits for the answer. The exchange is to be closed also after an error. */
static int complete(
    struct exchange *exchange, const artworkd_client *client, int more_time, struct json *document, artworkd_error *error) {
  if (open_exchange(exchange, client, (long long)client->timeout_ms + more_time, error) < 0) return -1;
  int result;
  while ((result = step_exchange(exchange, error)) == 0) {
    struct pollfd watch;
    watch_exchange(exchange, &watch);
    if (poll(&watch, 1, wait_until(exchange->deadline)) < 0 && errno != EINTR && errno != EAGAIN)
      return fail_errno(error, "lost", "poll failed");
  }
  return result < 0 ? -1 : check_status(exchange, document, error);
}

int artworkd_init(artworkd_client *client, const char *socket, artworkd_error *error) {
  memset(client, 0, sizeof *client);
  client->timeout_ms = 15000;
  const char *runtime = getenv("XDG_RUNTIME_DIR");
  if (!socket || !*socket) socket = getenv("ARTWORKD_SOCKET");
  int size;
  if (socket && *socket) {
    size = snprintf(client->socket, sizeof client->socket, "%s", socket);
  } else if (runtime && *runtime == '/') {
    size = snprintf(client->socket, sizeof client->socket, "%s/artworkd/artworkd.sock", runtime);
  } else {
    size = snprintf(
        client->socket, sizeof client->socket, "/tmp/artworkd-%lu/artworkd.sock", (unsigned long)geteuid());
  }
  return size < (int)sizeof client->socket ? 0 : bad_request(error, "the socket's path is longer than 107 bytes");
}

static int need_id(const char *id, artworkd_error *error) {
  return is_id(id) ? 0 : bad_request(error, "an ID has 1 to 1024 bytes");
}

static int need_key(const char *key, artworkd_error *error) {
  bool is_key = key && (!strcmp(key, "1x1") || !strcmp(key, "3x4"));
  return is_key ? 0 : bad_request(error, "a key is 1x1 or 3x4");
}

/* A key, or cover. */
static int need_part(const char *part, artworkd_error *error) {
  bool is_part = part && (!strcmp(part, "1x1") || !strcmp(part, "3x4") || !strcmp(part, "cover"));
  return is_part ? 0 : bad_request(error, "a key is 1x1, 3x4 or cover");
}

static struct text new_body(void) {
  return (struct text){.limit = LONGEST_REQUEST};
}

int artworkd_put_artwork(
    const artworkd_client *client, const char *artwork_id, const char *key, const char *path, artworkd_error *error) {
  if (need_id(artwork_id, error) < 0 || need_part(key, error) < 0) return -1;
  if (!path || *path != '/') return bad_request(error, "a path begins with /");
  struct text body = new_body();
  add(&body, "{\"source\":{\"path\":");
  add_json_string(&body, path);
  add(&body, "}}");
  if (body.failure) { /* JSON must be UTF-8, but a path need not. */
    free_text(&body);
    body = new_body();
    add(&body, "{\"source\":{\"url\":\"file://");
    add_percent_encoded(&body, path, "/");
    add(&body, "\"}}");
  }
  struct exchange exchange;
  struct json document;
  char more[32];
  snprintf(more, sizeof more, "/%s?report=0", key);
  begin(&exchange, "PUT ", "/v1/artworks/", artwork_id, more, NULL, &body);
  free_text(&body);
  int result = complete(&exchange, client, MORE_FOR_WORK, &document, error);
  if (result == 0) {
    char status[32];
    struct json failure;
    artworkd_error reason = {.status = exchange.status};
    if (string_member(document, "status", status, sizeof status) != FOUND) {
      result = not_understood(error, "the service sent an artwork without its status");
    } else if (!strcmp(status, "refused")) {
      result = fail(error, exchange.status, "refused", "the file cannot be used");
      if (member(document, "error", &failure) == FOUND &&
          string_member(failure, "code", reason.code, sizeof reason.code) == FOUND &&
          string_member(failure, "message", reason.message, sizeof reason.message) >= FOUND && error)
        *error = reason;
    }
  }
  close_exchange(&exchange);
  return result;
}

static int check_session(const artworkd_session *session, artworkd_error *error) {
  if (need_id(session->id, error) < 0) return -1;
  size_t size = session->application ? strlen(session->application) : 0;
  return size > 0 && size <= LONGEST_APPLICATION ? 0 : bad_request(error, "an application has 1 to 1024 characters");
}

int artworkd_publish(const artworkd_client *client, const artworkd_session *session, artworkd_error *error) {
  if (check_session(session, error) < 0) return -1;
  struct text body = new_body();
  add_session_start(&body, session);
  add_session_end(&body, &session->playback);
  struct exchange exchange;
  begin(&exchange, "PUT ", "/v1/sessions/", session->id, "", NULL, &body);
  free_text(&body);
  int result = complete(&exchange, client, 0, NULL, error);
  close_exchange(&exchange);
  return result;
}

/* The request that changes only the playback. */
static void begin_patch(
    struct exchange *exchange, const char *application, const char *session_id, const artworkd_playback *playback) {
  struct text body = new_body();
  add(&body, "{");
  add_playback(&body, playback);
  add(&body, "}");
  begin(exchange, "PATCH ", "/v1/sessions/", session_id, "", application, &body);
  free_text(&body);
}

int artworkd_set_playback(
    const artworkd_client *client, const char *application, const char *session_id, const artworkd_playback *playback,
    artworkd_error *error) {
  if (need_id(session_id, error) < 0) return -1;
  struct exchange exchange;
  begin_patch(&exchange, application, session_id, playback);
  int result = complete(&exchange, client, 0, NULL, error);
  close_exchange(&exchange);
  return result;
}

int artworkd_end(
    const artworkd_client *client, const char *application, const char *session_id, artworkd_error *error) {
  if (need_id(session_id, error) < 0) return -1;
  artworkd_error problem = {0};
  struct exchange exchange;
  begin(&exchange, "DELETE ", "/v1/sessions/", session_id, "", application, NULL);
  int result = complete(&exchange, client, 0, NULL, &problem);
  close_exchange(&exchange);
  if (result == 0 || !strcmp(problem.code, "unknown-session")) return 0;
  return fail(error, problem.status, problem.code, problem.message);
}

int artworkd_ask(
    const artworkd_client *client, const char *application, const char *session_id, const char *command,
    artworkd_error *error) {
  if (session_id && need_id(session_id, error) < 0) return -1;
  struct text body = new_body();
  add(&body, command);
  struct exchange exchange;
  if (session_id) begin(&exchange, "POST ", "/v1/sessions/", session_id, "/commands", application, &body);
  else if (application) begin(&exchange, "POST ", "/v1/applications/", application, "/commands", NULL, &body);
  else begin(&exchange, "POST ", "/v1/now-playing/", "commands", "", NULL, &body);
  free_text(&body);
  struct json document;
  int result = complete(&exchange, client, 0, &document, error);
  artworkd_error outcome = {.status = exchange.status};
  if (result == 0 && string_member(document, "status", outcome.code, sizeof outcome.code) != FOUND) {
    result = not_understood(error, "the service sent the end of a command without its status");
  } else if (result == 0 && strcmp(outcome.code, "success")) {
    if (string_member(document, "message", outcome.message, sizeof outcome.message) < FOUND)
      strcpy(outcome.message, "the player did not do it");
    result = fail(error, outcome.status, outcome.code, outcome.message);
  }
  close_exchange(&exchange);
  return result;
}

int artworkd_answer(
    const artworkd_client *client, const char *application, const char *session_id, unsigned long long number,
    const char *status, const char *message, artworkd_error *error) {
  if (need_id(session_id, error) < 0) return -1;
  char more[48];
  snprintf(more, sizeof more, "/commands/%llu", number);
  struct text body = new_body();
  add(&body, "{\"status\":");
  add_json_string(&body, status ? status : "");
  add_member(&body, "message", message);
  add(&body, "}");
  struct exchange exchange;
  begin(&exchange, "POST ", "/v1/sessions/", session_id, more, application, &body);
  free_text(&body);
  int result = complete(&exchange, client, 0, NULL, error);
  close_exchange(&exchange);
  return result;
}

/* Makes a path of file:///...; false if it is none. */
static bool path_of_url(char *url) {
  char *to = url;
  if (strncmp(url, "file:///", 8)) return false;
  for (const char *from = url + 7; *from; from++) {
    if (*from != '%') {
      *to++ = *from;
      continue;
    }
    int high = hex_digit(from[1]), low = high < 0 ? -1 : hex_digit(from[2]);
    if (low < 0 || (high == 0 && low == 0)) return false;
    *to++ = (char)(high << 4 | low);
    from += 2;
  }
  *to = 0;
  return true;
}

int artworkd_video(
    const artworkd_client *client, const char *application, const char *session_id, const char *key, int width, int height,
    char *path, size_t size, artworkd_error *error) {
  if (need_id(session_id, error) < 0 || need_key(key, error) < 0) return -1;
  if (!path || size == 0) return bad_request(error, "there is no buffer for the path");
  path[0] = 0;
  struct text body = new_body();
  char wanted[96];
  snprintf(wanted, sizeof wanted, "{\"width\":%d,\"height\":%d}", width, height);
  add(&body, wanted);
  struct exchange exchange;
  struct json document, reason;
  begin(
      &exchange, "POST ", "/v1/sessions/", session_id, !strcmp(key, "1x1") ? "/artwork/1x1/video" : "/artwork/3x4/video",
      application, &body);
  free_text(&body);
  int result = complete(&exchange, client, MORE_FOR_WORK, &document, error);
  if (result == 0) {
    /* Percent-encoded, each byte of a path may have three. */
    char url[3 * 4096 + 8];
    enum found found = string_member(document, "url", url, sizeof url);
    if (found == FOUND && path_of_url(url)) {
      if (strlen(url) < size) strcpy(path, url);
      else result = bad_request(error, "the buffer for the path is too small");
    } else {
      artworkd_error problem = {.status = exchange.status};
      result = not_understood(error, "the service sent neither the URL of a file nor a reason");
      if (found == ABSENT && member(document, "reason", &reason) == FOUND &&
          string_member(reason, "code", problem.code, sizeof problem.code) == FOUND &&
          string_member(reason, "message", problem.message, sizeof problem.message) >= FOUND && error)
        *error = problem;
    }
  }
  close_exchange(&exchange);
  return result;
}

int artworkd_preview(
    const artworkd_client *client, const char *artwork_id, const char *key, int width, int height, unsigned char **bytes,
    size_t *size, artworkd_error *error) {
  *bytes = NULL;
  *size = 0;
  if (need_id(artwork_id, error) < 0 || need_part(key, error) < 0) return -1;
  char more[96], wide[32] = "", high[32] = "";
  if (width != 0) snprintf(wide, sizeof wide, "width=%d&", width);
  if (height != 0) snprintf(high, sizeof high, "height=%d", height);
  snprintf(more, sizeof more, "/%s/preview?%s%s", key, wide, high);
  struct exchange exchange;
  begin(&exchange, "GET ", "/v1/artworks/", artwork_id, more, NULL, NULL);
  exchange.body.limit = LONGEST_PREVIEW;
  int result = complete(&exchange, client, MORE_FOR_WORK, NULL, error);
  static const unsigned char signature[8] = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1A, '\n'};
  if (result == 0 && (exchange.body.size < 8 || memcmp(exchange.body.bytes, signature, 8))) {
    result = not_understood(error, "the preview is not a PNG file");
  } else if (result == 0) {
    *bytes = (unsigned char *)exchange.body.bytes;
    *size = exchange.body.size;
    exchange.body.bytes = NULL;
  }
  close_exchange(&exchange);
  return result;
}

/* Holding */

enum { WANTS_CHECK = 1, WANTS_PUT = 2, WANTS_PATCH = 4 };

struct artworkd_hold {
  artworkd_client client;
  char id[LONGEST_ID + 1], application[LONGEST_APPLICATION + 1];
  struct text session; /* as JSON, without its end and its playback */
  artworkd_playback playback;
  char state[32]; /* of playback */
  bool is_ended;
  artworkd_error trouble; /* its code is empty if there is none */
  /* The stream of events, whose end ends the session, and one request beside it. */
  struct exchange stream, request;
  bool is_open;      /* the head of the stream has come */
  bool is_published; /* the service has accepted the session on this stream */
  int wants;    /* what is to be sent */
  int sends;    /* which of it the request is */
  long long next_attempt;
  int pause; /* before the attempt after that */
  artworkd_command commands[MOST_COMMANDS]; /* that the player has not taken */
  int command_count;
  /* An event: its name, and its data if that fits. */
  char name[32];
  size_t line_size;
  bool line_is_long, has_return;
  char line[LONGEST_LINE];
};

/* One that is not understood is not answered, so the service gives it up. */
static void read_command(artworkd_hold *hold, struct json data) {
  static const char *const numbers[] = {"position", "interval", "rate", "rating"};
  static const char *const texts[] = {"phase", "mode", "option"};
  struct json value;
  if (hold->command_count == MOST_COMMANDS || !is_valid(data)) return;
  artworkd_command *command = &hold->commands[hold->command_count];
  *command = (artworkd_command){0};
  if (string_member(data, "command", command->name, sizeof command->name) != FOUND ||
      member(data, "number", &value) != FOUND || !whole_number(value.at, 10, &command->number))
    return;
  for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
    if (member(data, numbers[i], &value) == FOUND) command->value = number_value(value);
  if (member(data, "active", &value) == FOUND) command->value = word(&value, "true");
  if (member(data, "sent", &value) == FOUND) command->sent = number_value(value);
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
    if (member(data, texts[i], &value) == FOUND && string(&value, command->text, sizeof command->text) != FOUND) return;
  hold->command_count++;
}

/* An end may be among events that were missed or too long, and may be that of an earlier session of this name. So the
 * service is asked whether the session is there. */
static void read_event(artworkd_hold *hold, struct json data, bool is_cut) {
  char id[LONGEST_ID + 1];
  struct json ended;
  if (!hold->is_published && hold->sends != WANTS_PUT) return;
  if (!strcmp(hold->name, "command") && !is_cut) read_command(hold, data);
  bool may_have_ended = !strcmp(hold->name, "missed");
  if (!strcmp(hold->name, "session"))
    may_have_ended = is_cut || (is_valid(data) && string_member(data, "sessionID", id, sizeof id) == FOUND &&
                                !strcmp(id, hold->id) && member(data, "ended", &ended) == FOUND && word(&ended, "true"));
  if (may_have_ended) hold->wants |= WANTS_CHECK;
}

/* A line of the stream (HTML Living Standard, 9.2.6). The service writes the data of an event into one. */
static void read_event_line(artworkd_hold *hold) {
  char *line = hold->line;
  size_t size = hold->line_size;
  bool is_cut = hold->line_is_long;
  hold->line_size = 0;
  hold->line_is_long = false;
  if (size >= 6 && !memcmp(line, "event:", 6)) {
    size_t skipped = size > 6 && line[6] == ' ' ? 7 : 6, length = size - skipped;
    if (length >= sizeof hold->name) length = sizeof hold->name - 1;
    memcpy(hold->name, line + skipped, length);
    hold->name[length] = 0;
  } else if (size >= 5 && !memcmp(line, "data:", 5)) {
    read_event(hold, (struct json){line + 5, line + size}, is_cut);
  } else if (size == 0) {
    hold->name[0] = 0;
  }
}

static void receive_events(void *receiver, const char *bytes, size_t size) {
  artworkd_hold *hold = receiver;
  for (; size > 0; bytes++, size--) {
    bool follows = hold->has_return && *bytes == '\n';
    hold->has_return = *bytes == '\r';
    if (follows) continue;
    if (*bytes == '\n' || *bytes == '\r') read_event_line(hold);
    else if (hold->line_size < sizeof hold->line) hold->line[hold->line_size++] = *bytes;
    else hold->line_is_long = true;
  }
}

/* Ends the connections, to try again later. */
static void give_up(artworkd_hold *hold, const artworkd_error *trouble) {
  hold->trouble = *trouble;
  close_exchange(&hold->stream);
  close_exchange(&hold->request);
  hold->is_open = hold->is_published = false;
  /* The service has given up the commands of this stream. */
  hold->command_count = 0;
  hold->sends = 0;
  hold->line_size = 0;
  hold->line_is_long = hold->has_return = false;
  hold->name[0] = 0;
  hold->next_attempt = now_ms() + hold->pause;
  hold->pause = hold->pause * 2 < LONGEST_PAUSE ? hold->pause * 2 : LONGEST_PAUSE;
}

static int step_stream(artworkd_hold *hold, artworkd_error *error) {
  if (hold->stream.fd < 0) {
    begin(&hold->stream, "GET ", "/v1/events?session=", hold->id, "", hold->application, NULL);
    hold->stream.receive = receive_events;
    hold->stream.receiver = hold;
    if (open_exchange(&hold->stream, &hold->client, hold->client.timeout_ms, error) < 0) return -1;
  }
  int result = step_exchange(&hold->stream, error);
  if (result < 0) return -1;
  if (hold->stream.phase > FIELDS && hold->stream.status != 200) {
    char message[64];
    snprintf(message, sizeof message, "the service refuses events: status %d", hold->stream.status);
    return fail(error, hold->stream.status, "refused", message);
  }
  if (result > 0) return fail(error, 0, "lost", "the service closed the connection");
  if (hold->stream.phase > FIELDS && !hold->is_open) {
    hold->is_open = true;
    hold->wants = (hold->wants & WANTS_CHECK) | WANTS_PUT;
  }
  return 0;
}

static void begin_request(artworkd_hold *hold) {
  if (hold->wants & WANTS_CHECK) {
    hold->sends = WANTS_CHECK;
    begin(&hold->request, "GET ", "/v1/sessions/", hold->id, "", hold->application, NULL);
  } else if ((hold->wants & WANTS_PUT) || !hold->is_published) {
    /* It has the playback, too. */
    hold->wants &= ~WANTS_PATCH;
    hold->sends = WANTS_PUT;
    struct text body = new_body();
    add_bytes(&body, hold->session.bytes, hold->session.size);
    add_session_end(&body, &hold->playback);
    begin(&hold->request, "PUT ", "/v1/sessions/", hold->id, "", NULL, &body);
    free_text(&body);
  } else {
    hold->sends = WANTS_PATCH;
    begin_patch(&hold->request, hold->application, hold->id, &hold->playback);
  }
  hold->wants &= ~hold->sends;
}

static int step_request(artworkd_hold *hold, artworkd_error *error) {
  if (hold->request.fd < 0) {
    begin_request(hold);
    if (open_exchange(&hold->request, &hold->client, hold->client.timeout_ms, error) < 0) return -1;
  }
  int result = step_exchange(&hold->request, error);
  if (result <= 0) return result;
  artworkd_error problem = {0};
  int status = hold->request.status, sent = hold->sends;
  check_status(&hold->request, NULL, &problem);
  close_exchange(&hold->request);
  hold->sends = 0;
  if (status < 300) {
    if (sent != WANTS_CHECK) hold->trouble = problem;
    if (sent == WANTS_PUT) hold->is_published = true;
    hold->pause = SHORTEST_PAUSE;
  } else if (sent != WANTS_PUT && !strcmp(problem.code, "unknown-session")) {
    hold->is_ended = true;
  } else if (status >= 500 || status == 429 || status == 408) {
    *error = problem;
    return -1;
  } else {
    hold->trouble = problem;
  }
  return 0;
}

artworkd_state artworkd_hold_step(artworkd_hold *hold, artworkd_error *error) {
  artworkd_error problem = {0};
  if (!hold->is_ended && now_ms() >= hold->next_attempt) {
    int result = step_stream(hold, &problem);
    while (result == 0 && hold->is_open && !hold->is_ended && (hold->wants || hold->sends)) {
      result = step_request(hold, &problem);
      if (hold->sends) break;
    }
    if (result < 0) give_up(hold, &problem);
  }
  if (hold->is_ended) {
    close_exchange(&hold->stream);
    close_exchange(&hold->request);
    if (error) *error = (artworkd_error){0};
    return ARTWORKD_ENDED;
  }
  if (error) *error = hold->trouble;
  bool is_held = hold->is_open && !hold->wants && !hold->sends && !hold->trouble.code[0];
  return is_held ? ARTWORKD_HELD : ARTWORKD_WAITING;
}

int artworkd_hold_watch(const artworkd_hold *hold, struct pollfd *watch) {
  const struct exchange *exchange = hold->request.fd >= 0 ? &hold->request : &hold->stream;
  watch_exchange(exchange, watch);
  if (hold->is_ended) return -1;
  bool is_due = exchange->fd < 0 || (hold->is_open && hold->wants && !hold->sends);
  return wait_until(is_due ? hold->next_attempt : exchange->deadline);
}

int artworkd_hold_command(artworkd_hold *hold, artworkd_command *command) {
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  double seconds = (double)now.tv_sec + (double)now.tv_nsec / 1e9;
  bool is_wanted = false;
  while (hold->command_count > 0 && !is_wanted) {
    *command = hold->commands[0];
    hold->command_count--;
    memmove(hold->commands, hold->commands + 1, (size_t)hold->command_count * sizeof *hold->commands);
    is_wanted = command->sent == 0 || seconds - command->sent < PATIENCE;
  }
  return is_wanted;
}

static int copy_playback(artworkd_hold *hold, const artworkd_playback *playback, artworkd_error *error) {
  struct text trial = new_body();
  add_playback(&trial, playback);
  bool failed = trial.failure;
  free_text(&trial);
  if (failed || (playback->state && strlen(playback->state) >= sizeof hold->state))
    return bad_request(error, "the playback cannot be sent");
  hold->playback = *playback;
  if (playback->timestamp == 0) hold->playback.timestamp = now_seconds();
  if (playback->state) hold->playback.state = strcpy(hold->state, playback->state);
  return 0;
}

int artworkd_hold_update(artworkd_hold *hold, const artworkd_session *session, artworkd_error *error) {
  if (!session->application || strcmp(session->application, hold->application))
    return bad_request(error, "the session of another application is another session");
  struct text text = new_body();
  add_session_start(&text, session);
  if (text.failure || copy_playback(hold, &session->playback, error) < 0) {
    char message[128];
    snprintf(message, sizeof message, "the session cannot be sent: %s", text.failure ? text.failure : "its playback");
    free_text(&text);
    return bad_request(error, message);
  }
  free_text(&hold->session);
  hold->session = text;
  hold->wants |= WANTS_PUT;
  return 0;
}

int artworkd_hold_set_playback(artworkd_hold *hold, const artworkd_playback *playback, artworkd_error *error) {
  artworkd_playback merged = *playback;
  if (merged.duration_seconds <= 0) merged.duration_seconds = hold->playback.duration_seconds;
  if (merged.rate == 0) merged.rate = hold->playback.rate;
  if (copy_playback(hold, &merged, error) < 0) return -1;
  hold->wants |= WANTS_PATCH;
  return 0;
}

artworkd_hold *artworkd_hold_new(
    const artworkd_client *client, const artworkd_session *session, artworkd_error *error) {
  if (check_session(session, error) < 0) return NULL;
  artworkd_hold *hold = calloc(1, sizeof *hold);
  if (!hold) {
    fail(error, 0, "no-memory", "there is no memory");
    return NULL;
  }
  hold->client = *client;
  hold->stream.fd = hold->request.fd = -1;
  hold->pause = SHORTEST_PAUSE;
  strcpy(hold->id, session->id);
  strcpy(hold->application, session->application);
  if (artworkd_hold_update(hold, session, error) < 0) {
    artworkd_hold_free(hold);
    return NULL;
  }
  return hold;
}

void artworkd_hold_free(artworkd_hold *hold) {
  if (!hold) return;
  close_exchange(&hold->stream);
  close_exchange(&hold->request);
  free_text(&hold->session);
  free(hold);
}
