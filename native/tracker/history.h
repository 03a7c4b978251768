// The last seconds of every track: its state after each measurement and the measurement itself, so that one that comes
// late is put where it belongs and those after it are run again. Entries of all tracks lie in one arena, each track's
// in a list ordered by (time, sensor, sequence).
#pragma once

#include <cstdint>
#include <vector>

#include "measurement.h"
#include "prefetch.h"

namespace dunlin {

struct HistoryEntry {
  Measurement m;
  Imm after;
};

class History {
 public:
  /// Where an entry stands: apart from the entries, so that walking a list does not fetch what it only passes.
  struct Link {
    double t = 0;
    int32_t sensor = 0, before = -1, next = -1;
    uint64_t sequence = 0;
  };

  explicit History(int entries) : entries_(entries), links_(entries) {
    for (int i = 0; i < entries; i++) links_[i].next = i + 1 < entries ? i + 1 : -1;
    free_ = entries > 0 ? 0 : -1;
  }

  HistoryEntry& operator[](int32_t i) { return entries_[i]; }
  const HistoryEntry& operator[](int32_t i) const { return entries_[i]; }
  Link& link(int32_t i) { return links_[i]; }
  const Link& link(int32_t i) const { return links_[i]; }

  /// −1 where the arena is full.
  int32_t Take() {
    int32_t entry = free_;
    if (entry >= 0) free_ = links_[entry].next;
    return entry;
  }
  void Give(int32_t entry) {
    links_[entry].next = free_;
    free_ = entry;
    Prefetch(entries_[entry]);  // what was given last is taken next, mostly by the next track
  }

  static bool Precedes(const Link& a, const Link& b) {
    if (a.t != b.t) return a.t < b.t;
    if (a.sensor != b.sensor) return a.sensor < b.sensor;
    return a.sequence < b.sequence;
  }

 private:
  std::vector<HistoryEntry> entries_;
  std::vector<Link> links_;
  int32_t free_;
};

}  // namespace dunlin
