// calloc.c replaces a function of the C library; there is nothing to call.
