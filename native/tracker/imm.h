// Two constant-velocity models that share one track: calm and manoeuvring (interacting multiple models; Blom and
// Bar-Shalom, IEEE TAC 33, 1988). A model is kept with the chance exp(−dt/τ), else drawn anew by fixed odds, so that
// sensors of any rate, one after another, move the odds alike.
#pragma once

#include <algorithm>
#include <cmath>

#include "gaussian.h"
#include "settings.h"

namespace dunlin {

struct Imm {
  Gaussian model[2];
  double calm;  // odds of model 0
};

/// The local vertical at a place in a site's axes: straight away from the centre of a sphere that touches the site.
inline void UpAt(const double* p, double* up) {
  constexpr double kRadiusM = 6371000;
  double z = p[2] + kRadiusM, scale = 1 / std::sqrt(p[0] * p[0] + p[1] * p[1] + z * z);
  up[0] = p[0] * scale;
  up[1] = p[1] * scale;
  up[2] = z * scale;
}

/// Metres over the sphere that touches the site.
inline double HeightOver(const double* p) {
  constexpr double kRadiusM = 6371000;
  double z = p[2] + kRadiusM;
  return std::sqrt(p[0] * p[0] + p[1] * p[1] + z * z) - kRadiusM;
}

/// Where two models believe the aircraft to be, with weight `w` on a.
inline void BlendPlaces(const Gaussian& a, const Gaussian& b, double w, double* p, Sym3& pp) {
  double u = 1 - w, dp[3], spread = w * u;
  for (int i = 0; i < 3; i++) {
    dp[i] = a.p[i] - b.p[i];
    p[i] = b.p[i] + w * dp[i];
  }
  for (int i = 0, k = 0; i < 3; i++)
    for (int j = i; j < 3; j++, k++) pp[k] = w * a.pp[k] + u * b.pp[k] + spread * dp[i] * dp[j];
}

/// Blends into `out` what two models believe, with weight `w` on a.
inline void Blend(const Gaussian& a, const Gaussian& b, double w, Gaussian& out) {
  double u = 1 - w, dp[3], dv[3], spread = w * u;
  for (int i = 0; i < 3; i++) {
    dp[i] = a.p[i] - b.p[i];
    dv[i] = a.v[i] - b.v[i];
    out.p[i] = b.p[i] + w * dp[i];
    out.v[i] = b.v[i] + w * dv[i];
  }
  for (int i = 0, k = 0; i < 3; i++)
    for (int j = i; j < 3; j++, k++) {
      out.pp[k] = w * a.pp[k] + u * b.pp[k] + spread * dp[i] * dp[j];
      out.vv[k] = w * a.vv[k] + u * b.vv[k] + spread * dv[i] * dv[j];
    }
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) out.pv[3 * i + j] = w * a.pv[3 * i + j] + u * b.pv[3 * i + j] + spread * dp[i] * dv[j];
}

/// Writes to `out`, another one, the state `dt` seconds on.
inline void PredictImm(const Imm& m, double dt, const Settings& set, Imm& out) {
  if (!(dt > 0)) {
    out = m;
    return;
  }
  double leave_calm = (1 - std::exp(-dt / set.calm_s)) * (1 - set.calm_odds);
  double leave_wild = (1 - std::exp(-dt / set.wild_s)) * set.calm_odds;
  double from_calm = m.calm * (1 - leave_calm), calm = from_calm + (1 - m.calm) * leave_wild;
  Blend(m.model[0], m.model[1], from_calm / calm, out.model[0]);
  Blend(m.model[0], m.model[1], m.calm * leave_calm / (1 - calm), out.model[1]);
  double up[3];
  UpAt(m.model[0].p, up);
  Predict(out.model[0], dt, set.q_calm, up);
  Predict(out.model[1], dt, set.q_wild, up);
  out.calm = calm;
}

/// What the track believes of the two likelihoods together: shifts the odds, returns the log-likelihood of both.
inline double WeighModels(Imm& m, double log_calm, double log_wild) {
  double top = std::max(log_calm, log_wild), a = m.calm, b = 1 - m.calm;
  if (top <= kImpossible) return kImpossible;
  (log_calm < log_wild ? a : b) *= std::exp(-std::fabs(log_calm - log_wild));
  m.calm = std::clamp(a / (a + b), 0.001, 0.999);
  return top + std::log(a + b);
}

inline void Combined(const Imm& m, Gaussian& out) { Blend(m.model[0], m.model[1], m.calm, out); }

}  // namespace dunlin
