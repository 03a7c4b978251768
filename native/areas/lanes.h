// Vectors of four doubles or eight floats: two SSE2 registers (`pairs`), or one AVX2 register (`quads`). Both give
// bitwise equal results, because each lane computes as a scalar would, and multiplication and addition are never fused
// into one instruction.
#pragma once

#include "pairs.h"

#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__)
#define DUNLIN_QUADS
#include <immintrin.h>
#endif

namespace dunlin::pairs {

using dunlin::Bits;
using dunlin::Greater;
using dunlin::Lesser;
using dunlin::Root;

struct Quad {
  Pair a, b;
};

inline Quad QuadAt(const double* from) { return {PairAt(from), PairAt(from + 2)}; }
inline Quad Quads(double value) { return {Both(value), Both(value)}; }
inline void Store(Quad q, double* to) { std::memcpy(to, &q, sizeof q); }
inline Quad operator+(Quad p, Quad q) { return {p.a + q.a, p.b + q.b}; }
inline Quad operator-(Quad p, Quad q) { return {p.a - q.a, p.b - q.b}; }
inline Quad operator-(Quad q) { return {-q.a, -q.b}; }
inline Quad operator*(Quad p, Quad q) { return {p.a * q.a, p.b * q.b}; }
inline Quad operator/(Quad p, Quad q) { return {p.a / q.a, p.b / q.b}; }
inline Quad Lesser(Quad p, Quad q) { return {Lesser(p.a, q.a), Lesser(p.b, q.b)}; }
inline Quad Greater(Quad p, Quad q) { return {Greater(p.a, q.a), Greater(p.b, q.b)}; }
/// Result of a comparison as a bit mask, with the first lane in the lowest bit.
inline uint32_t Below(Quad p, Quad q) { return Bits(p.a < q.a) | Bits(p.b < q.b) << 2; }
inline uint32_t AtMost(Quad p, Quad q) { return Bits(p.a <= q.a) | Bits(p.b <= q.b) << 2; }
inline uint32_t Alike(Quad p, Quad q) { return Bits(p.a == q.a) | Bits(p.b == q.b) << 2; }
/// Returns the lanes shifted by one: each lane gets the value of the next one, and the last lane gets `last`.
inline Quad Onward(Quad q, double last) { return {Pair{q.a[1], q.b[0]}, Pair{q.b[1], last}}; }
inline double LeastOf(Quad q) { return dunlin::LeastOf(Lesser(q.a, q.b)); }

/// Result of a comparison as a lane mask.
struct Marks {
  PairMask a, b;
};

inline Marks AreBelow(Quad p, Quad q) { return {p.a < q.a, p.b < q.b}; }
inline Marks AreAtMost(Quad p, Quad q) { return {p.a <= q.a, p.b <= q.b}; }
inline Marks operator&(Marks m, Marks n) { return {m.a & n.a, m.b & n.b}; }
inline Marks operator^(Marks m, Marks n) { return {m.a ^ n.a, m.b ^ n.b}; }
inline Quad Where(Marks m, Quad p, Quad q) { return {m.a ? p.a : q.a, m.b ? p.b : q.b}; }

struct Octet {
  Four a, b;
};

inline Octet OctetAt(const float* from) { return {FourAt(from), FourAt(from + 4)}; }
inline Octet Octets(double value) { return {Fours(value), Fours(value)}; }
inline void Store(Octet o, float* to) { std::memcpy(to, &o, sizeof o); }
inline Octet operator+(Octet p, Octet q) { return {p.a + q.a, p.b + q.b}; }
inline Octet operator-(Octet p, Octet q) { return {p.a - q.a, p.b - q.b}; }
inline Octet operator*(Octet p, Octet q) { return {p.a * q.a, p.b * q.b}; }
inline Octet Lesser(Octet p, Octet q) { return {Lesser(p.a, q.a), Lesser(p.b, q.b)}; }
inline Octet Greater(Octet p, Octet q) { return {Greater(p.a, q.a), Greater(p.b, q.b)}; }
inline Octet Root(Octet o) { return {Root(o.a), Root(o.b)}; }
inline uint32_t Below(Octet p, Octet q) { return Bits(p.a < q.a) | Bits(p.b < q.b) << 4; }
inline uint32_t AtMost(Octet p, Octet q) { return Bits(p.a <= q.a) | Bits(p.b <= q.b) << 4; }
inline uint32_t Alike(Octet p, Octet q) { return Bits(p.a == q.a) | Bits(p.b == q.b) << 4; }
/// Selects `p` in lanes where `one` ≤ `other`, else `q`.
inline Octet WhereAtMost(Octet one, Octet other, Octet p, Octet q) {
  return {one.a <= other.a ? p.a : q.a, one.b <= other.b ? p.b : q.b};
}
/// Returns `count`, plus 1 in lanes where `p` ≤ `q`.
inline Octet CountAtMost(Octet p, Octet q, Octet count) {
  return {p.a <= q.a ? count.a + 1 : count.a, p.b <= q.b ? count.b + 1 : count.b};
}
inline Four LowHalf(Octet o) { return o.a; }
inline Four HighHalf(Octet o) { return o.b; }

}  // namespace dunlin::pairs

