// Two constant-velocity models that share one track: calm and manoeuvring (interacting multiple models; Blom and
// Bar-Shalom, IEEE TAC 33, 1988). Over a time dt a track keeps its model with probability exp(−dt/τ); otherwise its
// model is drawn anew. The probabilities thus develop alike at any rate of measurements. `habit`, the probability that
// the draw gives the calm model, is learnt for each track. A measurement that makes the calm model likelier than
// predicted raises the habit; one that makes it less likely lowers it. A measurement that fits both models alike
// changes nothing.
//
// A turn needs much noise along the ground and none along the vertical; a dive needs both. Each track therefore learns
// `climb`, the vertical noise density of the manoeuvring model divided by its horizontal noise density. Successive
// height innovations of one sign raise this ratio. Alternating innovations, which are measurement noise, lower it.
#pragma once

#include <algorithm>
#include <cmath>

#include "gaussian.h"
#include "settings.h"

namespace dunlin {

/// Computes 1 − exp(−x) and caches the last result: most tracks of a scan need the same value.
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

/// Caches of the probabilities of five events within a time step: the model of a track is drawn anew (one cache for
/// each model), a track hides, appears, ends while visible, or ends while hidden.
struct Decays {
  Decay calm_drawn, wild_drawn, hides, shows, ends, lapses;
  double ending = 1;  // learnt factor of the rate at which silent tracks end
};

struct Imm {
  GaussianPair both;  // calm, manoeuvring
  float calm;         // probability of the calm model; float, so that a track fits its cache lines
  float habit;        // probability that a newly drawn model is the calm one
  float climb;        // vertical noise density of the manoeuvring model divided by its horizontal noise density
  float rising;       // mean of the last height innovations, in standard deviations
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

/// Radius of the sphere that touches the site, m.
inline constexpr double kSphereM = 6371000;

/// Computes the local vertical at a position in the site's axes: the direction away from the centre of the sphere that
/// touches the site.
inline void UpAt(const double* p, double* up) {
  double z = p[2] + kSphereM, scale = 1 / std::sqrt(p[0] * p[0] + p[1] * p[1] + z * z);
  up[0] = p[0] * scale;
  up[1] = p[1] * scale;
  up[2] = z * scale;
}

/// Height over the sphere that touches the site, m.
inline double HeightOver(const double* p) {
  double z = p[2] + kSphereM;
  return std::sqrt(p[0] * p[0] + p[1] * p[1] + z * z) - kSphereM;
}

/// Blends the positions of both models, with weight `w` on the calm model.
inline void BlendPlaces(const GaussianPair& g, double w, double* p, Sym3& pp) {
  double u = 1 - w, dp[3], spread = w * u;
  for (int i = 0; i < 3; i++) {
    dp[i] = g.p[i][0] - g.p[i][1];
    p[i] = g.p[i][1] + w * dp[i];
  }
  for (int i = 0, k = 0; i < 3; i++)
    for (int j = i; j < 3; j++, k++) pp[k] = w * g.pp[k][0] + u * g.pp[k][1] + spread * dp[i] * dp[j];
}

/// Blends both models into `out`, with weight `w` on the calm model. If `Number` is Pair, makes two blends, one for
/// each weight in `w`.
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

/// Writes the state `dt` seconds ahead to `out`, which must not be `m` itself. A `dt` of 0 or less copies the state.
inline void PredictImm(const Imm& m, double dt, const Settings& set, Decays& decays, Imm& out) {
  if (!(dt > 0)) {
    out = m;
    return;
  }
  double odds = m.calm, habit = m.habit;
  double leave_calm = decays.calm_drawn.Gone(dt / set.calm_s) * (1 - habit);
  double leave_wild = decays.wild_drawn.Gone(dt / set.wild_s) * habit;
  double from_calm = odds * (1 - leave_calm), calm = from_calm + (1 - odds) * leave_wild;
  Blend(m.both, Pair{from_calm / calm, odds * leave_calm / (1 - calm)}, out.both);
  double p[3] = {m.both.p[0][0], m.both.p[1][0], m.both.p[2][0]}, up[3];
  UpAt(p, up);
  Predict(out.both, dt, Pair{set.q_calm, set.q_wild}, up, Pair{kClimb, m.climb});
  out.calm = static_cast<float>(calm);
  out.habit = m.habit;
  out.climb = m.climb;
  out.rising = m.rising;
}

/// Shifts the probabilities of the models, and the habit, towards the model that a measurement fits better. False if
/// it fits neither.
inline bool WeighModels(Imm& m, const FitPair& fit, const Settings& set) {
  double calm = fit.distance2[0], wild = fit.distance2[1];
  if (!(std::min(calm, wild) < kImpossible.distance2)) return false;
  double predicted = m.calm, a = predicted * std::sqrt(fit.det[1] / fit.det[0]), b = 1 - predicted;
  (calm > wild ? a : b) *= std::exp(-0.5 * std::fabs(calm - wild));
  if (!(a + b > 0)) return false;
  double odds = std::clamp(a / (a + b), 0.001, 0.999);
  double habit = m.habit + set.habit_gain * (odds - predicted);
  m.calm = static_cast<float>(odds);
  m.habit = static_cast<float>(std::clamp(habit, set.habit_least, set.habit_most));
  return true;
}

/// Learns from a position `z` of covariance `r` how much the height manoeuvres. Call it before the update with `z`.
inline void LearnClimb(Imm& m, const double* z, const Sym3& r, const Settings& set) {
  constexpr double kMost = 3;  // standard deviations: limits the effect of one outlier
  double w = m.calm, u = 1 - w, up[3] = {z[0], z[1], z[2] + kSphereM};  // not normalised: its length cancels below
  Pair s[6];
  for (int k = 0; k < 6; k++) s[k] = m.both.pp[k] + r[k];
  Pair variance = Quadratic(s, up);
  Pair off = up[0] * (z[0] - m.both.p[0]) + up[1] * (z[1] - m.both.p[1]) + up[2] * (z[2] - m.both.p[2]);
  double apart = off[0] - off[1], expected = w * variance[0] + u * variance[1] + w * u * apart * apart;
  if (!(expected > 0)) return;  // the models cannot be updated with this position either
  double innovation = std::clamp((w * off[0] + u * off[1]) / std::sqrt(expected), -kMost, kMost);
  double x = set.climb_gain * innovation * m.rising, even = 12 + x * x;
  double climb = m.climb * (even + 6 * x) / (even - 6 * x);  // approximately m.climb * exp(x), but cheaper
  m.climb = static_cast<float>(std::clamp(climb, set.climb_least, set.climb_most));
  m.rising = static_cast<float>(set.climb_kept * m.rising + (1 - set.climb_kept) * innovation);
}

inline void Combined(const Imm& m, Gaussian& out) { Blend<double>(m.both, m.calm, out); }

}  // namespace dunlin
