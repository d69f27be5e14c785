// Calls of the operating system that Swift cannot make: those without a function in the C library go through
// syscall(2), which is variadic. No header is included here, so that Swift takes types such as stat only from the C
// library.
#ifndef ARTWORK_CSYSTEMCALLS_H
#define ARTWORK_CSYSTEMCALLS_H

// O_PATH, which <fcntl.h> declares only with GNU extensions: to get the status of a file without opening it.
int artwork_path_only(void);

// openat2(2) of Linux 5.6: opens `path`, which cannot lead out of `folder`, whatever links, `..` and absolute paths
// are in it and however they change meanwhile. With `refuses_links` no component may be a link at all. Returns the
// descriptor or a negative errno: -EXDEV for a path that leads out, -ENOSYS if the kernel is older or a filter hides
// the call.
int artwork_open_beneath(int folder, const char *path, int flags, int refuses_links);

// Sockets, whose addresses Swift can only fill through raw memory. Each returns a descriptor, or 0, or a negative errno.

// A Unix socket that listens at `path`, with mode 0600 from the start. An existing file is kept: -EADDRINUSE.
// -ENAMETOOLONG for a path that does not fit into an address.
int artwork_listen_unix(const char *path, int backlog);

// A nonblocking stream socket with close-on-exec.
int artwork_stream_socket(int family);

// Whether a client can connect to the Unix socket at `path` now: 0 or a negative errno, -EAGAIN while the backlog is
// full.
int artwork_try_unix(const char *path);

// The user of the process that listens at the other end of a Unix socket's connection (SO_PEERCRED, unix(7)). -ENOTCONN for a
// socket without one.
int artwork_peer_user(int socket, unsigned *user);

// A TCP socket that listens at 127.0.0.1 or, with `version` 6, at ::1. Port 0 is chosen by the system.
int artwork_listen_loopback(int version, unsigned short port, int backlog);

// The address of a listening socket: 4 or 6 and the port for a loopback address, 1 and the path for a Unix socket, 0
// for anything else. `path` has room for `length` bytes.
int artwork_listening_place(int socket, unsigned short *port, char *path, unsigned long length);

// Sends a datagram to a Unix socket; a name that starts with @ is one of Linux' abstract names.
int artwork_send_datagram(const char *name, const char *text);

// Makes `to`, which is empty, share the blocks of `from` until one of them changes (FICLONE; Btrfs, XFS and others).
// Returns 0 or a negative errno: -EOPNOTSUPP, -EXDEV, -EINVAL if that is not supported.
int artwork_share_blocks(int from, int to);

// Exchanges two files atomically (renameat2 with RENAME_EXCHANGE). Returns 0 or a negative errno: -EINVAL or -ENOSYS
// if that is not supported.
int artwork_exchange(const char *one, const char *other);

// Renames a file unless the new name exists (renameat2 with RENAME_NOREPLACE). Returns 0 or a negative errno:
// -EEXIST, or -EINVAL or -ENOSYS if that is not supported.
int artwork_rename_new(const char *source, const char *target);

// Returns unused memory to the system (malloc_trim(3)).
void artwork_return_memory(void);

// Syncs a file to disk: fsync(2). Returns 0 or a negative errno.
int artwork_sync(int file);

#endif
