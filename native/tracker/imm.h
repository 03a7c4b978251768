// Two constant-velocity models that share one track: calm and manoeuvring (interacting multiple models; Blom and
// Bar-Shalom, IEEE TAC 33, 1988). A model is kept with the chance exp(−dt/τ), else drawn anew, so that sensors of any
// rate, one after another, move the odds alike. The odds of the draw are each track's own: its habit. A measurement that
// makes the calm model likelier than it was predicted to be moves the habit towards calm, and the other way round; one
// that tells nothing of the models moves nothing.
#pragma once

#include <algorithm>
#include <cmath>

#include "gaussian.h"
#include "settings.h"

namespace dunlin {

/// 1 − exp(−x), kept for the x asked for last: the tracks of a look ask for the same one after another.
class Decay {
 public:
  double Gone(double x) {
    if (x != x_) {
      x_ = x;
      value_ = 1 - std::exp(-x);
    }
    return value_;
  }

 private:
  double x_ = 0, value_ = 0;
};

/// What may happen to a track within a time: a model is drawn anew; it hides, shows itself, ends, ends while hidden.
struct Decays {
  Decay calm_drawn, wild_drawn, hides, shows, ends, lapses;
};

struct Imm {
  GaussianPair both;  // calm, manoeuvring
  double calm;        // odds of the first
  double habit;       // odds of the first where a model is drawn anew
};

inline Gaussian ModelOf(const Imm& imm, int model) {
  Gaussian g;
  for (int i = 0; i < 3; i++) {
    g.p[i] = imm.both.p[i][model];
    g.v[i] = imm.both.v[i][model];
  }
  for (int k = 0; k < 6; k++) {
    g.pp[k] = imm.both.pp[k][model];
    g.vv[k] = imm.both.vv[k][model];
  }
  for (int k = 0; k < 9; k++) g.pv[k] = imm.both.pv[k][model];
  return g;
}

inline void SetModel(Imm& imm, int model, const Gaussian& g) {
  for (int i = 0; i < 3; i++) {
    imm.both.p[i][model] = g.p[i];
    imm.both.v[i][model] = g.v[i];
  }
  for (int k = 0; k < 6; k++) {
    imm.both.pp[k][model] = g.pp[k];
    imm.both.vv[k][model] = g.vv[k];
  }
  for (int k = 0; k < 9; k++) imm.both.pv[k][model] = g.pv[k];
}

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

/// Where both models believe the aircraft to be, with weight `w` on the calm one.
inline void BlendPlaces(const GaussianPair& g, double w, double* p, Sym3& pp) {
  double u = 1 - w, dp[3], spread = w * u;
  for (int i = 0; i < 3; i++) {
    dp[i] = g.p[i][0] - g.p[i][1];
    p[i] = g.p[i][1] + w * dp[i];
  }
  for (int i = 0, k = 0; i < 3; i++)
    for (int j = i; j < 3; j++, k++) pp[k] = w * g.pp[k][0] + u * g.pp[k][1] + spread * dp[i] * dp[j];
}

/// Blends into `out` what both models believe, with weight `w` on the calm one; or two such blends, with a weight each.
template <typename Number>
inline void Blend(const GaussianPair& g, Number w, GaussianOf<Number>& out) {
  Number u = 1 - w, spread = w * u;
  double dp[3], dv[3];
  for (int i = 0; i < 3; i++) {
    dp[i] = g.p[i][0] - g.p[i][1];
    dv[i] = g.v[i][0] - g.v[i][1];
    out.p[i] = g.p[i][1] + w * dp[i];
    out.v[i] = g.v[i][1] + w * dv[i];
  }
  for (int i = 0, k = 0; i < 3; i++)
    for (int j = i; j < 3; j++, k++) {
      out.pp[k] = w * g.pp[k][0] + u * g.pp[k][1] + spread * dp[i] * dp[j];
      out.vv[k] = w * g.vv[k][0] + u * g.vv[k][1] + spread * dv[i] * dv[j];
    }
  for (int i = 0, k = 0; i < 3; i++)
    for (int j = 0; j < 3; j++, k++) out.pv[k] = w * g.pv[k][0] + u * g.pv[k][1] + spread * dp[i] * dv[j];
}

/// Writes to `out`, another one, the state `dt` seconds on.
inline void PredictImm(const Imm& m, double dt, const Settings& set, Decays& decays, Imm& out) {
  if (!(dt > 0)) {
    out = m;
    return;
  }
  double leave_calm = decays.calm_drawn.Gone(dt / set.calm_s) * (1 - m.habit);
  double leave_wild = decays.wild_drawn.Gone(dt / set.wild_s) * m.habit;
  double from_calm = m.calm * (1 - leave_calm), calm = from_calm + (1 - m.calm) * leave_wild;
  Blend(m.both, Pair{from_calm / calm, m.calm * leave_calm / (1 - calm)}, out.both);
  double p[3] = {m.both.p[0][0], m.both.p[1][0], m.both.p[2][0]}, up[3];
  UpAt(p, up);
  Predict(out.both, dt, Pair{set.q_calm, set.q_wild}, up);
  out.calm = calm;
  out.habit = m.habit;
}

/// Shifts the odds to the model that a measurement fits better, and the habit with them; false where it fits neither.
inline bool WeighModels(Imm& m, const FitPair& fit, const Settings& set) {
  double calm = fit.distance2[0], wild = fit.distance2[1];
  if (!(std::min(calm, wild) < kImpossible.distance2)) return false;
  double a = m.calm * std::sqrt(fit.det[1] / fit.det[0]), b = 1 - m.calm;
  (calm > wild ? a : b) *= std::exp(-0.5 * std::fabs(calm - wild));
  if (!(a + b > 0)) return false;
  double predicted = m.calm;
  m.calm = std::clamp(a / (a + b), 0.001, 0.999);
  m.habit = std::clamp(m.habit + set.habit_gain * (m.calm - predicted), set.habit_least, set.habit_most);
  return true;
}

inline void Combined(const Imm& m, Gaussian& out) { Blend(m.both, m.calm, out); }

}  // namespace dunlin
