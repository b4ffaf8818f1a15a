// The functions of the system that wait for events, which Swift's Glibc lacks.
#ifndef SPRINGBAR_CEPOLL_H
#define SPRINGBAR_CEPOLL_H

#include <sys/epoll.h>
#include <sys/eventfd.h>

#endif
