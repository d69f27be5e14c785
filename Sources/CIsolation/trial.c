#include "isolation.h"

#include <errno.h>
#include <pthread.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

int artwork_try_network_socket(void) { return socket(AF_INET, SOCK_STREAM, 0); }

int artwork_try_local_socket(void) { return socket(AF_UNIX, SOCK_STREAM, 0); }

int artwork_try_fork(void) {
  pid_t child = fork();
  if (child == 0) _exit(0);
  if (child > 0) waitpid(child, NULL, 0);
  return child < 0 ? -1 : 0;
}

static void *nothing(void *unused) { return unused; }

int artwork_try_thread(void) {
  pthread_t thread;
  int error = pthread_create(&thread, NULL, nothing, NULL);
  if (error == 0) {
    pthread_join(thread, NULL);
    return 0;
  }
  errno = error;
  return -1;
}

int artwork_try_execute(void) {
  char *const arguments[] = {"/bin/true", NULL};
  // What nothing else ends with; the program itself may fail for want of descriptors.
  enum { denied = 113 };
  pid_t child = fork();
  if (child > 0) {
    int status = 0;
    waitpid(child, &status, 0);
    errno = EPERM;
    return WIFEXITED(status) && WEXITSTATUS(status) == denied ? -1 : 0;
  }
  // Where no process can be started, this one tries.
  int result = execve(arguments[0], arguments, arguments + 1);
  if (child == 0) _exit(denied);
  return result;
}

int artwork_try_executable_memory(void) {
  void *memory = mmap(NULL, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  return memory == MAP_FAILED ? -1 : 0;
}
