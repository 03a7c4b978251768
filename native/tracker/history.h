// The last seconds of every track: its state after each measurement and the measurement itself, so that one that comes
// late is put where it belongs and those after it are run again. Entries of all tracks lie in one arena, each track's
// in a list ordered by (time, sensor, sequence).
#pragma once

#include <cstdint>
#include <vector>

#include "measurement.h"
#include "prefetch.h"
#include "streamed.h"

namespace dunlin {

struct alignas(64) HistoryEntry {
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

  /// Writes an entry, which is seldom read again: past the caches, where the processor can.
  void Put(int32_t i, const Measurement& m, const Imm& after) {
    Stream(m, entries_[i].m);
    Stream(after, entries_[i].after);
  }

  /// −1 where the arena is full.
  int32_t Take() {
    int32_t entry = free_;
    if (entry >= 0) free_ = links_[entry].next;
    return entry;
  }

  /// Asks ahead for where an entry stands, −1 for none, and once that is there, for where the next of its list stands.
  void AskFor(int32_t entry) const {
    if (entry >= 0) Prefetch(links_[entry]);
  }
  void AskForNext(int32_t entry) const {
    if (entry >= 0) AskFor(links_[entry].next);
  }

  void Give(int32_t entry) {
    links_[entry].next = free_;
    free_ = entry;
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
