#include "CAssets.h"

// C23's #embed costs no compile time; Swift's .embedInCode took 49 s for 120 KB.
#if defined(__clang__)
#pragma clang diagnostic ignored "-Wc23-extensions"
#endif

static const unsigned char openapi[] = {
#embed "../../openapi.yaml"
};

static const springbar_asset assets[] = {
    {"openapi.yaml", openapi, sizeof openapi},
};

size_t springbar_asset_count(void) {
    return sizeof assets / sizeof assets[0];
}

springbar_asset springbar_asset_at(size_t index) {
    return assets[index];
}
