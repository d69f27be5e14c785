#define _GNU_SOURCE
#include "CSystemCalls.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/fs.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <malloc.h>
#include <unistd.h>

int artwork_path_only(void) { return O_PATH; }

int artwork_open_beneath(int folder, const char *path, int flags, int refuses_links) {
  // struct open_how and the RESOLVE flags of <linux/openat2.h>, which not every C library provides.
  struct { uint64_t flags, mode, resolve; } how;
  const uint64_t no_magiclinks = 0x02, no_symlinks = 0x04, beneath = 0x08;
  memset(&how, 0, sizeof how);
  how.flags = (uint64_t)(unsigned int)flags;
  how.resolve = beneath | no_magiclinks | (refuses_links ? no_symlinks : 0);
  long result = syscall(SYS_openat2, folder, path, &how, sizeof how);
  return result < 0 ? -errno : (int)result;
}

int artwork_share_blocks(int from, int to) { return ioctl(to, FICLONE, from) == 0 ? 0 : -errno; }

int artwork_exchange(const char *one, const char *other) {
  const unsigned int exchange = 2;  // RENAME_EXCHANGE of <linux/fs.h>
  return syscall(SYS_renameat2, AT_FDCWD, one, AT_FDCWD, other, exchange) == 0 ? 0 : -errno;
}

int artwork_rename_new(const char *source, const char *target) {
  const unsigned int no_replace = 1;  // RENAME_NOREPLACE of <linux/fs.h>
  return syscall(SYS_renameat2, AT_FDCWD, source, AT_FDCWD, target, no_replace) == 0 ? 0 : -errno;
}

int artwork_sync(int file) { return fsync(file) == 0 ? 0 : -errno; }

void artwork_return_memory(void) {
#ifdef __GLIBC__
  malloc_trim(0);
#endif
}
