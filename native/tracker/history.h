// The last seconds of every track: its state after each measurement and the measurement itself, so that one that comes
// late is put where it belongs and those after it are run again. Entries of all tracks lie in one arena, each track's
// in a list ordered by (time, sensor, sequence).
#pragma once

#include <cstdint>
#include <vector>

#include "measurement.h"

namespace dunlin {

struct HistoryEntry {
  Measurement m;
  Imm after;
  uint64_t sequence;
  int32_t before, next;
};

class History {
 public:
  explicit History(int entries) : entries_(entries) {
    for (int i = 0; i < entries; i++) entries_[i].next = i + 1 < entries ? i + 1 : -1;
    free_ = entries > 0 ? 0 : -1;
  }

  HistoryEntry& operator[](int32_t i) { return entries_[i]; }
  const HistoryEntry& operator[](int32_t i) const { return entries_[i]; }

  /// −1 where the arena is full.
  int32_t Take() {
    int32_t entry = free_;
    if (entry >= 0) free_ = entries_[entry].next;
    return entry;
  }
  void Give(int32_t entry) {
    entries_[entry].next = free_;
    free_ = entry;
  }

  static bool Precedes(const HistoryEntry& a, const HistoryEntry& b) {
    if (a.m.t != b.m.t) return a.m.t < b.m.t;
    if (a.m.sensor != b.m.sensor) return a.m.sensor < b.m.sensor;
    return a.sequence < b.sequence;
  }

 private:
  std::vector<HistoryEntry> entries_;
  int32_t free_;
};

}  // namespace dunlin
