#ifndef CASSETS_H
#define CASSETS_H

#include <stddef.h>

/// A file that was built into the binary. Its bytes live as long as the process.
typedef struct {
    /// The path from the top of the checkout, such as "openapi.yaml".
    const char *_Nonnull path;
    const unsigned char *_Nonnull bytes;
    size_t length;
} springbar_asset;

/// The number of files.
size_t springbar_asset_count(void);

/// The file at `index`, which must be below the count.
springbar_asset springbar_asset_at(size_t index);

#endif
