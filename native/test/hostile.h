// Rows that nobody should send: each is a sane one spoilt.
#pragma once

#include <initializer_list>

#include "sky.h"

namespace dunlin {

/// What rows that must be rejected have for a sequence, so that answers to them can be told from others.
inline constexpr double kRejectedSequence = 1e9;

class Hostile {
 public:
  Hostile(uint64_t seed, const Limits& limits) : chance_(seed), limits_(limits) {}

  /// A row that must be rejected: one number of it is none, or lies where none can.
  Row Rejected(Row row) {
    constexpr double inf = std::numeric_limits<double>::infinity();
    double received = row[kColReceived];
    row[kColSequence] = kRejectedSequence;
    switch (chance_.Below(5)) {
      case 0: row[kColReceived] = One({kNone, inf, -inf}); break;
      case 1: row[kColTime] = One({kNone, inf, -inf, -1e15, 1e300, received + 61, received + 1e9}); break;
      case 2: row[kColSensor] = One({kNone, inf, -1, -1e300, 1e300, 1.0 * limits_.sensors, 1e9}); break;
      case 3: row[kColKind] = One({kNone, inf, -inf, -1, 4, 99}); break;
      default: SpoilPlace(row);
    }
    return row;
  }

  /// Anything at all: several numbers made nonsense, times and names mixed up, scans that promise the world.
  Row Anything(Row row) {
    static constexpr double kNonsense[] = {kNone, std::numeric_limits<double>::infinity(),
                                           -std::numeric_limits<double>::infinity(), -1, 0, -0.0, 1e-300, 1e300, -1e300,
                                           0.5, 359.9, -90, 90, 1e6, 4294967296.0, 1e15, -1e14};
    for (int left = 1 + chance_.Below(4); left > 0; left--) {
      int column = chance_.Below(kColumns);
      double value = kNonsense[chance_.Below(std::size(kNonsense))];
      // When it arrived is the daemon's own word: it is a time or none.
      if (column != kColReceived || !std::isfinite(value)) row[column] = value;
    }
    if (chance_.OneIn(4)) row[kColTime] += chance_.Between(-30, 60);
    if (chance_.OneIn(4)) row[kColReceived] -= chance_.Between(0, 20);
    if (chance_.OneIn(4)) row[kColSensor] = chance_.Below(limits_.sensors + 2);
    if (chance_.OneIn(4)) row[kColClaim] = chance_.Below(limits_.claims + 2);
    if (chance_.OneIn(4)) row[kColKind] = chance_.Below(4);
    if (chance_.OneIn(4)) row[kColSequence] = chance_.Below(50);
    if (chance_.OneIn(4)) row[kColPlots] = One({0, 1, 1e5, 1e300, -5});
    if (chance_.OneIn(4)) row[kColSdA] = row[kColSdB] = row[kColSdC] = One({-5, 0, 1e-12, 1e12});
    return row;
  }

 private:
  double One(std::initializer_list<double> values) { return values.begin()[chance_.Below(static_cast<int>(values.size()))]; }

  void SpoilPlace(Row& row) {
    switch (static_cast<int>(row[kColKind])) {
      case kPlot: return SpoilPlot(row);
      case kPosition: return SpoilPosition(row);
      default: row[kColSensor] = -1;
    }
  }

  void SpoilPlot(Row& row) {
    constexpr double inf = std::numeric_limits<double>::infinity();
    switch (chance_.Below(4)) {
      case 0: row[kColA] = One({kNone, inf, -inf, 721, -1e300}); break;
      case 1: row[kColB] = One({90.5, -91, 1e300}); break;
      case 2: row[kColC] = One({-1, 1.1e6, 1e300}); break;
      default: row[kColSensor] = kReceiver;  // it has no place to measure from
    }
  }

  void SpoilPosition(Row& row) {
    constexpr double inf = std::numeric_limits<double>::infinity();
    switch (chance_.Below(4)) {
      case 0: row[kColA] = One({kNone, inf, -inf, 90.5, -1e300}); break;
      case 1: row[kColB] = One({kNone, inf, -inf, 361, -1e300}); break;
      case 2: row[kColC] = One({inf, -inf, 1.1e6, -1e300}); break;
      default: row[kColEast + chance_.Below(3)] = One({inf, -inf, 1.1e5, -1e300});
    }
  }

  Chance chance_;
  Limits limits_;
};

}  // namespace dunlin
