// The allocations of a POST of one scroll event on its worker, as they were traced: 15 blocks, of which libmicrohttpd takes
// four with calloc(3) for its response. Prints the nanoseconds of one sequence on each of so many threads.
//
// Built with Sources/CAllocator/calloc.c, the blocks are those of the service; without it, those of glibc.
#define _GNU_SOURCE
#include <malloc.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { rounds = 400000, most_threads = 64 };

// Sizes; a negative one is a calloc(3), and 0 frees the oldest block.
static const short sequence[] = {
    624, 0, 128, 394, 0, 128, -184, 362, -56, 13, 17, -56, 5, 6, -56, 13, 14, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
};

static void *run(void *unused) {
    (void)unused;
    for (int round = 0; round < rounds; round++) {
        void *blocks[sizeof sequence / sizeof *sequence];
        int taken = 0, freed = 0;
        for (size_t i = 0; i < sizeof sequence / sizeof *sequence; i++) {
            short size = sequence[i];
            if (size == 0) {
                free(blocks[freed++]);
                continue;
            }
            void *block = size < 0 ? calloc(1, (size_t)-size) : malloc((size_t)size);
            // Written, so that the compiler keeps it.
            *(volatile char *)block = 1;
            blocks[taken++] = block;
        }
        while (freed < taken) free(blocks[freed++]);
    }
    return NULL;
}

int main(int count, char **arguments) {
    int threads = count > 1 ? atoi(arguments[1]) : 1;
    if (threads < 1 || threads > most_threads) return 64;
    // As Allocator.prepare() does.
    mallopt(M_MMAP_THRESHOLD, 128 << 10);
    mallopt(M_ARENA_MAX, 1);
    struct timespec start, end;
    clock_gettime(CLOCK_MONOTONIC, &start);
    pthread_t workers[most_threads];
    for (int i = 0; i < threads; i++) pthread_create(&workers[i], NULL, run, NULL);
    for (int i = 0; i < threads; i++) pthread_join(workers[i], NULL);
    clock_gettime(CLOCK_MONOTONIC, &end);
    double nanoseconds = (end.tv_sec - start.tv_sec) * 1e9 + (end.tv_nsec - start.tv_nsec);
    printf("%.1f\n", nanoseconds / rounds);
}
