#define _GNU_SOURCE
#include "CSystem.h"

#include <malloc.h>
#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <linux/sock_diag.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <sys/random.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/timerfd.h>
#include <sys/timex.h>
#include <unistd.h>

const int csystem_epoll_add = EPOLL_CTL_ADD;
const int csystem_epoll_modify = EPOLL_CTL_MOD;
const int csystem_epoll_remove = EPOLL_CTL_DEL;
const uint32_t csystem_epoll_in = EPOLLIN;
const uint32_t csystem_epoll_out = EPOLLOUT;
const uint32_t csystem_epoll_hangup = EPOLLHUP;
const uint32_t csystem_epoll_error = EPOLLERR;

const int csystem_open_nofollow = O_NOFOLLOW;
const int csystem_open_cloexec = O_CLOEXEC;
const int csystem_open_directory = O_DIRECTORY;
const int csystem_open_noctty = O_NOCTTY;
const int csystem_open_nonblock = O_NONBLOCK;

int csystem_epoll_create(void) { return epoll_create1(EPOLL_CLOEXEC); }

int csystem_epoll_set(int epoll, int operation, int descriptor, uint32_t events, uint64_t token) {
    struct epoll_event event = {.events = events, .data.u64 = token};
    return epoll_ctl(epoll, operation, descriptor, &event);
}

int csystem_epoll_wait(int epoll, uint64_t *tokens, uint32_t *events, int capacity, int timeout_ms) {
    struct epoll_event ready[32];
    int n = epoll_wait(epoll, ready, capacity < 32 ? capacity : 32, timeout_ms);
    for (int i = 0; i < n; i++) {
        tokens[i] = ready[i].data.u64;
        events[i] = ready[i].events;
    }
    return n;
}

int csystem_timer_create(void) { return timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK | TFD_CLOEXEC); }

int csystem_timer_set(int timer, int64_t absolute_ns) {
    struct itimerspec spec = {0};
    spec.it_value.tv_sec = absolute_ns / 1000000000;
    spec.it_value.tv_nsec = absolute_ns % 1000000000;
    return timerfd_settime(timer, TFD_TIMER_ABSTIME, &spec, NULL);
}

int csystem_eventfd(void) { return eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC); }

int csystem_signalfd(const int *signals, int count) {
    sigset_t set;
    sigemptyset(&set);
    for (int i = 0; i < count; i++) sigaddset(&set, signals[i]);
    int failed = pthread_sigmask(SIG_BLOCK, &set, NULL);
    if (failed) {
        errno = failed;
        return -1;
    }
    return signalfd(-1, &set, SFD_NONBLOCK | SFD_CLOEXEC);
}

// Set by one thread and read by others; nothing else hangs on it.
static _Atomic int told_to_end;

void csystem_tell_to_end(void) { told_to_end = 1; }

int csystem_is_told_to_end(void) {
    sigset_t set;
    if (told_to_end) return 1;
    if (sigpending(&set)) return 0;
    return sigismember(&set, SIGTERM) || sigismember(&set, SIGINT);
}

void csystem_name_thread(const char *name) { pthread_setname_np(pthread_self(), name); }

ssize_t csystem_random(void *buffer, size_t length) { return getrandom(buffer, length, 0); }

int csystem_clock_is_synchronised(void) {
    struct timex timex = {0};
    int state = adjtimex(&timex);
    return state >= 0 && state != TIME_ERROR && !(timex.status & STA_UNSYNC);
}

int csystem_open(const char *path, int flags, unsigned mode) { return open(path, flags, (mode_t)mode); }

int csystem_fcntl_set_nonblocking(int descriptor) {
    int flags = fcntl(descriptor, F_GETFL);
    return flags < 0 ? -1 : fcntl(descriptor, F_SETFL, flags | O_NONBLOCK);
}

int csystem_lock_exclusively(int descriptor) { return flock(descriptor, LOCK_EX | LOCK_NB); }

int csystem_socket_stream(int family) { return socket(family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0); }

int csystem_accept(int descriptor) { return accept4(descriptor, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK); }

int csystem_socketpair(int *pair) { return socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0, pair); }

int csystem_ioctl_number(int descriptor, unsigned long request, unsigned long argument) {
    return ioctl(descriptor, request, argument);
}

int csystem_ioctl_memory(int descriptor, unsigned long request, void *argument) {
    return ioctl(descriptor, request, argument);
}

int csystem_socket_raw(int family, int protocol) {
    return socket(family, SOCK_RAW | SOCK_CLOEXEC | SOCK_NONBLOCK, protocol);
}

int csystem_receive_packets(int descriptor, void *room, int slot, uint32_t *lengths, int count) {
    enum { most = 64 };
    struct iovec parts[most];
    struct mmsghdr messages[most];
    if (count > most) count = most;
    for (int i = 0; i < count; i++) {
        parts[i] = (struct iovec){.iov_base = (char *)room + (size_t)i * (size_t)slot, .iov_len = (size_t)slot};
        messages[i] = (struct mmsghdr){.msg_hdr = {.msg_iov = &parts[i], .msg_iovlen = 1}};
    }
    int n = recvmmsg(descriptor, messages, (unsigned)count, MSG_DONTWAIT, NULL);
    for (int i = 0; i < n; i++)
        lengths[i] = messages[i].msg_hdr.msg_flags & MSG_TRUNC ? UINT32_MAX : messages[i].msg_len;
    return n;
}

int csystem_dropped_packets(int descriptor, uint32_t *count) {
    uint32_t info[SK_MEMINFO_VARS] = {0};
    socklen_t size = sizeof info;
    int failed = getsockopt(descriptor, SOL_SOCKET, SO_MEMINFO, info, &size);
    if (!failed) *count = info[SK_MEMINFO_DROPS];
    return failed;
}

int csystem_enlarge_receive_buffer(int descriptor, int bytes) {
    if (setsockopt(descriptor, SOL_SOCKET, SO_RCVBUFFORCE, &bytes, sizeof bytes) == 0) return 0;
    return setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &bytes, sizeof bytes);
}

int csystem_pseudo_terminal(char *path, size_t size) {
    int far = posix_openpt(O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC);
    if (far < 0) return -1;
    int failed = grantpt(far) || unlockpt(far) ? errno : ptsname_r(far, path, size);
    if (!failed) return far;
    close(far);
    errno = failed;
    return -1;
}

int csystem_option_next(int argc, char **argv, const char *letters, const struct csystem_option *options, int count,
                        int *index, const char **value) {
    struct option known[33] = {{0}};
    for (int i = 0; i < count && i < 32; i++) {
        known[i].name = options[i].name;
        known[i].has_arg = options[i].takes_value ? required_argument : no_argument;
        known[i].val = options[i].token;
    }
    opterr = 0;
    // 0 makes glibc start anew, whatever was parsed before.
    if (*index == 0) optind = 0;
    int token = getopt_long(argc, argv, letters, known, NULL);
    *index = optind;
    *value = optarg;
    return token;
}

void csystem_return_large_allocations(int bytes) { mallopt(M_MMAP_THRESHOLD, bytes); }
