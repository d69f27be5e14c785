#define _GNU_SOURCE
#include "isolation.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <malloc.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

enum { most_descriptors = 8 };

typedef union {
  struct cmsghdr header;  // for its alignment
  char bytes[CMSG_SPACE(sizeof(int) * most_descriptors)];
} control_buffer;

pid_t artwork_fork(void) { return fork(); }

int artwork_thread_count(void) {
  DIR *tasks = opendir("/proc/self/task");
  if (!tasks) return 0;
  int count = 0;
  for (struct dirent *entry; (entry = readdir(tasks));) {
    if (entry->d_name[0] != '.') count++;
  }
  closedir(tasks);
  return count;
}

int artwork_socket_pair(int ends[2]) {
  return socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends);
}

int artwork_send(int socket, const void *bytes, size_t count) {
  for (size_t done = 0; done < count;) {
    ssize_t sent = send(socket, (const char *)bytes + done, count - done, MSG_NOSIGNAL);
    if (sent < 0 && errno != EINTR) return -1;
    if (sent > 0) done += (size_t)sent;
  }
  return 0;
}

int artwork_receive(int socket, void *bytes, size_t count) {
  for (size_t done = 0; done < count;) {
    ssize_t got = recv(socket, (char *)bytes + done, count - done, 0);
    if (got == 0 || (got < 0 && errno != EINTR)) return -1;
    if (got > 0) done += (size_t)got;
  }
  return 0;
}

int artwork_send_descriptors(int socket, const void *bytes, size_t length, const int *descriptors, int count) {
  if (count < 1 || count > most_descriptors) {
    errno = EINVAL;
    return -1;
  }
  control_buffer control;
  memset(&control, 0, sizeof control);
  struct iovec part = {(void *)bytes, length};
  struct msghdr message = {0};
  message.msg_iov = &part;
  message.msg_iovlen = 1;
  message.msg_control = control.bytes;
  message.msg_controllen = CMSG_SPACE(sizeof(int) * (size_t)count);
  struct cmsghdr *header = CMSG_FIRSTHDR(&message);
  header->cmsg_level = SOL_SOCKET;
  header->cmsg_type = SCM_RIGHTS;
  header->cmsg_len = CMSG_LEN(sizeof(int) * (size_t)count);
  memcpy(CMSG_DATA(header), descriptors, sizeof(int) * (size_t)count);
  ssize_t sent;
  do {
    sent = sendmsg(socket, &message, MSG_NOSIGNAL);
  } while (sent < 0 && errno == EINTR);
  return sent == (ssize_t)length ? 0 : -1;
}

int artwork_receive_descriptors(int socket, void *bytes, size_t length, int *descriptors, int count) {
  if (count < 1 || count > most_descriptors) {
    errno = EINVAL;
    return -1;
  }
  for (int i = 0; i < count; i++) descriptors[i] = -1;
  control_buffer control;
  struct iovec part = {bytes, length};
  struct msghdr message = {0};
  message.msg_iov = &part;
  message.msg_iovlen = 1;
  message.msg_control = control.bytes;
  message.msg_controllen = sizeof control.bytes;
  ssize_t got;
  do {
    got = recvmsg(socket, &message, MSG_CMSG_CLOEXEC);
  } while (got < 0 && errno == EINTR);
  if (got <= 0) return (int)got;
  int received = 0;
  struct cmsghdr *header = CMSG_FIRSTHDR(&message);
  if (header && header->cmsg_level == SOL_SOCKET && header->cmsg_type == SCM_RIGHTS) {
    received = (int)((header->cmsg_len - CMSG_LEN(0)) / sizeof(int));
  }
  int all[most_descriptors];
  memcpy(all, received ? CMSG_DATA(header) : (unsigned char *)all, sizeof(int) * (size_t)received);
  if (received != count || got != (ssize_t)length) {
    if (received) descriptors[0] = all[0];
    for (int i = 1; i < received; i++) close(all[i]);
    // The buffer is large enough for every message.
    errno = message.msg_flags & MSG_CTRUNC ? EMFILE : EPROTO;
    return -1;
  }
  memcpy(descriptors, all, sizeof(int) * (size_t)count);
  return 1;
}

int artwork_anonymous_file(void) { return memfd_create("artworkd", MFD_CLOEXEC); }

