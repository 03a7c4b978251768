// The program as its tests run it.
#include "../radio/main.cc"
