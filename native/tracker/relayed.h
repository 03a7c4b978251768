// States of aircraft that fusion systems alone report: the newest report, intersected with the latest of each other
// system.
#pragma once

#include <algorithm>

#include "history.h"

namespace dunlin {

/// Greatest number of fusion systems whose latest reports make one state.
inline constexpr int kMostSystems = 8;

/// Whether an entry of a track's history and all before it are reports of fusion systems with a velocity.
inline bool IsRelayed(const History& history, int32_t entry) {
  if (entry < 0) return false;
  for (; entry >= 0; entry = history.link(entry).before) {
    const Measurement& m = history[entry].m;
    if (!IsFused(m.form) || m.rv[0] <= 0) return false;
  }
  return true;
}

/// Intersects a state, which is the report `m` of one fusion system, with the latest report of each other system. These
/// are predicted to the time of `m`. The search begins at `entry` of the history and goes back. Each system's own filter
/// has used all earlier reports, so no memory of them is needed (fusion without memory: Tian and Bar-Shalom,
/// "Track-to-track fusion configurations and association in a sliding window", JAIF 4(2), 2009). The share of each
/// report is the inverse of its variance (fast covariance intersection: Niehsen, FUSION 2002). The share that leaves
/// the least covariance would leave out each report that is a little older than another.
inline void IntersectOthers(Imm& imm, const Measurement& m, const History& history, int32_t entry, const Settings& set,
                            Decays& decays) {
  auto variance = [](const Sym3& r) { return r[0] + r[3] + r[5]; };
  int32_t seen[kMostSystems] = {m.sensor};
  int count = 1;
  double shares = 1 / variance(m.r);
  Gaussian fused = ModelOf(imm, 0);
  for (; entry >= 0 && count < kMostSystems; entry = history.link(entry).before) {
    const Measurement& other = history[entry].m;
    if (!IsFused(other.form) || other.rv[0] <= 0) continue;
    if (std::find(seen, seen + count, other.sensor) != seen + count) continue;
    seen[count++] = other.sensor;
    Gaussian g = ModelOf(imm, 0), before = fused;
    if (!IsPossible(Adopt(g, other.z, other.r, other.v, other.rv))) continue;
    Imm then = imm, moved;
    for (int i : {0, 1}) SetModel(then, i, g);
    PredictImm(then, m.t - other.t, set, decays, moved);
    Combined(moved, g);
    double share = 1 / variance(g.pp);
    if (IntersectAt(shares / (shares + share), fused, g.p, g.pp, g.v, g.vv, true)) shares += share;
    else fused = before;
  }
  if (count == 1) return;
  Imm out = imm;
  for (int i : {0, 1}) SetModel(out, i, fused);
  if (IsSound(out.both)) imm = out;
}

}  // namespace dunlin
