// Writes past the caches. Data that is written and rarely read again would otherwise evict data that is read next.
#pragma once

#include <cstddef>
#include <type_traits>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

namespace dunlin {

/// Copies a value whose size is a multiple of 16 bytes: past the caches if the processor can, else by assignment.
template <typename T>
inline void Stream(const T& from, T& to) {
  static_assert(std::is_trivially_copyable_v<T>);
#ifdef __SSE2__
  static_assert(sizeof(T) % sizeof(__m128i) == 0 && alignof(T) >= sizeof(double));
  const __m128i* source = reinterpret_cast<const __m128i*>(&from);
  __m128i* target = reinterpret_cast<__m128i*>(&to);
  for (size_t i = 0; i < sizeof(T) / sizeof(__m128i); i++) _mm_stream_si128(target + i, _mm_loadu_si128(source + i));
#else
  to = from;
#endif
}

}  // namespace dunlin
