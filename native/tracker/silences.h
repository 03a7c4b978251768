// Learns how silences of tracks end: with a return or for good. The result scales the rates at which silent tracks end.
#pragma once

#include <algorithm>

#include "settings.h"
#include "track.h"

namespace dunlin {

/// Limits of the probability that a track exists and is visible. A silent track counts as missing below kMissingBelow;
/// a missing track counts as back above kBackAbove.
inline constexpr double kMissingBelow = 0.05, kBackAbove = 0.95;
/// Time for which a track must have been received before its silences are learnt, s: a track received only briefly may
/// not be an aircraft.
inline constexpr double kKnownForS = 10;
/// Number of silences over which the learning averages; older silences count exponentially less.
inline constexpr double kSilencesKept = 50;

class Silences {
 public:
  /// Watches the silences of a confirmed track; true if `ending` changed. `is_alone()` returns whether no other
  /// track is near. Silences near other tracks are ignored, since the track seen again may be one of the others.
  ///
  /// A silence is learnt when it has reached the age `lost_s`, even if the aircraft came back earlier. Otherwise
  /// returns would be counted earlier than ends. A track received only briefly is ignored, since it may never have been
  /// an aircraft.
  template <typename IsAlone>
  bool Watch(Track& k, TrackCold& cold, double now, const Settings& set, IsAlone is_alone) {
    if (!k.missing) {
      k.missing = now - k.received > set.coast_s && k.shown < kMissingBelow && k.received - cold.born > kKnownForS;
      k.back = false;
      if (k.missing) cold.silent_from = k.received;
    } else if (!k.back && (k.claimed || k.shown > kBackAbove)) {
      k.missing = k.back = is_alone();
    } else if (k.back && now - cold.silent_from > set.lost_s) {
      k.missing = false;
      Learn(true, set);
      return true;
    }
    return false;
  }

  /// Learns from a track that goes to rest; true if `ending` changed.
  template <typename IsAlone>
  bool Rest(Track& k, const Settings& set, IsAlone is_alone) {
    bool learns = k.missing && (k.back || is_alone());
    if (learns) Learn(k.back, set);
    k.missing = false;
    return learns;
  }

  /// Learnt factor by which the end rates of the settings are multiplied.
  double ending() const { return ending_; }

 private:
  void Learn(bool back, const Settings& set) {
    came_back_ += back - came_back_ / kSilencesKept;
    had_gone_ += !back - had_gone_ / kSilencesKept;
    ending_ = std::clamp((set.silences + had_gone_) / (set.silences + came_back_), set.ending_least, set.ending_most);
  }

  double came_back_ = 0, had_gone_ = 0;  // recent silences that ended with a return, and those that did not
  double ending_ = 1;
};

}  // namespace dunlin
