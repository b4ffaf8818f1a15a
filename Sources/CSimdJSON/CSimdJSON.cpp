#define SIMDJSON_EXCEPTIONS 0

#include "CSimdJSON.h"

#include <cstring>
#include <memory>
#include <new>

#include <simdjson.h>

// Grows in steps, so that a stream of ever longer documents does not allocate for each.
static constexpr size_t smallestCapacity = 4096;

struct CSimdJSONParser {
    simdjson::dom::parser parser;
    // A copy of the document with the padding that simdjson may read behind it.
    std::unique_ptr<uint8_t[]> input;
    size_t capacity = 0;
    // simdjson refuses the container that reaches its limit, so its limit is one more than ours.
    const size_t limit;

    explicit CSimdJSONParser(size_t depth) noexcept : limit(depth + 1) {}

    bool reserve(size_t length) noexcept {
        if (length <= capacity) { return true; }
        // Past this simdjson's 32-bit indices end; the doubling below cannot overflow before.
        if (length > simdjson::SIMDJSON_MAXSIZE_BYTES) { return false; }
        size_t wanted = smallestCapacity;
        while (wanted < length) { wanted *= 2; }
        if (wanted > simdjson::SIMDJSON_MAXSIZE_BYTES) { wanted = simdjson::SIMDJSON_MAXSIZE_BYTES; }
        capacity = 0;
        input.reset(new (std::nothrow) uint8_t[wanted + simdjson::SIMDJSON_PADDING]);
        if (!input || parser.allocate(wanted, limit) || parser.doc.allocate(wanted)) { return false; }
        capacity = wanted;
        return true;
    }
};

static CSimdJSONFault fault(simdjson::error_code code) noexcept {
    switch (code) {
    case simdjson::SUCCESS: return CSimdJSONFaultNone;
    case simdjson::CAPACITY:
    case simdjson::MEMALLOC: return CSimdJSONFaultMemory;
    case simdjson::EMPTY: return CSimdJSONFaultEmpty;
    case simdjson::DEPTH_ERROR: return CSimdJSONFaultDepth;
    default: return CSimdJSONFaultSyntax;
    }
}

CSimdJSONParser *csimdjson_create(size_t depth) {
    return new (std::nothrow) CSimdJSONParser(depth);
}

void csimdjson_destroy(CSimdJSONParser *parser) {
    delete parser;
}

CSimdJSONFault csimdjson_parse(CSimdJSONParser *parser, const void *bytes, size_t length, CSimdJSONTape *tape) {
    if (length == 0) { return CSimdJSONFaultEmpty; }
    if (!parser->reserve(length)) { return CSimdJSONFaultMemory; }
    std::memcpy(parser->input.get(), bytes, length);
    std::memset(parser->input.get() + length, 0, simdjson::SIMDJSON_PADDING);
    const auto code = parser->parser.parse(parser->input.get(), length, false).error();
    if (code) { return fault(code); }
    tape->words = parser->parser.doc.tape.get();
    tape->strings = parser->parser.doc.string_buf.get();
    return CSimdJSONFaultNone;
}

size_t csimdjson_capacity(const CSimdJSONParser *parser) {
    return parser->capacity;
}
