// Filter for frames: only those that may come from an aircraft, and those with a malformed radiotap header, are passed
// on to the daemon. Frames of other devices are dropped here, in a process whose only right is to read.
#pragma once

#include "fcs.h"
#include "radiotap.h"

namespace dunlin::radio {

/// Identifiers of ASTM F3411, DJI DroneID and the French beacon.
inline constexpr uint8_t kMarks[][3] = {{0xfa, 0x0b, 0xbc}, {0x26, 0x37, 0x12}, {0x6a, 0x5c, 0x35}};
/// Beginning of an action frame: public action, vendor specific, OUI of the Wi-Fi Alliance (NAN).
inline constexpr uint8_t kNanAction[] = {0x04, 0x09, 0x50, 0x6f, 0x9a};

struct Sifted {
  bool passes = false;
  bool bad_fcs = false;
  uint16_t freq_mhz = 0;
};

inline bool HasMark(Bytes body) {
  for (size_t at = 0; at + 3 <= body.size; at++)
    for (const auto& mark : kMarks)
      if (body.data[at] == mark[0] && body.Has(at, mark)) return true;
  return false;
}

/// Searches beacons and probe responses for a mark anywhere after the 802.11 header. A damaged element with an intact
/// mark is thus passed on, and the daemon counts it. An action frame passes if it begins with kNanAction. A packet with
/// a malformed radiotap header is also passed on, so that the daemon counts it. `length` is the packet's length before
/// it was truncated to the buffer.
inline Sifted Sift(Bytes packet, size_t length) {
  constexpr size_t kHeader = 24;
  Radiotap radiotap = ReadRadiotap(packet);
  Sifted sifted{radiotap.length == 0, radiotap.bad_fcs, radiotap.freq_mhz};
  if (sifted.passes) return sifted;
  Bytes frame = packet.From(radiotap.length);
  Bytes body = frame.From(kHeader);
  if (radiotap.has_fcs && length <= packet.size && !HasGoodFcs(frame)) sifted.bad_fcs = true;
  switch (frame.U8(0)) {
    case 0x50:
    case 0x80: sifted.passes = HasMark(body); break;
    case 0xd0: sifted.passes = body.Has(0, kNanAction); break;
  }
  return sifted;
}

}  // namespace dunlin::radio
