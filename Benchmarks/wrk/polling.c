// Keeps wrk from sleeping: preloaded, it makes every epoll_wait(2) return at once.
//
// A process that sends data to a sleeping process pays for waking it, about a microsecond even if its core is awake.
// wrk sleeps when it has nothing to read. A server as fast as wrk never finds it asleep; a slower one would have to
// wake it for nearly every response, and would be measured as even slower.

#define _GNU_SOURCE

#include <stddef.h>
#include <sys/epoll.h>

int epoll_wait(int descriptor, struct epoll_event *events, int room, int milliseconds) {
    (void)milliseconds;
    return epoll_pwait(descriptor, events, room, 0, NULL);
}
