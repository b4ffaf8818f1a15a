// The reply reader of hiredis with a limit on the elements of a reply.
//
// The reader allocates an array as soon as it has read the array's length, which a server may set to two thousand
// million. The shim replaces the function that creates arrays by one that counts their elements first.
#ifndef SPRINGBAR_CHIREDIS_H
#define SPRINGBAR_CHIREDIS_H

#include <hiredis/hiredis.h>
#include <stdlib.h>

// The type changed in hiredis 1.0.
#if HIREDIS_MAJOR >= 1
typedef size_t springbar_element_count;
#else
typedef int springbar_element_count;
#endif

/// A reader, and the functions with which it creates replies.
struct springbar_reader {
    redisReader *reader;
    /// The default functions, except for `createArray`. The reader points to them.
    redisReplyObjectFunctions functions;
    void *(*create_array)(const redisReadTask *, springbar_element_count);
    /// The elements that the arrays of the current reply may still have.
    size_t elements_left;
};

/// Creates an array; NULL, which the reader reports as an error, if the reply has too many elements.
static inline void *springbar_create_array(const redisReadTask *task, springbar_element_count elements) {
    struct springbar_reader *context = (struct springbar_reader *)task->privdata;
    if (elements > 0) {
        if ((size_t)elements > context->elements_left) return NULL;
        context->elements_left -= (size_t)elements;
    }
    return context->create_array(task, elements);
}

/// Creates a reader; NULL without memory. The caller frees it with `springbar_reader_free`.
static inline struct springbar_reader *springbar_reader_create(void) {
    struct springbar_reader *context = (struct springbar_reader *)calloc(1, sizeof *context);
    if (context == NULL) return NULL;
    context->reader = redisReaderCreate();
    if (context->reader == NULL) {
        free(context);
        return NULL;
    }
    context->functions = *context->reader->fn;
    context->create_array = context->functions.createArray;
    context->functions.createArray = springbar_create_array;
    context->reader->fn = &context->functions;
    context->reader->privdata = context;
    return context;
}

/// Frees a reader and the reply that it has begun.
static inline void springbar_reader_free(struct springbar_reader *context) {
    redisReaderFree(context->reader);
    free(context);
}

#endif
