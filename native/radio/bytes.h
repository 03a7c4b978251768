// Bounded view of received bytes. Reading beyond the end returns zero, so that a parser cannot leave its input.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace dunlin::radio {

struct Bytes {
  const uint8_t* data = nullptr;
  size_t size = 0;

  uint8_t U8(size_t at) const { return at < size ? data[at] : 0; }
  uint16_t U16(size_t at) const { return static_cast<uint16_t>(U8(at) | U8(at + 1) << 8); }
  uint32_t U32(size_t at) const { return U16(at) | static_cast<uint32_t>(U16(at + 2)) << 16; }

  /// Returns at most `length` bytes from `at` on; empty if `at` is beyond the end.
  Bytes Part(size_t at, size_t length) const {
    if (at >= size) return {};
    return {data + at, length < size - at ? length : size - at};
  }
  Bytes From(size_t at) const { return Part(at, size); }

  /// Whether exactly these bytes begin at `at`.
  template <size_t N>
  bool Has(size_t at, const uint8_t (&wanted)[N]) const {
    return at <= size && size - at >= N && std::memcmp(data + at, wanted, N) == 0;
  }
};

}  // namespace dunlin::radio
