// What Swift's Glibc module lacks: epoll, timerfd, signalfd, eventfd, getrandom, adjtimex, ioctl and recvmmsg.
// `_GNU_SOURCE` stays in the .c file: in a public header it makes structures differ between modules.
#ifndef CSYSTEM_H
#define CSYSTEM_H

#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

// epoll: one registration carries one 64-bit token. Returns 0 or -1 with errno.
int csystem_epoll_create(void);
int csystem_epoll_set(int epoll, int operation, int descriptor, uint32_t events, uint64_t token);
extern const int csystem_epoll_add, csystem_epoll_modify, csystem_epoll_remove;
extern const uint32_t csystem_epoll_in, csystem_epoll_out, csystem_epoll_hangup, csystem_epoll_error;
// Waits; tokens and events are arrays of `capacity`. Returns the count or -1 with errno.
int csystem_epoll_wait(int epoll, uint64_t *tokens, uint32_t *events, int capacity, int timeout_ms);

// timerfd on CLOCK_MONOTONIC, absolute nanoseconds; 0 disarms.
int csystem_timer_create(void);
int csystem_timer_set(int timer, int64_t absolute_ns);

int csystem_eventfd(void);
// Blocks the signals in the calling thread and returns a descriptor that delivers them.
int csystem_signalfd(const int *signals, int count);

// Whether SIGTERM or SIGINT has come: told before, or blocked in this thread and waiting to be read. sigpending(2)
int csystem_is_told_to_end(void);
void csystem_tell_to_end(void);

// mallopt(M_MMAP_THRESHOLD): allocations from so many bytes on go back to the system when they are freed.
void csystem_return_large_allocations(int bytes);
// pthread_setname_np on the calling thread; 15 bytes at most.
void csystem_name_thread(const char *name);
ssize_t csystem_random(void *buffer, size_t length);
// 1: the kernel says the clock is synchronised, 0: it does not.
int csystem_clock_is_synchronised(void);
// open() with a mode, which Swift imports as variadic.
int csystem_open(const char *path, int flags, unsigned mode);
extern const int csystem_open_nofollow, csystem_open_cloexec, csystem_open_directory;
int csystem_fcntl_set_nonblocking(int descriptor);
// flock LOCK_EX | LOCK_NB
int csystem_lock_exclusively(int descriptor);
int csystem_socket_stream(int family);
int csystem_accept(int descriptor);
int csystem_socketpair(int *pair);

// ioctl(2), which Swift imports as variadic: with a number, and with memory that the kernel fills.
int csystem_ioctl_number(int descriptor, unsigned long request, unsigned long argument);
int csystem_ioctl_memory(int descriptor, unsigned long request, void *argument);
// socket(2) with SOCK_RAW, closed on exec and non-blocking.
int csystem_socket_raw(int family, int protocol);
// recvmmsg(2): at most `count` packets, the nth to room + n * slot, its length to lengths[n]; more than `slot` stands
// for one that did not fit. Does not wait. Returns how many, or -1 with errno.
int csystem_receive_packets(int descriptor, void *room, int slot, uint32_t *lengths, int count);
// How many packets a socket has had no room for, since it was made: SK_MEMINFO_DROPS of SO_MEMINFO.
int csystem_dropped_packets(int descriptor, uint32_t *count);
// SO_RCVBUFFORCE, and where that is not allowed SO_RCVBUF, which the kernel cuts down to net.core.rmem_max.
int csystem_enlarge_receive_buffer(int descriptor, int bytes);
// Makes a serial line carry bytes as they are, 8 bits without parity and flow control, at any speed (termios2, BOTHER),
// for this process alone (TIOCEXCL), and forgets what came before.
int csystem_serial_raw(int descriptor, unsigned baud);
extern const int csystem_open_noctty, csystem_open_nonblock;
// posix_openpt(3), grantpt(3), unlockpt(3), ptsname_r(3), which Swift's Glibc module leaves out: the far end of a new
// pseudo-terminal, non-blocking, and the path of the near one.
int csystem_pseudo_terminal(char *path, size_t size);

// getopt_long(3), whose header Swift's Glibc module leaves out and whose globals Swift 6 refuses.
struct csystem_option {
    const char *name;
    int takes_value;
    // What csystem_option_next returns for it; a letter stands for it in `letters` as well.
    int token;
};
// The next option's token, -1 at the end, '?' for an unknown one, ':' where the value is missing. `index` starts at 0 and
// is where the next argument stands. At most 32 options. Moves operands behind the options; not thread-safe.
int csystem_option_next(int argc, char **argv, const char *letters, const struct csystem_option *options, int count,
                        int *index, const char **value);

#endif
