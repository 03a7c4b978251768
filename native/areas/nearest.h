// Rows of the areas that are nearest to one track.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>

#include "../layouts.h"
#include "kernels.h"

namespace dunlin {

/// The nearest areas so far. An area that contains the track has the distance 0 here, however deep inside the track is.
/// A large area thus does not displace a small one. Equal distances are ordered by the index of the area.
class Nearest {
 public:
  /// Greatest number of rows in this list; a track has two lists (`Round` in areas.h).
  static constexpr int kMost = kLimitAreaRowsOfAKind;

  int count = 0, dropped = 0;

  Nearest() { Clear(); }

  bool IsFull() const { return count == kMost; }
  double Farthest() const { return farthest_; }
  double* Room() { return rows_[IsFull() ? spare_ : count]; }
  /// Adds the row that the caller has written to the memory returned by `Room`. If there are then more than kMost rows,
  /// drops the farthest.
  void Take() {
    int at = IsFull() ? spare_ : count;
    aways_[at] = std::max(0.0, rows_[at][kAreaDistanceM]);
    things_[at] = rows_[at][kAreaThing];
    if (!IsFull()) {
      farthest_ = Greater(aways_[at], farthest_);
      count++;
      return;
    }
    dropped++;
    spare_ = Last();
    aways_[spare_] = kFarOff;
    farthest_ = 0;
    for (double away : aways_) farthest_ = away < kFarOff ? Greater(away, farthest_) : farthest_;
  }
  void Clear() {
    count = dropped = 0;
    farthest_ = 0;
    spare_ = kMost;
    std::fill(aways_, aways_ + kSlots, kFarOff);
  }
  /// Writes the rows by ascending distance; returns the end of the written memory.
  double* Write(const Kernels& kernels, double* to) const {
    uint8_t order[kSlots];
    kernels.order(aways_, things_, static_cast<size_t>(spare_ < kMost ? kMost + 1 : count), order);
    for (int i = 0; i < count; i++, to += kAreaWidth) std::memcpy(to, rows_[order[i]], sizeof rows_[0]);
    return to;
  }

 private:
  /// Number of slots: more than kMost, and a multiple of four as kernels.order requires.
  static constexpr int kSlots = 12;
  static_assert(kSlots > kMost && kSlots % 4 == 0);

  int Last() const {
    int last = 0;
    for (int i = 1; i <= kMost; i++)
      if (aways_[i] > aways_[last] || (aways_[i] == aways_[last] && things_[i] > things_[last])) last = i;
    return last;
  }

  int spare_ = kMost;
  double farthest_ = 0;
  double aways_[kSlots], things_[kSlots] = {};
  double rows_[kMost + 1][kAreaWidth];
};

}  // namespace dunlin
