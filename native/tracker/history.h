// The last seconds of every track: each measurement and the state after it. A late measurement is inserted at its time,
// and the measurements after it are applied again. The entries of all tracks are in one arena. Each track has a list of
// entries, ordered by time, sensor and sequence.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "imm.h"
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
  /// Greatest number of measurements that are applied again after a late one. It also limits the entries of one track;
  /// with late measurements, twice as many are possible.
  static constexpr int kMostAgain = 64;

  /// Link of an entry in its list. Links are stored apart from the entries, so that walking a list does not fetch the
  /// entries it skips.
  struct Link {
    double t = 0;
    int32_t sensor = 0, before = -1, next = -1;
    uint64_t sequence = 0;
  };

  /// Entries of one track, oldest first. The track owns its list, but only History changes it.
  class List {
   public:
    /// Oldest and newest entry; −1 if the list is empty.
    int32_t first() const { return first_; }
    int32_t last() const { return last_; }

   private:
    friend class History;
    int32_t first_ = -1, last_ = -1, entries_ = 0;
  };

  explicit History(int entries) : most_(entries), entries_(new HistoryEntry[entries]) {
    links_.reserve(entries);
  }

  HistoryEntry& operator[](int32_t i) { return entries_[i]; }
  const HistoryEntry& operator[](int32_t i) const { return entries_[i]; }
  const Link& link(int32_t i) const { return links_[i]; }

  /// Returns the newest entry not after `t`, s; −1 if all entries are later.
  int32_t At(const List& list, double t) const {
    int32_t e = list.last_;
    while (e >= 0 && links_[e].t > t) e = links_[e].before;
    return e;
  }

  /// Appends the newest measurement and the state after it. Measurements that are more than `late_s`, s, late are
  /// refused, so entries that only they would need are dropped. If the list or the arena is full, the new entry
  /// replaces the oldest one of the track; a track without entries then stores nothing.
  void Append(List& list, const Measurement& m, uint64_t sequence, const Imm& after, double late_s) {
    int32_t entry = list.entries_ < kMostAgain ? Take() : -1;
    if (entry < 0) {
      if (list.first_ < 0) return;
      entry = list.first_;
      list.first_ = links_[entry].next;
      if (list.first_ >= 0) links_[list.first_].before = -1;
      else list.last_ = -1;
      list.entries_--;
    }
    list.entries_++;
    Put(entry, m, after);
    links_[entry] = {m.t, m.sensor, list.last_, -1, sequence};
    if (list.last_ >= 0) links_[list.last_].next = entry;
    else list.first_ = entry;
    list.last_ = entry;
    // The newest of the entries older than `late_s` stays, since a late measurement may start from its state.
    while (list.first_ != list.last_ && links_[links_[list.first_].next].t < m.t - late_s) {
      int32_t old = list.first_;
      list.first_ = links_[old].next;
      links_[list.first_].before = -1;
      Give(old);
      list.entries_--;
    }
  }

  /// Inserts a late measurement, without a state, after the entry that precedes it. Returns the new entry. −1 if no
  /// entry precedes it, too many follow, or there is no room.
  int32_t Insert(List& list, const Measurement& m, uint64_t sequence) {
    Link link{m.t, m.sensor, -1, -1, sequence};
    int32_t at = list.last_;
    // The number of measurements that are applied again is limited, so that a transmitter that sends a flood of old
    // reports costs little time.
    int again = 0;
    while (at >= 0 && Precedes(link, links_[at]) && ++again <= kMostAgain) at = links_[at].before;
    if (at < 0 || again > kMostAgain) return -1;
    int32_t entry = list.entries_ < 2 * kMostAgain ? Take() : -1;
    if (entry < 0) return -1;
    list.entries_++;
    link.before = at;
    link.next = links_[at].next;
    links_[entry] = link;
    entries_[entry].m = m;
    links_[at].next = entry;
    if (link.next >= 0) links_[link.next].before = entry;
    else list.last_ = entry;
    return entry;
  }

  void Clear(List& list) {
    for (int32_t e = list.first_; e >= 0;) {
      int32_t next = links_[e].next;
      Give(e);
      e = next;
    }
    list = {};
  }

  /// Prefetches the link of an entry; does nothing for −1. Once that link is read, AskForNext prefetches the link of
  /// the next entry in its list.
  void AskFor(int32_t entry) const {
    if (entry >= 0) Prefetch(links_[entry]);
  }
  void AskForNext(int32_t entry) const {
    if (entry >= 0) AskFor(links_[entry].next);
  }

 private:
  /// Takes an entry from the free list; −1 if the arena is full.
  int32_t Take() {
    int32_t entry = free_;
    if (entry >= 0) {
      free_ = links_[entry].next;
    } else if (links_.size() < most_) {
      entry = static_cast<int32_t>(links_.size());
      links_.emplace_back();
    }
    return entry;
  }

  void Give(int32_t entry) {
    links_[entry].next = free_;
    free_ = entry;
  }

  /// Writes an entry past the caches if the processor can, since the entry is rarely read again.
  void Put(int32_t i, const Measurement& m, const Imm& after) {
    Stream(m, entries_[i].m);
    Stream(after, entries_[i].after);
  }

  static bool Precedes(const Link& a, const Link& b) {
    if (a.t != b.t) return a.t < b.t;
    if (a.sensor != b.sensor) return a.sensor < b.sensor;
    return a.sequence < b.sequence;
  }

  size_t most_;
  // The array is not initialised. Memory pages of entries that are never used are thus never allocated: with few
  // aircraft this saves 11 MB.
  std::unique_ptr<HistoryEntry[]> entries_;
  std::vector<Link> links_;  // room is reserved for all entries; grows as they are first used
  int32_t free_ = -1;
};

}  // namespace dunlin
