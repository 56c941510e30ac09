// The module of the C library leaves out the header that counts allocations.
#if defined(__GLIBC__) || defined(__linux__)
#include <malloc.h>
#endif
