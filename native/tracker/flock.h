// Aircraft that fly together in a crowd.
#pragma once

#include <algorithm>
#include <vector>

#include "association.h"

namespace dunlin {

class Flock {
 public:
  Flock(const Settings& set, TrackTable& tracks) : set_(set), tracks_(tracks) { hints_.reserve(tracks.capacity()); }

  /// Updates confirmed tracks without a claim that fly side by side at similar velocities. Each is updated with the
  /// mean velocity of its neighbours, so that a plot assigned to the wrong track does not divert it. Changes only
  /// tracks whose plot may belong to at least `flock_least` tracks.
  void Steer(const ScanAssociation& scan);

 private:
  /// Mean velocity of the tracks around a track, m/s, and its covariance.
  struct Hint {
    int track;
    double v[3];
    Sym3 r;
  };

  bool MeanBeside(int slot, Hint& hint) const;

  const Settings& set_;
  TrackTable& tracks_;
  std::vector<Hint> hints_;
};

inline void Flock::Steer(const ScanAssociation& scan) {
  hints_.clear();
  for (const ScanCandidate& c : scan.candidates()) {
    if (c.edge < 0 || scan.PairsOf(c) < set_.flock_least) continue;
    const Track& k = tracks_[c.track];
    Hint hint{c.track, {}, {}};
    if (k.claim < 0 && k.life == Life::kConfirmed && MeanBeside(c.track, hint)) hints_.push_back(hint);
  }
  for (const Hint& hint : hints_) tracks_.TakeVelocityHint(hint.track, hint.v, hint.r);
}

/// Computes the mean velocity of the tracks around a track. False if there are fewer than `flock_least`, or their
/// velocities differ too much.
inline bool Flock::MeanBeside(int slot, Hint& hint) const {
  Gaussian own, g;
  Combined(tracks_[slot].imm, own);
  double square = 0, reach2 = set_.flock_m * set_.flock_m;
  int count = 0;
  tracks_.grid().Near(Grid::kAnonymous, own.p[0], own.p[1], set_.flock_m, [&](int other) {
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
