// Replaces the program's operator new by one that counts its calls. Only for a program of one translation unit.
#pragma once

#include <cstddef>
#include <cstdlib>
#include <new>

/// Number of memory allocations since the start.
inline size_t times_memory_was_taken = 0;

// The operators are not inlined: the compiler would see malloc paired with operator delete, and warn of a mismatch.
[[gnu::noinline]] void* operator new(size_t size) {
  times_memory_was_taken++;
  if (void* memory = std::malloc(size)) return memory;
  throw std::bad_alloc();
}
[[gnu::noinline]] void* operator new(size_t size, std::align_val_t align) {
  times_memory_was_taken++;
  size_t unit = static_cast<size_t>(align);
  if (void* memory = std::aligned_alloc(unit, (size + unit - 1) / unit * unit)) return memory;
  throw std::bad_alloc();
}
[[gnu::noinline]] void operator delete(void* memory) noexcept { std::free(memory); }
[[gnu::noinline]] void operator delete(void* memory, size_t) noexcept { std::free(memory); }
[[gnu::noinline]] void operator delete(void* memory, std::align_val_t) noexcept { std::free(memory); }
[[gnu::noinline]] void operator delete(void* memory, size_t, std::align_val_t) noexcept { std::free(memory); }