#ifdef DUNLIN_QUADS
#pragma GCC push_options
#pragma GCC target("avx2")

namespace dunlin::quads {

using dunlin::Bits;
using dunlin::Greater;
using dunlin::Lesser;

struct Quad {
  __m256d v;
};

inline uint32_t BitsOf(__m256d mask) { return static_cast<uint32_t>(_mm256_movemask_pd(mask)); }

inline Quad QuadAt(const double* from) { return {_mm256_loadu_pd(from)}; }
inline Quad Quads(double value) { return {_mm256_set1_pd(value)}; }
inline void Store(Quad q, double* to) { _mm256_storeu_pd(to, q.v); }
inline Quad operator+(Quad p, Quad q) { return {p.v + q.v}; }
inline Quad operator-(Quad p, Quad q) { return {p.v - q.v}; }
inline Quad operator-(Quad q) { return {-q.v}; }
inline Quad operator*(Quad p, Quad q) { return {p.v * q.v}; }
inline Quad operator/(Quad p, Quad q) { return {p.v / q.v}; }
inline Quad Lesser(Quad p, Quad q) { return {_mm256_min_pd(p.v, q.v)}; }
inline Quad Greater(Quad p, Quad q) { return {_mm256_max_pd(p.v, q.v)}; }
inline uint32_t Below(Quad p, Quad q) { return BitsOf(_mm256_cmp_pd(p.v, q.v, _CMP_LT_OQ)); }
inline uint32_t AtMost(Quad p, Quad q) { return BitsOf(_mm256_cmp_pd(p.v, q.v, _CMP_LE_OQ)); }
inline uint32_t Alike(Quad p, Quad q) { return BitsOf(_mm256_cmp_pd(p.v, q.v, _CMP_EQ_OQ)); }
inline Quad Onward(Quad q, double last) {
  return {_mm256_blend_pd(_mm256_permute4x64_pd(q.v, 0b111001), _mm256_set1_pd(last), 0b1000)};
}
inline double LeastOf(Quad q) {
  return dunlin::LeastOf(Lesser(Pair(_mm256_castpd256_pd128(q.v)), Pair(_mm256_extractf128_pd(q.v, 1))));
}

struct Marks {
  __m256d v;
};

inline Marks AreBelow(Quad p, Quad q) { return {_mm256_cmp_pd(p.v, q.v, _CMP_LT_OQ)}; }
inline Marks AreAtMost(Quad p, Quad q) { return {_mm256_cmp_pd(p.v, q.v, _CMP_LE_OQ)}; }
inline Marks operator&(Marks m, Marks n) { return {_mm256_and_pd(m.v, n.v)}; }
inline Marks operator^(Marks m, Marks n) { return {_mm256_xor_pd(m.v, n.v)}; }
inline Quad Where(Marks m, Quad p, Quad q) { return {_mm256_blendv_pd(q.v, p.v, m.v)}; }

struct Octet {
  __m256 v;
};

inline uint32_t BitsOf(__m256 mask) { return static_cast<uint32_t>(_mm256_movemask_ps(mask)); }

inline Octet OctetAt(const float* from) { return {_mm256_loadu_ps(from)}; }
inline Octet Octets(double value) { return {_mm256_set1_ps(static_cast<float>(value))}; }
inline void Store(Octet o, float* to) { _mm256_storeu_ps(to, o.v); }
inline Octet operator+(Octet p, Octet q) { return {p.v + q.v}; }
inline Octet operator-(Octet p, Octet q) { return {p.v - q.v}; }
inline Octet operator*(Octet p, Octet q) { return {p.v * q.v}; }
inline Octet Lesser(Octet p, Octet q) { return {_mm256_min_ps(p.v, q.v)}; }
inline Octet Greater(Octet p, Octet q) { return {_mm256_max_ps(p.v, q.v)}; }
inline Octet Root(Octet o) { return {_mm256_sqrt_ps(o.v)}; }
inline uint32_t Below(Octet p, Octet q) { return BitsOf(_mm256_cmp_ps(p.v, q.v, _CMP_LT_OQ)); }
inline uint32_t AtMost(Octet p, Octet q) { return BitsOf(_mm256_cmp_ps(p.v, q.v, _CMP_LE_OQ)); }
inline uint32_t Alike(Octet p, Octet q) { return BitsOf(_mm256_cmp_ps(p.v, q.v, _CMP_EQ_OQ)); }
inline Octet WhereAtMost(Octet one, Octet other, Octet p, Octet q) {
  return {_mm256_blendv_ps(q.v, p.v, _mm256_cmp_ps(one.v, other.v, _CMP_LE_OQ))};
}
inline Octet CountAtMost(Octet p, Octet q, Octet count) {
  return {count.v + _mm256_and_ps(_mm256_cmp_ps(p.v, q.v, _CMP_LE_OQ), _mm256_set1_ps(1))};
}
inline Four LowHalf(Octet o) { return Four(_mm256_castps256_ps128(o.v)); }
inline Four HighHalf(Octet o) { return Four(_mm256_extractf128_ps(o.v, 1)); }

}  // namespace dunlin::quads

#pragma GCC pop_options
#endif
