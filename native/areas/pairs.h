// Vectors of two doubles or four floats. Every x86-64 and ARM64 processor computes with one in one instruction, with
// any compiler flags.
#pragma once

#include <cmath>
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
// Intrinsics are used, since compilers do not turn the equivalent expressions into one instruction. Both functions
// return `b` if a value is NaN.
inline Pair Lesser(Pair a, Pair b) { return _mm_min_pd(a, b); }
inline Pair Greater(Pair a, Pair b) { return _mm_max_pd(a, b); }
// Intrinsics are used, since compilers may emit a branch instead, which the processor could not predict.
inline double Lesser(double a, double b) { return _mm_cvtsd_f64(_mm_min_sd(_mm_set_sd(a), _mm_set_sd(b))); }
inline double Greater(double a, double b) { return _mm_cvtsd_f64(_mm_max_sd(_mm_set_sd(a), _mm_set_sd(b))); }
#else
inline Pair Lesser(Pair a, Pair b) { return a < b ? a : b; }
inline Pair Greater(Pair a, Pair b) { return a > b ? a : b; }
inline double Lesser(double a, double b) { return a < b ? a : b; }
inline double Greater(double a, double b) { return a > b ? a : b; }
#endif

using Four = float __attribute__((vector_size(16)));
using FourMask = int32_t __attribute__((vector_size(16)));

inline Four FourAt(const float* from) {
  Four four;
  std::memcpy(&four, from, sizeof four);
  return four;
}
inline Four Fours(double value) {
  float v = static_cast<float>(value);
  return Four{v, v, v, v};
}
#ifdef __SSE2__
inline Four Lesser(Four a, Four b) { return _mm_min_ps(a, b); }
inline Four Greater(Four a, Four b) { return _mm_max_ps(a, b); }
inline Four Root(Four a) { return _mm_sqrt_ps(a); }
/// Returns one bit for each lane; the first lane is the lowest bit.
inline uint32_t Bits(FourMask mask) { return static_cast<uint32_t>(_mm_movemask_ps(reinterpret_cast<__m128>(mask))); }
inline uint32_t Bits(PairMask mask) { return static_cast<uint32_t>(_mm_movemask_pd(reinterpret_cast<__m128d>(mask))); }
#else
inline Four Lesser(Four a, Four b) { return a < b ? a : b; }
inline Four Greater(Four a, Four b) { return a > b ? a : b; }
inline Four Root(Four a) { return Four{std::sqrt(a[0]), std::sqrt(a[1]), std::sqrt(a[2]), std::sqrt(a[3])}; }
inline uint32_t Bits(FourMask mask) { return (mask[0] & 1) | (mask[1] & 2) | (mask[2] & 4) | (mask[3] & 8); }
inline uint32_t Bits(PairMask mask) { return static_cast<uint32_t>((mask[0] & 1) | (mask[1] & 2)); }
#endif
inline bool Any(FourMask mask) { return Bits(mask) != 0; }
inline double LeastOf(Pair a) { return Lesser(a[0], a[1]); }

}  // namespace dunlin
