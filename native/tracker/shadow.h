// How far a claim is believed: held against the same aircraft as sensors alone see it.
#pragma once

#include "distance.h"
#include "tracker.h"

namespace dunlin {

/// Moves a state by `dt` of either sign; back in time it grows as vague as forward.
inline void Carry(Gaussian& g, double dt, double q) {
  double up[3];
  UpAt(g.p, up);
  if (dt >= 0) return Predict(g, dt, q, up);
  for (int i = 0; i < 3; i++) g.v[i] = -g.v[i];
  for (double& c : g.pv) c = -c;
  Predict(g, -dt, q, up);
  for (int i = 0; i < 3; i++) g.v[i] = -g.v[i];
  for (double& c : g.pv) c = -c;
}

inline bool Tracker::FreshShadow(const Claim& c, double t, Gaussian& at) const {
  if (c.shadow_plots < 3 || std::fabs(t - c.shadow_t) > set_.sensed_s) return false;
  at = c.shadow;
  Carry(at, t - c.shadow_t, 8);
  return true;
}

/// The same aircraft as sensors alone see it.
inline void Tracker::Shadow(Claim& c, const Measurement& m) {
  if (c.shadow_plots == 0 || std::fabs(m.t - c.shadow_t) > 10) {
    if (m.form != Form::kPlace) return;
    Gaussian& g = c.shadow;
    g = Gaussian{};
    for (int i = 0; i < 3; i++) g.p[i] = m.z[i];
    for (int i = 0; i < 6; i++) g.pp[i] = m.r[i];
    for (int i = 0; i < 3; i++) g.vv[kSym[i][i]] = set_.speed_sd_mps * set_.speed_sd_mps;
    c.shadow_t = m.t;
    c.shadow_plots = 1;
    return;
  }
  if (m.t < c.shadow_t) return;
  Gaussian g = c.shadow;
  double up[3];
  UpAt(g.p, up);
  Predict(g, m.t - c.shadow_t, 8, up);
  if (!IsPossible(Update(g, m, sensors_.data())) || !IsSound(g)) return;
  c.shadow = g;
  c.shadow_t = m.t;
  c.shadow_plots++;
}

/// How many times their declared variance the errors of all who are heard through a sensor show; of few it is not told
/// apart from what one of them makes up.
inline double Tracker::SourceNoise(int sensor) const {
  const Scatter& source = sensors_[sensor].error;
  bool many = source.alone < set_.source_alone;
  return many && source.over > set_.source_stands_out ? std::clamp(source.scale, 1.0, set_.noise_most) : 1;
}

/// Learns from what sensors alone believe how far the claim's places scatter and lie beside.
inline void Tracker::LearnNoise(int who, const Gaussian& truth, const Measurement& m) {
  Claim& c = claims_[who];
  double s[6], inverse[6], det, y[3];
  for (int i = 0; i < 3; i++) y[i] = m.z[i] - truth.p[i];
  for (int i = 0; i < 6; i++) s[i] = truth.pp[i] + m.r[i];
  if (!Invert(s, inverse, det)) return;
  double a = std::max(set_.noise_ewma, 1 / (c.samples + 2));
  double over = Quadratic(inverse, y) / 3;
  double excess = (y[0] * y[0] + y[1] * y[1] + y[2] * y[2] - truth.pp[0] - truth.pp[3] - truth.pp[5]) /
                  (m.r[0] + m.r[3] + m.r[5]);
  c.error.Learn(over, excess, a);
  Scatter& source = sensors_[m.sensor].error;
  source.Learn(over, excess, 0.02);
  source.Hear(who, 0.02);
  // One aircraft's residuals are few and move together: they must stand out further than those of all it shares a
  // source with.
  bool known = c.samples >= set_.noise_samples && c.error.over > set_.noise_stands_out;
  double noise = known ? c.error.scale
                 : source.over > set_.source_stands_out ? source.scale : 1;
  c.noise = std::clamp(noise, 1.0, set_.noise_most);
  for (int i = 0; i < 3; i++) {
    c.bias[i] += a * (y[i] - c.bias[i]);
    c.bias_variance[i] += a * (truth.pp[kSym[i][i]] - c.bias_variance[i]);
  }
  c.samples++;
}

/// A claim's words and its shadow are taken to have parted so far from each other.
inline constexpr double kApartM = 30;

/// A plot that lies where a claimed aircraft would be by what sensors saw of it, and not where it says: it has gone
/// elsewhere in its words only. The shadow follows the plot.
inline bool Tracker::KeepsShadow(const Plot& p) {
  int best = -1;
  double least = set_.stitch_gate;
  grid_.Near(Grid::kClaimed, p.m.z[0], p.m.z[1], set_.shadow_m, [&](int slot) {
    const Track& k = tracks_[slot];
    if (claims_[k.claim].authentic || p.m.t < claims_[k.claim].shadow_t || !IsWithin(slot, p.m.z, p.m.t, set_.shadow_m)) return;
    Gaussian at;
    if (!FreshShadow(claims_[k.claim], p.m.t, at)) return;
    double apart2 = 0, d2 = DistanceTo(at, p.m.z, p.m.r, 0);
    for (int i = 0; i < 2; i++) apart2 += std::pow(k.imm.both.p[i][0] - at.p[i], 2);
    // While both are in one place, the plot is of something else beside them.
    if (d2 < least && apart2 > 4 * std::max(at.pp[0], at.pp[3]) + kApartM * kApartM) {
      least = d2;
      best = slot;
    }
  });
  if (best < 0) return false;
  Shadow(claims_[tracks_[best].claim], p.m);
  return true;
}

/// Sensors lost the aircraft that a claim had, and see one where it would be by now, far from where the claim says: that
/// one is the shadow.
inline bool Tracker::FindShadowAgain(Claim& c, const Measurement& m) {
  double gap = m.t - c.shadow_t;
  if (c.shadow_plots < 3 || c.misses < 2 || gap < 1 || gap > 2 * set_.sensed_s) return false;
  Gaussian at = c.shadow;
  Carry(at, gap, 8);
  int best = -1;
  double least = set_.stitch_gate;
  grid_.Near(Grid::kAnonymous, at.p[0], at.p[1], set_.shadow_m, [&](int slot) {
    const Track& k = tracks_[slot];
    if (!k.placed || k.life == Life::kResting || cold_[slot].plots < 2 || !IsWithin(slot, at.p, m.t, set_.shadow_m)) return;
    Gaussian g;
    Combined(k.imm, g);
    double d2 = DistanceTo(at, g.p, g.pp, 0);
    if (d2 < least && DistanceTo(g, m.z, m.r, set_.conflict_slack_m) > set_.conflict_gate / 2) {
      least = d2;
      best = slot;
    }
  });
  if (best < 0) return false;
  Combined(tracks_[best].imm, c.shadow);
  c.shadow_t = tracks_[best].t;
  c.shadow_plots += cold_[best].plots;
  uint32_t heir = tracks_[c.track].number;
  Finish(best, EndReason::kMerged, heir);
  return true;
}

/// What is held of a claim after a look that saw it, or should have.
inline void Tracker::Judge(Claim& c, Track& k) {
  Verdict before = c.verdict;
  bool seen = cold_[c.track].plots >= 3 && c.misses == 0;
  if (seen && !(c.reasons & kPositionDisagrees)) {
    c.verdict = Verdict::kConsistent;
    c.reasons = 0;
  } else if (!c.authentic) {
    bool ghost = 1 - k.shown - k.hidden > set_.ghost_verdict && c.misses >= set_.ghost_misses;
    // Seen once, it may be hidden for a while. Not for ever, under the eyes of what should see it.
    if (ghost || c.misses >= set_.hidden_misses) {
      c.verdict = Verdict::kSuspect;
      c.reasons |= kNotSeenBySensor;
    } else if (c.verdict == Verdict::kConsistent && c.misses >= set_.stale_misses) {
      c.verdict = Verdict::kUnchecked;
    }
  }
  k.dirty |= c.verdict != before;
}

}  // namespace dunlin