// Permanently occupies the free part of the heap below `limit`: addresses, but no memory. The probing leaves marks up
// to `largest` bytes above `limit`. Returns the start of the rest of the heap.
static uintptr_t occupy(uintptr_t limit, size_t largest) {
  for (size_t size = largest; size >= 4096; size /= 2) {
    uintptr_t block = (uintptr_t)malloc(size);
    while (block && block + size <= limit) block = (uintptr_t)malloc(size);
    free((void *)block);
  }
  void *rest = malloc(largest);
  free(rest);
  return (uintptr_t)rest;
}

void artwork_prepare_heap(size_t reserve) {
  const size_t mapped = 32 << 20;  // from here on malloc maps, and glibc accepts no more
  const size_t largest = mapped / 2;
  const uintptr_t page = 1 << 21;
  mallopt(M_MMAP_THRESHOLD, mapped);
  mallopt(M_TRIM_THRESHOLD, INT_MAX);
  mallopt(M_TOP_PAD, (int)reserve);
  // Pages that this process has used are shared with a child and copied when it writes to them; and a huge page needs
  // two untouched megabytes. So the rest of the heap is made to begin just below such a place.
  uintptr_t used = (uintptr_t)sbrk(0);
  malloc_trim(0);
  uintptr_t rest = occupy(used, largest);
  if (!rest) return;
  uintptr_t fresh = (used + 2 * largest + page - 1) & ~(page - 1);
  while (rest + 4096 < fresh) {
    size_t size = fresh - rest - 64 < largest ? fresh - rest - 64 : largest;
    void *block = malloc(size);
    if (!block) return;
    rest = (uintptr_t)block + malloc_usable_size(block);
  }
  free(malloc(largest));
  uintptr_t end = (uintptr_t)sbrk(0) & ~(page - 1);
  if (fresh < end) madvise((void *)fresh, end - fresh, MADV_HUGEPAGE);
}

void artwork_clear_new_memory(void) { mallopt(M_PERTURB, 0xff); }

void artwork_prepare_threads(void) {
  mallopt(M_ARENA_MAX, 1);
  pthread_attr_t attributes;
  if (pthread_attr_init(&attributes) != 0) return;
  // Eight times what rlottie's rasterizer keeps on its stack is 256 KiB; glibc reserves eight megabytes.
  if (pthread_attr_setstacksize(&attributes, 1 << 20) == 0) pthread_setattr_default_np(&attributes);
  pthread_attr_destroy(&attributes);
}

void artwork_reset_signals(void) {
  for (int number = 1; number < NSIG; number++) signal(number, SIG_DFL);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, NULL);
}

extern char **environ;

void artwork_forget_environment(void) {
  for (char **entry = environ; entry && *entry; entry++) {
    volatile char *text = *entry;
    while (*text) *text++ = 0;
    *entry = NULL;
  }
}

static int limit(int resource, uint64_t soft, uint64_t hard) {
  struct rlimit current;
  if (getrlimit(resource, &current) != 0) return -1;
  struct rlimit wanted = {(rlim_t)soft, (rlim_t)hard};
  // A limit that is in force already is never raised.
  if (current.rlim_max != RLIM_INFINITY && wanted.rlim_max > current.rlim_max) {
    wanted.rlim_max = current.rlim_max;
  }
  if (wanted.rlim_cur > wanted.rlim_max) wanted.rlim_cur = wanted.rlim_max;
  return setrlimit(resource, &wanted);
}

int artwork_limit_resources(const artwork_budget *budget) {
  signal(SIGXFSZ, SIG_IGN);
  if (limit(RLIMIT_CORE, 0, 0) != 0) return -1;
  // Open descriptors remain usable: the limit is on the number of a new one.
  if (limit(RLIMIT_NOFILE, 0, 0) != 0) return -1;
  if (budget->file_size && limit(RLIMIT_FSIZE, budget->file_size, budget->file_size) != 0) return -1;
  // SIGXCPU ends the process at the soft limit, SIGKILL a second later.
  // The kernel counts in nanoseconds and lets them overflow: 18446744074 seconds are 0.3.
  const uint64_t longest = UINT64_C(1) << 32;
  uint64_t seconds = budget->cpu_seconds < longest ? budget->cpu_seconds : longest;
  if (seconds && limit(RLIMIT_CPU, seconds, seconds + 1) != 0) return -1;
  if (budget->address_space && limit(RLIMIT_AS, budget->address_space, budget->address_space) != 0) return -1;
  return 0;
}
