// System calls that have no function in the C library, made through the variadic syscall(2), which Swift
// cannot call. No header here may declare types that Swift takes from the C library, such as stat.
#ifndef ARTWORK_CSYSTEMCALLS_SHIM_H
#define ARTWORK_CSYSTEMCALLS_SHIM_H

#include <errno.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

#ifdef __linux__
#include <sys/syscall.h>
#endif

// O_PATH, which <fcntl.h> shows only to those who ask for GNU extensions: to look at a file without opening
// it. Where there is no such way, to open it for reading.
static inline int artwork_path_only(void) {
#if defined(__linux__)
  return 010000000;  // asm-generic/fcntl.h: part of the binary interface of all processors that Swift runs on
#else
  return 0;
#endif
}

// openat2(2) of Linux 5.6: opens `path`, which cannot lead out of `folder`, whatever links, `..` and
// absolute paths are in it and whoever changes them meanwhile. With `refuses_links` no component may be
// a link at all. Returns the descriptor or a negative errno: -EXDEV for a path that leads out, -ENOSYS
// where there is no such call.
static inline int artwork_open_beneath(int folder, const char *path, int flags, int refuses_links) {
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

#endif
