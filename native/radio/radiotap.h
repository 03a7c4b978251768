// Header that the kernel puts before an 802.11 frame in monitor mode (radiotap.org). Only the fields needed for
// statistics are read.
#pragma once

#include "bytes.h"

namespace dunlin::radio {

/// Fields of a radiotap header; `length` is 0 if the header is malformed.
struct Radiotap {
  size_t length = 0;
  /// `bad_fcs`: the driver reports that the check sequence is wrong. `has_fcs`: the frame ends with a check sequence.
  bool bad_fcs = false;
  bool has_fcs = false;
  uint16_t freq_mhz = 0;
};

inline Radiotap ReadRadiotap(Bytes packet) {
  constexpr size_t kMostWords = 8;
  Radiotap read;
  size_t length = packet.U16(2);
  if (packet.size < 8 || packet.U8(0) != 0 || length < 8 || length > packet.size) return read;
  Bytes header = packet.Part(0, length);
  uint32_t present = header.U32(4);
  size_t at = 4;
  for (size_t words = 1; header.U32(at) >> 31; words++, at += 4)
    if (words == kMostWords || at + 8 > length) return read;
  at += 4;
  read.length = length;
  if (present & 1) at = (at + 7) / 8 * 8 + 8;  // time
  if (present & 2) {
    read.bad_fcs = header.U8(at) & 0x40;
    read.has_fcs = header.U8(at++) & 0x10;
  }
  if (present & 4) at++;  // rate
  if (present & 8) read.freq_mhz = header.U16((at + 1) / 2 * 2);
  return read;
}

}  // namespace dunlin::radio
