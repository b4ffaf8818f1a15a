// The functions of the system that wait for events, which Swift's Glibc lacks.
#ifndef SPRINGBAR_CEPOLL_H
#define SPRINGBAR_CEPOLL_H

#include <semaphore.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>

// glibc declares it only with _GNU_SOURCE, which Swift does not define.
int sem_clockwait(sem_t *semaphore, clockid_t clock, const struct timespec *deadline);

#endif
