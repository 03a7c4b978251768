// Capabilities of an adapter as one line of JSON, for `dunlin doctor`. Reading them needs no privileges.
#pragma once

#include "interface.h"

namespace dunlin::radio {

inline void PrintFrequencies(const Wiphy& wiphy, const char* name, bool disabled) {
  std::printf(",\"%s\":[", name);
  const char* between = "";
  for (size_t at = 0; at < wiphy.count; at++) {
    if (wiphy.frequencies[at].is_disabled != disabled) continue;
    std::printf("%s%u", between, wiphy.frequencies[at].mhz);
    between = ",";
  }
  std::printf("]");
}

inline void Describe(const Interface& interface, Nl80211& nl80211) {
  static Wiphy wiphy;
  char country[3] = "";
  int error = nl80211.Describe(interface.index(), wiphy);
  if (!error) error = nl80211.Country(country);
  if (error) Fail(kFailed, "cannot read the capabilities of %s: %s", interface.name(), std::strerror(error));
  std::printf("{\"can_monitor\":%s,\"country\":\"%s\"", wiphy.can_monitor ? "true" : "false", country);
  PrintFrequencies(wiphy, "enabled_mhz", false);
  PrintFrequencies(wiphy, "disabled_mhz", true);
  std::printf("}\n");
}

}  // namespace dunlin::radio
