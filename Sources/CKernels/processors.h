#pragma once

// One source for every processor: the compiler makes a second copy for those with 256-bit vectors, which is selected
// when the program starts. Both give bit-identical results. ThreadSanitizer also instruments the selection, which
// runs before the sanitizer has a thread and ends the program.
#if defined(__x86_64__) && !__has_feature(thread_sanitizer)
#define EACH_PROCESSOR __attribute__((target_clones("avx2", "default")))
#else
#define EACH_PROCESSOR
#endif
