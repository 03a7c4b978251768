// Capacity of a tracker.
#pragma once

#include "../layouts.h"

namespace dunlin {

struct Limits {
  int tracks = 2000, claims = 4000, sensors = 64, history = 16000, plots = kLimitPendingPlots, edges = 65536;
};

}  // namespace dunlin
