#pragma once

#include <ctime>

namespace dunlin::radio {

/// Waits 10 ms so that packets gather in the kernel. Waking once for many packets costs far less than waking for each.
inline void Rest() {
  timespec stay{0, 10'000'000};
  ::nanosleep(&stay, nullptr);
}

}  // namespace dunlin::radio
