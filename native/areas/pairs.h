// Two doubles at once: what every 64-bit processor does in one instruction, whatever compiler flags.
#pragma once

#include <cstdint>
#include <cstring>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

namespace dunlin {

using Pair = double __attribute__((vector_size(16)));
using PairMask = int64_t __attribute__((vector_size(16)));

inline Pair PairAt(const double* from) {
  Pair pair;
  std::memcpy(&pair, from, sizeof pair);
  return pair;
}
inline Pair Both(double value) { return Pair{value, value}; }
#ifdef __SSE2__
// The same, which compilers do not see: b where one is NaN, as below.
inline Pair Lesser(Pair a, Pair b) { return _mm_min_pd(a, b); }
inline Pair Greater(Pair a, Pair b) { return _mm_max_pd(a, b); }
#else
inline Pair Lesser(Pair a, Pair b) { return a < b ? a : b; }
inline Pair Greater(Pair a, Pair b) { return a > b ? a : b; }
#endif
inline double Lesser(double a, double b) { return a < b ? a : b; }
inline double Greater(double a, double b) { return a > b ? a : b; }
inline double LeastOf(Pair a) { return Lesser(a[0], a[1]); }

}  // namespace dunlin
