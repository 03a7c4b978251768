// A track and its measurements, in time and late.
#pragma once

#include "tracker.h"

namespace dunlin {

/// Updates run again for one that came late, and remembered of one track, at most.
inline constexpr int kMostAgain = 64;

/// The state as of `t`, also in the past as far as it is remembered; false where the track was not yet there.
inline bool Tracker::StateAt(int slot, double t, Imm& out) const {
  const Track& k = tracks_[slot];
  if (t >= k.t) {
    PredictImm(k.imm, t - k.t, set_, decays_, out);
    return true;
  }
  for (int32_t e = cold_[slot].last; e >= 0; e = history_.link(e).before) {
    if (history_.link(e).t > t) continue;
    PredictImm(history_[e].after, t - history_.link(e).t, set_, decays_, out);
    return true;
  }
  return false;
}

/// Takes in what was measured; false where no sound state is left.
inline bool Tracker::Learn(Imm& imm, const Measurement& m) const {
  return UpdateImm(imm, m, sensors_.data(), set_) && IsSound(imm.both);
}

/// Updates a track; `predicted` is its state at m.t where that is known already, and is used up. False: too late, or no
/// number left.
inline bool Tracker::Observe(int slot, const Measurement& m, uint64_t sequence, Imm* predicted) {
  Track& k = tracks_[slot];
  if (m.t < k.t) return ObserveLate(slot, m, sequence);
  Imm moved;
  if (!predicted) {
    PredictImm(k.imm, m.t - k.t, set_, decays_, moved);
    predicted = &moved;
  }
  if (!Learn(*predicted, m)) return false;
  k.imm = *predicted;
  k.t = m.t;
  Remember(slot, m, sequence);
  Chart(slot);
  Locate(slot, now_);
  return true;
}

/// Puts a measurement where it belongs in time and runs those after it again.
inline bool Tracker::ObserveLate(int slot, const Measurement& m, uint64_t sequence) {
  Track& k = tracks_[slot];
  TrackCold& cold = cold_[slot];
  History::Link link{m.t, m.sensor, -1, -1, sequence};
  int32_t at = cold.last;
  if (m.t < k.t - set_.late_s) return false;
  // One who floods with old reports gets no more than so many run again.
  int again = 0;
  while (at >= 0 && History::Precedes(link, history_.link(at)) && ++again <= kMostAgain) at = history_.link(at).before;
  if (at < 0 || again > kMostAgain) return false;
  int32_t entry = cold.entries < 2 * kMostAgain ? history_.Take() : -1;
  if (entry < 0) return false;
  cold.entries++;
  link.before = at;
  link.next = history_.link(at).next;
  history_.link(entry) = link;
  history_[entry].m = m;
  history_.link(at).next = entry;
  if (link.next >= 0) history_.link(link.next).before = entry;
  else cold.last = entry;
  for (int32_t i = entry; i >= 0; at = i, i = history_.link(i).next) {
    double dt = history_.link(i).t - history_.link(at).t;
    PredictImm(history_[at].after, dt, set_, decays_, history_[i].after);
    // What makes no sense any more changes nothing.
    if (!Learn(history_[i].after, history_[i].m)) PredictImm(history_[at].after, dt, set_, decays_, history_[i].after);
  }
  k.imm = history_[at].after;
  k.t = history_.link(at).t;
  Chart(slot);
  Locate(slot, now_);
  return true;
}

inline void Tracker::Remember(int slot, const Measurement& m, uint64_t sequence) {
  TrackCold& cold = cold_[slot];
  int32_t entry = cold.entries < kMostAgain ? history_.Take() : -1;
  if (entry < 0) {
    // No room: the track gives up its own oldest.
    if (cold.first < 0) return;
    entry = cold.first;
    cold.first = history_.link(entry).next;
    if (cold.first >= 0) history_.link(cold.first).before = -1;
    else cold.last = -1;
    cold.entries--;
  }
  cold.entries++;
  history_.Put(entry, m, tracks_[slot].imm);
  history_.link(entry) = {m.t, m.sensor, cold.last, -1, sequence};
  if (cold.last >= 0) history_.link(cold.last).next = entry;
  else cold.first = entry;
  cold.last = entry;
  // The newest that is old enough stays: what comes late starts from it.
  while (cold.first != cold.last && history_.link(history_.link(cold.first).next).t < m.t - set_.late_s) {
    int32_t old = cold.first;
    cold.first = history_.link(old).next;
    history_.link(cold.first).before = -1;
    history_.Give(old);
    cold.entries--;
  }
}

inline void Tracker::Forget(int slot) {
  TrackCold& cold = cold_[slot];
  for (int32_t e = cold.first; e >= 0;) {
    int32_t next = history_.link(e).next;
    history_.Give(e);
    e = next;
  }
  cold.first = cold.last = -1;
  cold.entries = 0;
}

}  // namespace dunlin
