// Memory asked for before it is used. What is kept of ten thousand aircraft does not fit the near caches, and where a
// list leads all over it the processor cannot guess what comes next.
#pragma once

#include <cstddef>

namespace dunlin {

/// Asks for all of a value.
template <typename T>
inline void Prefetch(const T& value) {
  constexpr size_t kLine = 64;
  const char* from = reinterpret_cast<const char*>(&value);
  for (size_t i = 0; i < sizeof(T); i += kLine) __builtin_prefetch(from + i);
}

}  // namespace dunlin
