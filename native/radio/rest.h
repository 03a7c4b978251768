#pragma once

#include <ctime>

namespace dunlin::radio {

/// Waits 10 ms so that packets gather in the kernel. One wake-up for many packets costs far less than one for each
/// packet.
inline void Rest() {
  timespec stay{0, 10'000'000};
  ::nanosleep(&stay, nullptr);
}

}  // namespace dunlin::radio
