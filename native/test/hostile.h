// Invalid observation rows: each is a valid row with changed values.
#pragma once

#include <initializer_list>

#include "sky.h"

namespace dunlin {

/// Sequence number of all rows that must be rejected; it distinguishes their answers from others.
inline constexpr double kRejectedSequence = 1e9;

class Hostile {
 public:
  Hostile(uint64_t seed, const Limits& limits) : chance_(seed), limits_(limits) {}

  /// Returns a row that must be rejected: one of its numbers is not finite or out of range.
  Row Rejected(Row row) {
    constexpr double inf = std::numeric_limits<double>::infinity();
    double received = row[kObservedReceivedS];
    row[kObservedSequence] = kRejectedSequence;
    switch (chance_.Below(5)) {
      case 0: row[kObservedReceivedS] = One({kNone, inf, -inf}); break;
      case 1: row[kObservedTimeS] = One({kNone, inf, -inf, -1e15, 1e300, received + 61, received + 1e9}); break;
      case 2: row[kObservedSensor] = One({kNone, inf, -1, -1e300, 1e300, 1.0 * limits_.sensors, 1e9}); break;
      case 3: row[kObservedKind] = One({kNone, inf, -inf, -1, 4, 99}); break;
      default: SpoilPlace(row);
    }
    return row;
  }

  /// Returns a row with several random changes: nonsense values, other times, sensors, claims and kinds, and impossible
  /// numbers of plots. The row may be valid or invalid.
  Row Anything(Row row) {
    static constexpr double kNonsense[] = {kNone, std::numeric_limits<double>::infinity(),
                                           -std::numeric_limits<double>::infinity(), -1, 0, -0.0, 1e-300, 1e300, -1e300,
                                           0.5, 359.9, -90, 90, 1e6, 4294967296.0, 1e15, -1e14};
    for (int left = 1 + chance_.Below(4); left > 0; left--) {
      int column = chance_.Below(kObservedWidth);
      double value = kNonsense[chance_.Below(std::size(kNonsense))];
      // The daemon itself writes the time of reception, so no finite nonsense value is possible there.
      if (column != kObservedReceivedS || !std::isfinite(value)) row[column] = value;
    }
    if (chance_.OneIn(4)) row[kObservedTimeS] += chance_.Between(-30, 60);
    if (chance_.OneIn(4)) row[kObservedReceivedS] -= chance_.Between(0, 20);
    if (chance_.OneIn(4)) row[kObservedSensor] = chance_.Below(limits_.sensors + 2);
    if (chance_.OneIn(4)) row[kObservedClaim] = chance_.Below(limits_.claims + 2);
    if (chance_.OneIn(4)) row[kObservedKind] = chance_.Below(4);
    if (chance_.OneIn(4)) row[kObservedFused] = chance_.Below(2);
    if (chance_.OneIn(4)) row[kObservedSequence] = chance_.Below(50);
    if (chance_.OneIn(4)) row[kObservedPlots] = One({0, 1, 1e5, 1e300, -5});
    if (chance_.OneIn(4)) row[kObservedSdAzimuthDegOrHM] = row[kObservedSdElevationDegOrVM] = row[kObservedSdRangeM] = One({-5, 0, 1e-12, 1e12});
    return row;
  }

 private:
  double One(std::initializer_list<double> values) { return values.begin()[chance_.Below(static_cast<int>(values.size()))]; }

  void SpoilPlace(Row& row) {
    switch (static_cast<int>(row[kObservedKind])) {
      case kObservedKindPlot: return SpoilPlot(row);
      case kObservedKindPosition: return SpoilPosition(row);
      default: row[kObservedSensor] = -1;
    }
  }

  void SpoilPlot(Row& row) {
    constexpr double inf = std::numeric_limits<double>::infinity();
    switch (chance_.Below(4)) {
      case 0: row[kObservedAzimuthOrLatDeg] = One({kNone, inf, -inf, 721, -1e300}); break;
      case 1: row[kObservedElevationOrLonDeg] = One({90.5, -91, 1e300}); break;
      case 2: row[kObservedRangeOrAltHaeM] = One({-1, 1.1e6, 1e300}); break;
      default: row[kObservedSensor] = kReceiver;  // this sensor has no position, so its plots are invalid
    }
  }

  void SpoilPosition(Row& row) {
    constexpr double inf = std::numeric_limits<double>::infinity();
    switch (chance_.Below(4)) {
      case 0: row[kObservedAzimuthOrLatDeg] = One({kNone, inf, -inf, 90.5, -1e300}); break;
      case 1: row[kObservedElevationOrLonDeg] = One({kNone, inf, -inf, 361, -1e300}); break;
      case 2: row[kObservedRangeOrAltHaeM] = One({inf, -inf, 1.1e6, -1e300}); break;
      default: row[kObservedEastMps + chance_.Below(3)] = One({inf, -inf, 1.1e5, -1e300});
    }
  }

  Chance chance_;
  Limits limits_;
};

}  // namespace dunlin
