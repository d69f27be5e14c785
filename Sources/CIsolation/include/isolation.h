// System functions that Swift cannot call: fork, passing descriptors over sockets, and the sandbox of a worker.
// Functions return 0 or a count, and -1 with errno set, unless stated otherwise.
#ifndef ARTWORK_ISOLATION_H
#define ARTWORK_ISOLATION_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

// fork(2). The child may do anything only if this process has a single thread.
pid_t artwork_fork(void);

// The number of threads of this process; 0 if the system does not report it.
int artwork_thread_count(void);

// Two connected stream sockets, close-on-exec.
int artwork_socket_pair(int ends[2]);

// Sends or receives exactly `count` bytes: 0, or -1 also when the other side has closed.
int artwork_send(int socket, const void *bytes, size_t count);
int artwork_receive(int socket, void *bytes, size_t count);

// Sends or receives `length` bytes together with `count` descriptors. Receiving returns 1 with exactly these
// (close-on-exec), 0 if the other side has closed, and -1 for anything else: EMFILE if this process may have no more
// descriptors, EPROTO for another message. Then the first descriptor remains open, if it arrived, and -1 stands for
// each of the others.
int artwork_send_descriptors(int socket, const void *bytes, size_t length, const int *descriptors, int count);
int artwork_receive_descriptors(int socket, void *bytes, size_t length, int *descriptors, int count);

// A new unnamed file in memory.
int artwork_anonymous_file(void);

// Closes every descriptor from `lowest` on.
void artwork_close_from(int lowest);

// Makes malloc take everything from one heap in steps of `reserve` bytes, on huge pages where the kernel supports
// them. Memory that is new to a process costs a page fault for each page, and a process that lives for one file never
// reuses a page. For a process without threads; children inherit it.
void artwork_prepare_heap(size_t reserve);

// Makes malloc return zeros, and fill memory that is freed, so that a library that reads memory that it never set gives
// one result and not one of many. Memory that a thread freed and takes again (glibc's tcache) is as it was.
void artwork_clear_new_memory(void);

// Prepares a process for threads that a library will start: small stacks, and no heap for each of them, because both
// count towards the budget of address space.
void artwork_prepare_threads(void);

// Resets signals to their defaults: handlers that were installed before a fork are for the parent.
void artwork_reset_signals(void);

// Erases the environment, in memory too: it may contain secrets that do not concern a worker.
void artwork_forget_environment(void);

// The budget of a worker. Zero does not change a limit.
typedef struct {
  uint64_t address_space;  // bytes, everything mapped included
  uint64_t cpu_seconds;
  uint64_t file_size;      // bytes that one file may grow to
} artwork_budget;

// Sets the budget; also no core files, no new descriptors, and an error instead of a signal for a file
// that would grow too large.
int artwork_limit_resources(const artwork_budget *budget);

// Bytes of address space in use; 0 if the system does not report it.
uint64_t artwork_address_space(void);

// The process is killed when its parent ends. ENOSYS if the system does not support that.
int artwork_die_with_parent(void);

// No program started from here on gains privileges, and this process keeps no capabilities. ENOSYS if the system does
// not support that.
int artwork_renounce_privileges(void);

// Landlock: no file may be opened, created, removed or executed, no TCP port bound or connected to, and no outside
// process signalled, as far as the kernel supports these. Needs artwork_renounce_privileges. Returns the version of
// the kernel's interface, 1 or more.
int artwork_deny_files(void);

// Whether the kernel filters system calls.
int artwork_can_filter_system_calls(void);

// seccomp: from here on, only the calls that decoding needs are allowed, in every thread; everything else fails with
// EPERM. Existing threads continue; others can be started if may_start_threads is 1.
int artwork_filter_system_calls(int may_start_threads);

// The actions that a worker tries in order to test its sandbox. Each returns -1 with errno set if it fails.
int artwork_try_network_socket(void);
int artwork_try_local_socket(void);
int artwork_try_fork(void);
int artwork_try_thread(void);
int artwork_try_execute(void);
int artwork_try_executable_memory(void);

#endif
