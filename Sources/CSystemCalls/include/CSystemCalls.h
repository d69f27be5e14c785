// Calls of the operating system that Swift cannot make by itself: those that the C library has no function
// for go through syscall(2), which is variadic. No header is included here, so that Swift takes types such as
// stat from the C library and from nowhere else.
#ifndef ARTWORK_CSYSTEMCALLS_H
#define ARTWORK_CSYSTEMCALLS_H

// O_PATH, which <fcntl.h> shows only to those who ask for GNU extensions: to look at a file without opening it.
// 0 where there is no such way.
int artwork_path_only(void);

// openat2(2) of Linux 5.6: opens `path`, which cannot lead out of `folder`, whatever links, `..` and absolute
// paths are in it and whoever changes them meanwhile. With `refuses_links` no component may be a link at all.
// Returns the descriptor or a negative errno: -EXDEV for a path that leads out, -ENOSYS where there is no such
// call.
int artwork_open_beneath(int folder, const char *path, int flags, int refuses_links);

#endif
