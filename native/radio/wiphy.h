// Capabilities of an adapter as nl80211 describes them.
#pragma once

#include <linux/nl80211.h>

#include "attributes.h"

namespace dunlin::radio {

struct Frequency {
  uint32_t mhz = 0;
  bool is_disabled = false;
};

/// The fields are filled from several messages in turn, since the kernel splits the description of an adapter into
/// many.
struct Wiphy {
  bool can_monitor = false;
  std::array<Frequency, 128> frequencies{};
  size_t count = 0;

  void Read(Bytes attributes) {
    EachAttribute(attributes, [&](int type, Bytes content) {
      if (type == NL80211_ATTR_WIPHY_BANDS) EachAttribute(content, [&](int, Bytes band) { ReadBand(band); });
      if (type == NL80211_ATTR_SUPPORTED_IFTYPES)
        EachAttribute(content, [&](int kind, Bytes) { can_monitor = can_monitor || kind == NL80211_IFTYPE_MONITOR; });
    });
  }

 private:
  void ReadBand(Bytes band) {
    EachAttribute(band, [&](int type, Bytes list) {
      if (type == NL80211_BAND_ATTR_FREQS) EachAttribute(list, [&](int, Bytes one) { ReadFrequency(one); });
    });
  }

  void ReadFrequency(Bytes attributes) {
    Frequency read;
    EachAttribute(attributes, [&](int type, Bytes content) {
      if (type == NL80211_FREQUENCY_ATTR_FREQ) read.mhz = content.U32(0);
      if (type == NL80211_FREQUENCY_ATTR_DISABLED) read.is_disabled = true;
    });
    if (read.mhz && count < frequencies.size()) frequencies[count++] = read;
  }
};

}  // namespace dunlin::radio
