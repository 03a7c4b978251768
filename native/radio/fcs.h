// Frame check sequence of 802.11: a CRC-32 after the frame, least significant byte first.
#pragma once

#include <array>

#include "bytes.h"

namespace dunlin::radio {

inline constexpr auto kFcsTable = [] {
  std::array<uint32_t, 256> table{};
  for (uint32_t byte = 0; byte < 256; byte++) {
    uint32_t sum = byte;
    for (int bit = 0; bit < 8; bit++) sum = sum & 1 ? sum >> 1 ^ 0xedb88320 : sum >> 1;
    table[byte] = sum;
  }
  return table;
}();

/// Whether the last four bytes of a frame are its correct check sequence.
inline bool HasGoodFcs(Bytes frame) {
  if (frame.size < 4) return false;
  uint32_t sum = 0xffffffff;
  for (size_t at = 0; at < frame.size - 4; at++) sum = sum >> 8 ^ kFcsTable[(sum ^ frame.data[at]) & 0xff];
  return ~sum == frame.U32(frame.size - 4);
}

}  // namespace dunlin::radio
