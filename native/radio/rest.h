#pragma once

#include <ctime>

namespace dunlin::radio {

/// Lets packets gather in the kernel: one wake for many costs a fraction of one wake for each.
inline void Rest() {
  timespec stay{0, 10'000'000};
  ::nanosleep(&stay, nullptr);
}

}  // namespace dunlin::radio
