// dunlin-radio as its tests build it.
#include "../radio/main.cc"
