// Memory written past the caches. What is written and seldom read again would push out of them what is read next.
#pragma once

#include <cstddef>
#include <type_traits>

namespace dunlin {

/// Copies a value. Where the processor cannot do it past the caches, as any value is.
template <typename T>
inline void Stream(const T& from, T& to) {
  static_assert(std::is_trivially_copyable_v<T>);
#ifdef __SSE2__
  using Two = double __attribute__((vector_size(16), may_alias));
  static_assert(sizeof(T) % sizeof(Two) == 0 && alignof(T) <= sizeof(Two));
  using Anywhere = double __attribute__((vector_size(16), aligned(8), may_alias));
  const Anywhere* source = reinterpret_cast<const Anywhere*>(&from);
  Two* target = reinterpret_cast<Two*>(&to);
  for (size_t i = 0; i < sizeof(T) / sizeof(Two); i++) __builtin_ia32_movntpd(reinterpret_cast<double*>(target + i), source[i]);
#else
  to = from;
#endif
}

}  // namespace dunlin
