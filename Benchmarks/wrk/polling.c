// Keeps wrk from sleeping: preloaded, it makes every epoll_wait(2) return at once.
//
// Whoever sends to a sleeping process does the work of waking it, about a microsecond even when its core is awake. wrk
// sleeps when it has nothing to read. A server that is as fast as wrk never meets it asleep, and a slower one has to
// wake it for nearly every answer: it would be charged for being slower, on top of being it.

#define _GNU_SOURCE

#include <stddef.h>
#include <sys/epoll.h>

int epoll_wait(int descriptor, struct epoll_event *events, int room, int milliseconds) {
    (void)milliseconds;
    return epoll_pwait(descriptor, events, room, 0, NULL);
}
