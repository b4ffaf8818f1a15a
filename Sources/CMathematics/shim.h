// The functions of the C library on numbers, which Swift has in a module of another name on each platform.
#ifndef SPRINGBAR_CMATHEMATICS_H
#define SPRINGBAR_CMATHEMATICS_H

#include <math.h>

#endif
