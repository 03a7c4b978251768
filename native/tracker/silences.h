// Learnt ends of silences: they give the rates at which silent tracks end.
#pragma once

#include <algorithm>

#include "settings.h"
#include "track.h"

namespace dunlin {

/// A track is missing below this chance that it is there and seen, and back above the other.
inline constexpr double kMissingBelow = 0.05, kBackAbove = 0.95;
/// A track received for longer than this is an aircraft's, s.
inline constexpr double kKnownForS = 10;
/// Memory of the learning: number of silences that count, the latest most.
inline constexpr double kSilencesKept = 50;

class Silences {
 public:
  /// Watches a confirmed track; true where it changed `ending`. `is_alone()` says whether no other track is near: there
  /// nothing is learnt, since a track seen again may be one of those.
  ///
  /// A silence is learnt from as late where the aircraft came back as where it did not: else the first would come to
  /// count before the others do. A track received for a short time only may never have been an aircraft.
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

  /// The track goes to rest; true where `ending` changed.
  template <typename IsAlone>
  bool Rest(Track& k, const Settings& set, IsAlone is_alone) {
    bool learns = k.missing && (k.back || is_alone());
    if (learns) Learn(k.back, set);
    k.missing = false;
    return learns;
  }

  /// Factor of the rates of ending in the settings.
  double ending() const { return ending_; }

 private:
  void Learn(bool back, const Settings& set) {
    came_back_ += back - came_back_ / kSilencesKept;
    had_gone_ += !back - had_gone_ / kSilencesKept;
    ending_ = std::clamp((set.silences + had_gone_) / (set.silences + came_back_), set.ending_least, set.ending_most);
  }

  double came_back_ = 0, had_gone_ = 0;  // silences of late, by how they ended
  double ending_ = 1;
};

}  // namespace dunlin
