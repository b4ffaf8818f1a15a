// A C face over simdjson (https://github.com/simdjson/simdjson, Debian's libsimdjson-dev), so that Swift needs no C++.
//
// simdjson parses a document in one go and leaves it as a "tape", an array of 64-bit words with a buffer of unescaped
// strings beside it, in the format of its `doc/tape.md`. The caller reads that tape itself: a call across the languages
// for every element would cost more than the element.

#ifndef CSIMDJSON_H
#define CSIMDJSON_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#ifdef __clang__
// Swift takes the enumeration for one of its own.
#define CSIMDJSON_CLOSED __attribute__((enum_extensibility(closed)))
#else
#define CSIMDJSON_CLOSED
#endif

#ifdef __cplusplus
extern "C" {
#endif

/// A parser with its buffers, which also hold the last document. One thread at a time may use it.
typedef struct CSimdJSONParser CSimdJSONParser;

/// The parsed document: valid until its parser parses again or is destroyed.
typedef struct {
    /// The words of the tape; the first one belongs to the root and says how many there are.
    const uint64_t *words;
    /// Every string as its length (32 bits, in the machine's order), its bytes in UTF-8, and a NUL.
    const uint8_t *strings;
} CSimdJSONTape;

/// What was wrong with a document.
typedef enum CSIMDJSON_CLOSED {
    CSimdJSONFaultNone = 0,
    /// No memory, or a document of more than 4 GB.
    CSimdJSONFaultMemory,
    /// Nothing but white space.
    CSimdJSONFaultEmpty,
    CSimdJSONFaultDepth,
    /// Anything else. simdjson has more codes, but not always that of the first fault.
    CSimdJSONFaultSyntax,
} CSimdJSONFault;

/// A parser without buffers, or NULL when there is no memory.
///
/// Containers may be nested `depth` deep. An empty one at the very bottom is not counted: the caller looks again.
CSimdJSONParser *csimdjson_create(size_t depth);

void csimdjson_destroy(CSimdJSONParser *parser);

/// Parses `length` bytes, which are copied first (simdjson reads past the end) and may change afterwards.
CSimdJSONFault csimdjson_parse(CSimdJSONParser *parser, const void *bytes, size_t length, CSimdJSONTape *tape);

/// The longest document in bytes that the buffers hold as they are; they take some 16 times as much memory.
size_t csimdjson_capacity(const CSimdJSONParser *parser);

/// `memcmp`: negative, zero or positive as the first bytes sort before, with or after the second ones.
static inline int csimdjson_compare(const uint8_t *first, const uint8_t *second, size_t length) {
    return memcmp(first, second, length);
}

#ifdef __cplusplus
}
#endif

#endif
