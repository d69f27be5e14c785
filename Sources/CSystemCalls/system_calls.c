#define _GNU_SOURCE
#include "CSystemCalls.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#ifdef __linux__
#include <linux/fs.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#endif

int artwork_path_only(void) {
#ifdef O_PATH
  return O_PATH;
#else
  return 0;
#endif
}

int artwork_open_beneath(int folder, const char *path, int flags, int refuses_links) {
#if defined(__linux__) && defined(SYS_openat2)
  // struct open_how and the RESOLVE flags of <linux/openat2.h>, which not every C library brings along.
  struct { uint64_t flags, mode, resolve; } how;
  const uint64_t no_magiclinks = 0x02, no_symlinks = 0x04, beneath = 0x08;
  memset(&how, 0, sizeof how);
  how.flags = (uint64_t)(unsigned int)flags;
  how.resolve = beneath | no_magiclinks | (refuses_links ? no_symlinks : 0);
  long result = syscall(SYS_openat2, folder, path, &how, sizeof how);
  return result < 0 ? -errno : (int)result;
#else
  (void)folder, (void)path, (void)flags, (void)refuses_links;
  return -ENOSYS;
#endif
}

int artwork_share_blocks(int from, int to) {
#if defined(__linux__) && defined(FICLONE)
  return ioctl(to, FICLONE, from) == 0 ? 0 : -errno;
#else
  (void)from, (void)to;
  return -EOPNOTSUPP;
#endif
}

int artwork_exchange(const char *one, const char *other) {
#if defined(__linux__) && defined(SYS_renameat2)
  const unsigned int exchange = 2;  // RENAME_EXCHANGE of <linux/fs.h>
  return syscall(SYS_renameat2, AT_FDCWD, one, AT_FDCWD, other, exchange) == 0 ? 0 : -errno;
#elif defined(__APPLE__)
  return renamex_np(one, other, RENAME_SWAP) == 0 ? 0 : -errno;
#else
  (void)one, (void)other;
  return -ENOSYS;
#endif
}

int artwork_rename_new(const char *source, const char *target) {
#if defined(__linux__) && defined(SYS_renameat2)
  const unsigned int no_replace = 1;  // RENAME_NOREPLACE of <linux/fs.h>
  return syscall(SYS_renameat2, AT_FDCWD, source, AT_FDCWD, target, no_replace) == 0 ? 0 : -errno;
#elif defined(__APPLE__)
  return renamex_np(source, target, RENAME_EXCL) == 0 ? 0 : -errno;
#else
  (void)source, (void)target;
  return -ENOSYS;
#endif
}

int artwork_sync(int file) {
#ifdef F_FULLFSYNC
  if (fcntl(file, F_FULLFSYNC) == 0) return 0;
#endif
  return fsync(file) == 0 ? 0 : -errno;
}
