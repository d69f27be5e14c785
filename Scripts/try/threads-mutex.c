// Swift's Mutex, so that ThreadSanitizer sees it. Swift compiles the quick way of a Mutex into its caller, where the sanitizer
// sees the atomic operations. A thread that has to wait calls these two functions of libswiftSynchronization, which nobody
// instruments: without the lines below, everything that a contended Mutex guards is reported as a race.
// Scripts/try/threads links this into the tests; the tool is never built with it.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdint.h>

#define LOCK_SLOW "$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF"
#define UNLOCK_SLOW "$s15Synchronization12_MutexHandleV11_unlockSlowyyF"

void __tsan_acquire(void *address);
void __tsan_release(void *address);

typedef __attribute__((swiftcall)) void (*lock_function)(uint32_t thread, __attribute__((swift_context)) void *mutex);
typedef __attribute__((swiftcall)) void (*unlock_function)(__attribute__((swift_context)) void *mutex);

static lock_function real_lock;
static unlock_function real_unlock;

__attribute__((constructor)) static void find(void) {
  real_lock = (lock_function)dlsym(RTLD_NEXT, LOCK_SLOW);
  real_unlock = (unlock_function)dlsym(RTLD_NEXT, UNLOCK_SLOW);
}

__attribute__((swiftcall)) void lock(uint32_t thread, __attribute__((swift_context)) void *mutex) __asm__(LOCK_SLOW);
__attribute__((swiftcall)) void lock(uint32_t thread, __attribute__((swift_context)) void *mutex) {
  real_lock(thread, mutex);
  __tsan_acquire(mutex);
}

__attribute__((swiftcall)) void unlock(__attribute__((swift_context)) void *mutex) __asm__(UNLOCK_SLOW);
__attribute__((swiftcall)) void unlock(__attribute__((swift_context)) void *mutex) {
  __tsan_release(mutex);
  real_unlock(mutex);
}
