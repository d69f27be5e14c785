#include <curl/curl.h>
#include <sys/socket.h>

// curl_easy_setopt, curl_easy_getinfo and curl_multi_setopt take variable arguments, which Swift cannot call.

typedef size_t (*artwork_curl_receiver)(char *bytes, size_t size, size_t count, void *context);

static inline CURLcode artwork_curl_set_long(CURL *handle, CURLoption option, long value) {
  return curl_easy_setopt(handle, option, value);
}

static inline CURLcode artwork_curl_set_text(CURL *handle, CURLoption option, const char *value) {
  return curl_easy_setopt(handle, option, value);
}

static inline CURLcode artwork_curl_set_pointer(CURL *handle, CURLoption option, void *value) {
  return curl_easy_setopt(handle, option, value);
}

static inline CURLcode artwork_curl_set_list(CURL *handle, CURLoption option, struct curl_slist *value) {
  return curl_easy_setopt(handle, option, value);
}

static inline CURLcode artwork_curl_set_receiver(CURL *handle, CURLoption option, artwork_curl_receiver value) {
  return curl_easy_setopt(handle, option, value);
}

// The length is set first: otherwise libcurl looks for a terminating zero.
static inline CURLcode artwork_curl_set_body(CURL *handle, const void *bytes, curl_off_t length) {
  CURLcode result = curl_easy_setopt(handle, CURLOPT_POSTFIELDSIZE_LARGE, length);
  return result == CURLE_OK ? curl_easy_setopt(handle, CURLOPT_COPYPOSTFIELDS, bytes) : result;
}

static inline curl_socket_t artwork_curl_open_socket(
    void *context, curlsocktype purpose, struct curl_sockaddr *address) {
  (void)context;
  (void)purpose;
  return socket(address->family, address->socktype | SOCK_CLOEXEC, address->protocol);
}

// libcurl 7.88 opens sockets that programs started by this process inherit. Such a program would keep a connection
// open, and with it a session, after this process has ended.
static inline CURLcode artwork_curl_close_sockets_on_exec(CURL *handle) {
  return curl_easy_setopt(handle, CURLOPT_OPENSOCKETFUNCTION, artwork_curl_open_socket);
}

// `open` makes the sockets, and `check` is called when one is connected, before anything is sent.
static inline CURLcode artwork_curl_check_peer(
    CURL *handle, curl_opensocket_callback open, curl_prereq_callback check, void *context) {
  CURLcode result = curl_easy_setopt(handle, CURLOPT_OPENSOCKETFUNCTION, open);
  if (result == CURLE_OK) result = curl_easy_setopt(handle, CURLOPT_OPENSOCKETDATA, context);
  if (result == CURLE_OK) result = curl_easy_setopt(handle, CURLOPT_PREREQFUNCTION, check);
  if (result == CURLE_OK) result = curl_easy_setopt(handle, CURLOPT_PREREQDATA, context);
  return result;
}

static inline int artwork_curl_prereq(int is_allowed) {
  return is_allowed ? CURL_PREREQFUNC_OK : CURL_PREREQFUNC_ABORT;
}

// errno of the connection that failed, or 0.
static inline int artwork_curl_errno(CURL *handle) {
  long value = 0;
  return curl_easy_getinfo(handle, CURLINFO_OS_ERRNO, &value) == CURLE_OK ? (int)value : 0;
}

static inline CURL *artwork_curl_next_finished(CURLM *multi, CURLcode *result) {
  CURLMsg *message;
  int left;
  while ((message = curl_multi_info_read(multi, &left))) {
    if (message->msg == CURLMSG_DONE) {
      *result = message->data.result;
      return message->easy_handle;
    }
  }
  return NULL;
}

// A receiver returns this to take nothing: libcurl delivers the same bytes again after curl_easy_pause.
static inline size_t artwork_curl_pause_receiving(void) { return CURL_WRITEFUNC_PAUSE; }
