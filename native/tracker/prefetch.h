// Prefetching of memory before its use. The data of ten thousand aircraft exceeds the caches near the processor. When
// lists link scattered data, the processor cannot predict the next access.
#pragma once

#include <cstddef>

namespace dunlin {

/// Prefetches all cache lines of a value.
template <typename T>
inline void Prefetch(const T& value) {
  constexpr size_t kLine = 64;
  const char* from = reinterpret_cast<const char*>(&value);
  for (size_t i = 0; i < sizeof(T); i += kLine) __builtin_prefetch(from + i);
}

}  // namespace dunlin
