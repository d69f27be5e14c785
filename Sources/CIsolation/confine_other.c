// Systems without Linux's walls: resource limits are all there is.
#ifndef __linux__
#include "isolation.h"

#include <errno.h>
#include <unistd.h>

void artwork_close_from(int lowest) {
  for (int number = lowest; number < getdtablesize(); number++) close(number);
}

uint64_t artwork_address_space(void) { return 0; }

static int missing(void) {
  errno = ENOSYS;
  return -1;
}

int artwork_die_with_parent(void) { return missing(); }
int artwork_renounce_privileges(void) { return missing(); }
int artwork_deny_files(void) { return missing(); }
int artwork_can_filter_system_calls(void) { return 0; }
int artwork_filter_system_calls(int may_start_threads) {
  (void)may_start_threads;
  return missing();
}
#endif
