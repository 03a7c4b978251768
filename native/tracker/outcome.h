// What becomes of observations, tracks and claims: told with each step.
#pragma once

#include <cstdint>

namespace dunlin {

/// An observation and the track that it went to; 0 for none. `row` is its place in the batch; −1 of a plot, which may
/// have come with an earlier one.
struct Answer {
  double sequence, received, signal;
  uint32_t number;
  int32_t sensor, row;
};

enum class EndReason : uint8_t { kClosed, kMerged, kDropped };
struct End {
  uint32_t number;
  EndReason reason;
  uint32_t into;
};

/// A claim that left one track for another: the first carries its names no longer.
struct Parting {
  int32_t claim;
  uint32_t from, to;
};

}  // namespace dunlin
