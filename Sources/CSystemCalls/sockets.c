#define _GNU_SOURCE
#include "CSystemCalls.h"

#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stddef.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

static int closing(int socket) {
  int reason = errno;
  close(socket);
  return -reason;
}

static int stream_socket(int family) {
  int result = socket(family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  return result < 0 ? -errno : result;
}

static int unix_address(const char *path, struct sockaddr_un *address, socklen_t *length) {
  size_t count = strlen(path);
  if (count >= sizeof address->sun_path) return -ENAMETOOLONG;
  memset(address, 0, sizeof *address);
  address->sun_family = AF_UNIX;
  memcpy(address->sun_path, path, count);
  // Abstract names start with a zero, and the address states their length.
  if (path[0] == '@') address->sun_path[0] = 0;
  *length = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + count + (path[0] == '@' ? 0 : 1));
  return 0;
}

int artwork_listen_unix(const char *path, int backlog) {
  struct sockaddr_un address;
  socklen_t length;
  int result = unix_address(path, &address, &length);
  if (result < 0) return result;
  int server = stream_socket(AF_UNIX);
  if (server < 0) return server;
  mode_t before = umask(0177);
  result = bind(server, (struct sockaddr *)&address, length);
  umask(before);
  if (result < 0 || listen(server, backlog) < 0) return closing(server);
  return server;
}

int artwork_stream_socket(int family) { return stream_socket(family); }

int artwork_try_unix(const char *path) {
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  if (strlen(path) >= sizeof address.sun_path) return -ENAMETOOLONG;
  strcpy(address.sun_path, path);
  int client = stream_socket(AF_UNIX);
  if (client < 0) return client;
  if (connect(client, (struct sockaddr *)&address, sizeof address) < 0) return closing(client);
  close(client);
  return 0;
}

int artwork_peer_user(int socket, unsigned *user) {
  struct ucred peer;
  socklen_t size = sizeof peer;
  if (getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &peer, &size) < 0) return -errno;
  *user = peer.uid;
  return peer.uid == (uid_t)-1 ? -ENOTCONN : 0;
}

int artwork_listen_loopback(int version, unsigned short port, int backlog) {
  int server = stream_socket(version == 6 ? AF_INET6 : AF_INET), yes = 1, result;
  if (server < 0) return server;
  if (setsockopt(server, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes) < 0) return closing(server);
  if (version == 6) {
    struct sockaddr_in6 address = {.sin6_family = AF_INET6, .sin6_port = htons(port), .sin6_addr = in6addr_loopback};
    if (setsockopt(server, IPPROTO_IPV6, IPV6_V6ONLY, &yes, sizeof yes) < 0) return closing(server);
    result = bind(server, (struct sockaddr *)&address, sizeof address);
  } else {
    struct sockaddr_in address = {
      .sin_family = AF_INET, .sin_port = htons(port), .sin_addr = {.s_addr = htonl(INADDR_LOOPBACK)}};
    result = bind(server, (struct sockaddr *)&address, sizeof address);
  }
  if (result < 0 || listen(server, backlog) < 0) return closing(server);
  return server;
}

int artwork_listening_place(int socket, unsigned short *port, char *path, unsigned long length) {
  union {
    struct sockaddr any;
    struct sockaddr_in four;
    struct sockaddr_in6 six;
    struct sockaddr_un local;
  } address;
  memset(&address, 0, sizeof address);
  socklen_t size = sizeof address;
  *port = 0;
  if (length > 0) path[0] = 0;
  if (getsockname(socket, &address.any, &size) < 0) return -errno;
  switch (address.any.sa_family) {
    case AF_INET:
      *port = ntohs(address.four.sin_port);
      return ntohl(address.four.sin_addr.s_addr) == INADDR_LOOPBACK ? 4 : 0;
    case AF_INET6:
      *port = ntohs(address.six.sin6_port);
      return memcmp(&address.six.sin6_addr, &in6addr_loopback, sizeof in6addr_loopback) == 0 ? 6 : 0;
    case AF_UNIX:
      if (strlen(address.local.sun_path) >= length) return -ENAMETOOLONG;
      strcpy(path, address.local.sun_path);
      return 1;
    default:
      return 0;
  }
}

int artwork_send_datagram(const char *name, const char *text) {
  struct sockaddr_un address;
  socklen_t length;
  int result = unix_address(name, &address, &length);
  if (result < 0) return result;
  int sender = socket(AF_UNIX, SOCK_DGRAM, 0);
  if (sender < 0) return -errno;
  if (sendto(sender, text, strlen(text), 0, (struct sockaddr *)&address, length) < 0) return closing(sender);
  close(sender);
  return 0;
}
