// How far a claim is believed: held against the same aircraft as sensors alone see it.
#pragma once

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
  if (Update(g, m, sensors_.data()) <= kImpossible || !IsSound(g)) return;
  c.shadow = g;
  c.shadow_t = m.t;
  c.shadow_plots++;
}

/// Learns from what sensors alone believe how far the claim's places scatter and lie beside.
inline void Tracker::LearnNoise(Claim& c, const Gaussian& truth, const Measurement& m) {
  double s[6], inverse[6], log_det, y[3];
  for (int i = 0; i < 3; i++) y[i] = m.z[i] - truth.p[i];
  for (int i = 0; i < 6; i++) s[i] = truth.pp[i] + m.r[i];
  if (!Invert(s, inverse, log_det)) return;
  double a = std::max(set_.noise_ewma, 1 / (c.samples + 2));
  double over = Quadratic(inverse, y) / 3;
  double excess = (y[0] * y[0] + y[1] * y[1] + y[2] * y[2] - truth.pp[0] - truth.pp[3] - truth.pp[5]) /
                  (m.r[0] + m.r[3] + m.r[5]);
  c.error.Learn(over, excess, a);
  Scatter& source = sensors_[m.sensor].error;
  source.Learn(over, excess, 0.02);
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

inline void Tracker::Judge(Claim& c, const Track& k) {
  if (cold_[c.track].plots >= 3 && c.misses == 0 && !(c.reasons & kPositionDisagrees)) {
    c.verdict = Verdict::kConsistent;
    c.reasons = 0;
    return;
  }
  if (c.authentic) return;
  double gone = 1 - k.shown - k.hidden;
  if (gone > set_.ghost_verdict && c.misses >= set_.ghost_misses) {
    c.verdict = Verdict::kSuspect;
    c.reasons |= kNotSeenBySensor;
    cold_[c.track].dirty = true;
  }
}

}  // namespace dunlin
