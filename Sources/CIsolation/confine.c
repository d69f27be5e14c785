#define _GNU_SOURCE
#include "isolation.h"

#include <errno.h>
#include <linux/capability.h>
#include <linux/sched.h>
#include <linux/seccomp.h>
#include <seccomp.h>
#include <signal.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

void artwork_close_from(int lowest) {
  // close_range(2) since Linux 5.9.
  if (syscall(436, (unsigned)lowest, ~0u, 0u) == 0) return;
  long highest = sysconf(_SC_OPEN_MAX);
  for (int number = lowest; number < (highest < 0 ? 65536 : highest); number++) close(number);
}

uint64_t artwork_address_space(void) {
  unsigned long long pages = 0;
  FILE *file = fopen("/proc/self/statm", "re");
  if (!file) return 0;
  if (fscanf(file, "%llu", &pages) != 1) pages = 0;
  fclose(file);
  return pages * (uint64_t)sysconf(_SC_PAGESIZE);
}

int artwork_die_with_parent(void) { return prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0); }

int artwork_renounce_privileges(void) {
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return -1;
  // The capabilities of root, and of a program that was given some. Giving them up needs none.
  struct __user_cap_header_struct header = {.version = _LINUX_CAPABILITY_VERSION_3};
  struct __user_cap_data_struct none[_LINUX_CAPABILITY_U32S_3] = {{0}};
  return syscall(SYS_capset, &header, none) == 0 ? 0 : -1;
}

// Debian 12's <linux/landlock.h> knows version 1 of the interface only. The numbers are from the kernel's
// include/uapi/linux/landlock.h and are part of its stable interface.
struct ruleset {
  uint64_t access_files;
  uint64_t access_network;  // since version 4
  uint64_t scoped;          // since version 6
};
enum { create_ruleset = 444, restrict_self = 446, version_flag = 1 };

int artwork_deny_files(void) {
  long version = syscall(create_ruleset, NULL, 0, version_flag);
  if (version < 1) {
    if (version == 0) errno = ENOSYS;
    return -1;
  }
  // Every right that this kernel knows is handled and none is granted. Version 1 has 13 rights to files,
  // each of 2 (refer), 3 (truncate) and 5 (ioctl of devices) adds one.
  int rights = 13 + (version >= 2) + (version >= 3) + (version >= 5);
  struct ruleset rules = {
      .access_files = (UINT64_C(1) << rights) - 1,
      .access_network = version >= 4 ? 3 : 0,  // bind and connect of TCP
      .scoped = version >= 6 ? 3 : 0,          // abstract sockets and signals
  };
  size_t size = version >= 6 ? sizeof rules : version >= 4 ? 16 : 8;
  int file = (int)syscall(create_ruleset, &rules, size, 0);
  if (file < 0) return -1;
  long status = syscall(restrict_self, file, 0);
  close(file);
  return status == 0 ? (int)version : -1;
}

int artwork_can_filter_system_calls(void) {
  uint32_t action = SECCOMP_RET_ERRNO;
  return syscall(SYS_seccomp, SECCOMP_GET_ACTION_AVAIL, 0, &action) == 0;
}

// The calls that libavformat, libavcodec, libswscale, libpng and the Swift runtime make between an open descriptor
// and the reply: found with strace over all fixtures, and the fallbacks of glibc's malloc, clocks and locks.
static const int allowed[] = {
    SCMP_SYS(read), SCMP_SYS(pread64), SCMP_SYS(write), SCMP_SYS(pwrite64), SCMP_SYS(lseek),
    SCMP_SYS(fstat), SCMP_SYS(ftruncate), SCMP_SYS(close),
    SCMP_SYS(brk), SCMP_SYS(munmap), SCMP_SYS(mremap),
    SCMP_SYS(futex), SCMP_SYS(sched_yield), SCMP_SYS(sched_getaffinity), SCMP_SYS(nanosleep),
    SCMP_SYS(clock_nanosleep), SCMP_SYS(clock_gettime), SCMP_SYS(gettimeofday), SCMP_SYS(getrandom),
    SCMP_SYS(getpid), SCMP_SYS(gettid), SCMP_SYS(sysinfo), SCMP_SYS(restart_syscall),
    SCMP_SYS(rt_sigreturn), SCMP_SYS(rt_sigprocmask), SCMP_SYS(exit), SCMP_SYS(exit_group),
    // With these, a thread that was started before the filter registers its own memory.
    SCMP_SYS(rseq), SCMP_SYS(set_robust_list),
};

int artwork_filter_system_calls(int may_start_threads) {
  scmp_filter_ctx filter = seccomp_init(SCMP_ACT_ERRNO(EPERM));
  if (!filter) {
    errno = ENOMEM;
    return -1;
  }
  // The mitigation of speculative store bypass, which older kernels switch on with a filter, protects a
  // process from itself and slows decoding; there is nothing here to protect.
  seccomp_attr_set(filter, SCMP_FLTATR_CTL_SSB, 1);
  // Threads that a library has started by now get the same filter.
  int status = seccomp_attr_set(filter, SCMP_FLTATR_CTL_TSYNC, 1);
  for (size_t i = 0; i < sizeof allowed / sizeof *allowed && status == 0; i++) {
    status = seccomp_rule_add(filter, SCMP_ACT_ALLOW, allowed[i], 0);
  }
  // Memory, but none that can be executed.
  const int mapping[] = {SCMP_SYS(mmap), SCMP_SYS(mprotect)};
  for (size_t i = 0; i < 2 && status == 0; i++) {
    status = seccomp_rule_add(filter, SCMP_ACT_ALLOW, mapping[i], 1, SCMP_A2(SCMP_CMP_MASKED_EQ, PROT_EXEC, 0));
  }
  // All advice except breaking or retiring pages of the machine's memory: MADV_HWPOISON and above.
  if (status == 0) status = seccomp_rule_add(filter, SCMP_ACT_ALLOW, SCMP_SYS(madvise), 1, SCMP_A2(SCMP_CMP_LT, 100));
  // abort(3) and the Swift runtime's traps signal themselves; so does a decoder that calls raise(3).
  if (status == 0) {
    status = seccomp_rule_add(filter, SCMP_ACT_ALLOW, SCMP_SYS(tgkill), 1, SCMP_A0(SCMP_CMP_EQ, (scmp_datum_t)getpid()));
  }
  // A thread of this process, but not a process. glibc tries clone3 first, whose arguments a filter cannot inspect,
  // and falls back to clone.
  if (status == 0 && may_start_threads) {
    status = seccomp_rule_add(filter, SCMP_ACT_ERRNO(ENOSYS), SCMP_SYS(clone3), 0);
    if (status == 0)
      status = seccomp_rule_add(
          filter, SCMP_ACT_ALLOW, SCMP_SYS(clone), 1,
          SCMP_A0(SCMP_CMP_MASKED_EQ, CLONE_VM | CLONE_THREAD, CLONE_VM | CLONE_THREAD));
  }
  if (status == 0) status = seccomp_load(filter);
  seccomp_release(filter);
  if (status < 0) {
    errno = -status;
    return -1;
  }
  return 0;
}
