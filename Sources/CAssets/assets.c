#include "CAssets.h"

// C23's #embed costs no compile time; Swift's .embedInCode took 49 s for 120 KB.
#if defined(__clang__)
#pragma clang diagnostic ignored "-Wc23-extensions"
#endif

// Every file that is built in. `embedded.h` makes a row of the table from ASSET, which is relative to this folder.
static const springbar_asset assets[] = {
#define ASSET "../../openapi.yaml"
#include "embedded.h"
#define ASSET "../../Clients/openapi.json"
#include "embedded.h"
#define ASSET "../../Clients/js/answers.d.ts"
#include "embedded.h"
#define ASSET "../../Clients/js/follow.d.ts"
#include "embedded.h"
#define ASSET "../../Clients/js/follow.js"
#include "embedded.h"
#define ASSET "../../Clients/js/springbar.d.ts"
#include "embedded.h"
#define ASSET "../../Clients/js/springbar.js"
#include "embedded.h"
#define ASSET "../../Playground/docs.css"
#include "embedded.h"
#define ASSET "../../Playground/docs.html"
#include "embedded.h"
#define ASSET "../../Playground/docs.js"
#include "embedded.h"
#define ASSET "../../Playground/favicon.ico"
#include "embedded.h"
#define ASSET "../../Playground/icon.svg"
#include "embedded.h"
#define ASSET "../../Playground/gallery.js"
#include "embedded.h"
#define ASSET "../../Playground/index.html"
#include "embedded.h"
#define ASSET "../../Playground/interfaces.js"
#include "embedded.h"
#define ASSET "../../Playground/not-found.html"
#include "embedded.h"
#define ASSET "../../Playground/page.css"
#include "embedded.h"
#define ASSET "../../Playground/page.js"
#include "embedded.h"
#define ASSET "../../Playground/watch.html"
#include "embedded.h"
#define ASSET "../../Playground/watch.js"
#include "embedded.h"
};

size_t springbar_asset_count(void) {
    return sizeof assets / sizeof assets[0];
}

springbar_asset springbar_asset_at(size_t index) {
    return assets[index];
}
