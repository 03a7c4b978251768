// Crowds that fly as one.
#pragma once

#include "tracker.h"

namespace dunlin {

/// Many side by side, as fast as each other, fly as one: each takes the others' mean velocity for a hint of its own, so
/// that a plot given to the wrong one of them does not send it elsewhere. What is not in a crowd is not touched.
inline void Tracker::Flock() {
  flock_.clear();
  for (const Candidate& c : candidates_) {
    if (c.edge < 0 || look_[edges_[c.edge].plot].pairs < set_.flock_least) continue;
    const Track& k = tracks_[c.track];
    Hint hint{c.track, {}, {}};
    if (k.claim < 0 && k.life == Life::kConfirmed && MeanBeside(c.track, hint)) flock_.push_back(hint);
  }
  for (const Hint& hint : flock_) {
    Track& k = tracks_[hint.track];
    UpdateVelocities(k.imm, hint.v, hint.r);
    if (cold_[hint.track].last >= 0) history_[cold_[hint.track].last].after = k.imm;
    Chart(hint.track);
  }
}

/// The mean velocity of those around a track; false where they are few, or fly each their own way.
inline bool Tracker::MeanBeside(int slot, Hint& hint) const {
  Gaussian own, g;
  Combined(tracks_[slot].imm, own);
  double square = 0, reach2 = set_.flock_m * set_.flock_m;
  int count = 0;
  grid_.Near(Grid::kAnonymous, own.p[0], own.p[1], set_.flock_m, [&](int other) {
    const Track& o = tracks_[other];
    if (other == slot || o.life != Life::kConfirmed || std::fabs(tracks_[slot].t - o.t) > 2) return;
    Combined(o.imm, g);
    double d2 = 0;
    for (int i = 0; i < 3; i++) d2 += (g.p[i] - own.p[i]) * (g.p[i] - own.p[i]);
    if (d2 > reach2) return;
    count++;
    for (int i = 0; i < 3; i++) {
      hint.v[i] += g.v[i];
      square += g.v[i] * g.v[i];
    }
  });
  if (count < set_.flock_least) return false;
  double spread = square / count;
  for (double& v : hint.v) {
    v /= count;
    spread -= v * v;
  }
  if (spread > set_.flock_spread_mps * set_.flock_spread_mps) return false;
  hint.r[0] = hint.r[3] = hint.r[5] = set_.flock_sd_mps * set_.flock_sd_mps + std::max(spread, 0.0) / count;
  return true;
}

}  // namespace dunlin
