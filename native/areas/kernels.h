// SIMD kernels for 128-bit vectors; with GCC for x86-64 also for AVX2, chosen at run time. Results are identical.
#pragma once

#include <cstdint>

#include "../tracker/prefetch.h"
#include "lanes.h"
#include "path.h"

namespace dunlin {

/// Bounding spheres of areas as columns. `reach` is the distance from a centre within which the area may be reported;
/// `least` gets a lower bound of the distance to the sphere. `count` is a multiple of kBlock.
struct Balls {
  static constexpr size_t kRows = 4, kBlock = 16;
  static constexpr float kNever = 1e30f;
  /// Factor that reduces lower bounds of distances: a long distance measured in a plane is slightly shorter than the
  /// straight line between the positions.
  static constexpr double kSeen = 0.9989;

  const float *x, *y, *z, *radius, *reach;
  float* least;
  size_t count;
};

/// A straight path that is compared with spheres. `from` is its start and `way` the vector to its end (ECEF, m);
/// `inverse` is 1 / length². `room` is a margin that is added to the `reach` of every sphere, m.
struct Glance {
  double from[3], way[3], inverse, room;
};

/// Prefetches the corners of a stretch (up to kStretchEdges edges of an outline).
inline void Ask(const Corners& corners) { Prefetch(corners); }

namespace pairs {
#include "look_over.h"
#include "look_through.h"
}  // namespace pairs

#ifdef DUNLIN_QUADS
#pragma GCC push_options
#pragma GCC target("avx2")
namespace quads {
#include "look_over.h"
#include "look_through.h"
}  // namespace quads
#pragma GCC pop_options
#endif

struct Kernels {
  size_t (*nearest_circle)(const Outlined&, const Path&);
  void (*look_over)(const Outlined&, size_t, const Path&, const Window&, Found&);
  void (*look_over_now)(const Outlined&, size_t, const Path&, const Window&, Found&);
  size_t (*look_through)(const Balls&, const Glance&, Four (&)[Balls::kRows]);
  size_t (*look_through_now)(const Balls&, const Glance&, Four (&)[Balls::kRows]);
  size_t (*take_within)(const Balls&, float, float*, uint32_t*);
  void (*rank)(float*, size_t, uint8_t*);
  void (*order)(const double*, const double*, size_t, uint8_t*);
  size_t (*next_below)(const Balls&, size_t, float);

  /// Kernels that use no instruction beyond the common ones of 64-bit processors (see pairs.h).
  static const Kernels& Common() {
    static constexpr Kernels kernels = {pairs::NearestCircle, pairs::LookOver<true>, pairs::LookOver<false>, pairs::LookThrough<true>, pairs::LookThrough<false>,
                                        pairs::TakeWithin, pairs::Rank, pairs::Order, pairs::NextBelow};
    return kernels;
  }
  /// Fastest of the compiled kernels that this processor supports.
  static const Kernels& Best() {
#ifdef DUNLIN_QUADS
    static constexpr Kernels kernels = {quads::NearestCircle, quads::LookOver<true>, quads::LookOver<false>, quads::LookThrough<true>, quads::LookThrough<false>,
                                        quads::TakeWithin, quads::Rank, quads::Order, quads::NextBelow};
    if (__builtin_cpu_supports("avx2")) return kernels;
#endif
    return Common();
  }
};

}  // namespace dunlin
